import type { Language } from '../../base/languages/language.ts'
import { fail } from '../../base/problems.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { listSegments } from './occurrence.repository.ts'
import {
  countSequence,
  type DateTranslation,
  findTemplateSlug,
  freePaths,
  insertOccurrences,
  listDateTranslations,
  markDropped,
  retirePaths,
  saveOwnFields,
  saveSegments,
  touchTemplates,
} from './occurrence.writing.repository.ts'
import { withDate, withoutDate } from './segment.dates.ts'

// What the change of a single date means for its series. Events call these functions when they change.

/** Notes that dates no longer follow their series in these fields. Events of no series are left out. */
export async function addOwnFields(tx: Tx, changed: ReadonlyMap<number, Iterable<string>>): Promise<void> {
  const versions = changed.size === 0 ? [] : await listDateTranslations(tx, [...changed.keys()])
  const rows = versions.flatMap(({ event_id: id, own_fields }) => {
    const known = JSON.parse(own_fields) as readonly string[]
    const ownFields = [...new Set([...known, ...(changed.get(id) ?? [])])].sort()
    return ownFields.length > known.length ? [{ id, ownFields }] : []
  })
  await saveOwnFields(tx, rows)
}

/**
 * Leaves a date out of its series after its event went to the trash. If it is still there in another language, the
 * series keeps it.
 *
 * @param at The time of the write, in seconds since 1970.
 */
export async function leaveOutDate(tx: Tx, eventId: number, at: number): Promise<void> {
  const versions = await listDateTranslations(tx, [eventId])
  const [date] = versions
  if (!date || date.is_dropped === 1 || versions.some(({ status }) => status !== 'trash')) return
  await changeRules(tx, date, { at, change: withoutDate })
  await markDropped(
    tx,
    versions.map(({ event_id }) => event_id),
    true,
  )
}

/**
 * Adds a date to its series again after its event was restored from the trash.
 *
 * @param at The time of the write, in seconds since 1970.
 * @throws series-is-in-trash
 */
export async function takeDateBack(tx: Tx, eventId: number, at: number): Promise<void> {
  const versions = await listDateTranslations(tx, [eventId])
  const date = versions.find(({ event_id }) => event_id === eventId)
  if (!date) return
  const template = await findTemplateSlug(tx, date.series_id, date.language)
  if (template.status === 'trash') fail('series-is-in-trash')
  if (date.is_dropped === 0) return
  await changeRules(tx, date, { at, change: withDate })
  await markDropped(
    tx,
    versions.map(({ event_id }) => event_id),
    false,
  )
}

/**
 * Leaves dates out of their series before their events are deleted. No other date gets their addresses.
 *
 * @param at The time of the write, in seconds since 1970.
 */
export async function forgetDates(tx: Tx, eventIds: readonly number[], at: number): Promise<void> {
  await retirePaths(tx, eventIds)
  const deleted = new Set(eventIds)
  const versions = await listDateTranslations(tx, eventIds)
  const dates = Map.groupBy(versions, ({ series_id, recurrence_id }) => `${series_id} ${recurrence_id}`)
  for (const some of dates.values()) {
    const [date] = some
    const isGone = some.every(({ event_id }) => deleted.has(event_id))
    if (date?.is_dropped === 0 && isGone) await changeRules(tx, date, { at, change: withoutDate })
  }
}

async function changeRules(
  tx: Tx,
  { series_id: id, recurrence_id: date }: DateTranslation,
  { at, change }: { readonly at: number; readonly change: typeof withDate },
): Promise<void> {
  const before = (await listSegments(tx, [id])).get(id) ?? []
  await saveSegments(tx, id, { before, after: change(before, date) })
  await countSequence(tx, id)
  await touchTemplates(tx, id, at)
}

/**
 * Makes a new translation of a date a date of the same series. It follows the series if the series has a template in its
 * language.
 *
 * @param texts Its fields that follow only a template in its own language.
 */
export async function addTranslatedDate(
  tx: Tx,
  { of, id, language }: { readonly of: number; readonly id: number; readonly language: Language },
  texts: readonly string[],
): Promise<void> {
  const date = (await listDateTranslations(tx, [of])).find(({ event_id }) => event_id === of)
  if (!date) return
  const { slug: base } = await findTemplateSlug(tx, date.series_id, language)
  const [path = ''] = await freePaths(tx, { base, language }, [date.recurrence_id])
  const ownFields = [...new Set([...(JSON.parse(date.own_fields) as readonly string[]), ...texts])].sort()
  await insertOccurrences(tx, [
    {
      ...{ event_id: id, series_id: date.series_id, recurrence_id: date.recurrence_id, path, language },
      ...{ own_fields: JSON.stringify(ownFields), is_dropped: 0 },
    },
  ])
}
