import { records } from '../../storage/database/schema/records.ts'
import { searchedColumns } from '../../storage/database/schema/table.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { CalendarEvent } from '../events/model/event.ts'
import { listEventStandings } from '../events/read/standing.repository.ts'
import { saveOwnFields } from '../occurrences/occurrence.writing.repository.ts'
import { nextRecordSlugs } from '../records/record.slug.ts'
import { nextPublication } from '../records/record.status.ts'
import type { RecordStatus } from '../records/record.ts'
import { changedFields, type Standing } from '../sources/standing.ts'
import {
  copyEntryLinks,
  copyEventColumns,
  copyRecordColumns,
  copyTermLinks,
  noteStaleTexts,
  updatePublications,
} from './series.dates.repository.ts'
import { copiedFields, timesField } from './series.fields.ts'
import { eventIdsOf, type Series, type SeriesDate } from './series.ts'

const searched = searchedColumns(records)

// Dates take changed values from the template of their series, except in fields of their own.

/** The fields of each template before a change, by its id. */
export type TemplatesBefore = ReadonlyMap<number, Standing>

export async function standingsOf(tx: Tx, templates: Series['templates']): Promise<TemplatesBefore> {
  return listEventStandings(
    tx,
    templates.map(({ id }) => id),
  )
}

/** What dates take from their template. */
export interface Following {
  /** The template after the change. */
  readonly template: CalendarEvent
  /** The fields of the template that have changed. */
  readonly fields: ReadonlySet<string>
  /** The dates in the language of the template that the change means. */
  readonly dates: readonly SeriesDate[]
  /** Dates that take these fields too, even if they were their own. */
  readonly given: ReadonlyMap<number, ReadonlySet<string>>
  readonly at: number
  /** Whether dates that are over take what happens to an event as well. */
  readonly hasPast: boolean
}

/** Returns the fields of a template that a write has changed, by its id. */
export async function changedByTemplate(
  tx: Tx,
  before: TemplatesBefore,
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const after = await listEventStandings(tx, [...before.keys()])
  return new Map([...before].map(([id, was]) => [id, changedFields(was, after.get(id) ?? {})]))
}

/**
 * Copies the changed fields of a template to its dates. Dates with the same fields of their own change together, so the
 * number of statements does not depend on the number of dates.
 *
 * @returns the ids of the changed dates.
 */
export async function followTemplate(tx: Tx, following: Following): Promise<readonly number[]> {
  const { template, fields, dates, given, at } = following
  const wantedOf = (date: SeriesDate) => {
    const own = new Set(date.ownFields)
    const taken = [...fields].filter((name) => !own.has(name) && isTakenBy(following, date, name))
    const names = [...taken, ...(given.get(date.eventId) ?? [])].filter((name) => name !== timesField)
    return [...new Set(names)].sort()
  }
  // Dates in the trash follow too, so that they are right when they come back.
  const groups = Map.groupBy(dates, (date) => wantedOf(date).join())
  const changed: number[] = []
  for (const [names, some] of groups) {
    if (names === '') continue
    const ids = eventIdsOf(some)
    await copyFields(tx, { templateId: template.id, ids }, { names: names.split(','), at })
    if (names.split(',').some((name) => name === 'status' || name === 'date')) {
      const shown = some.filter(({ status }) => status !== 'trash')
      await followStatus(tx, template, { dates: shown, hasDate: names.split(',').includes('date'), at })
    }
    changed.push(...ids)
  }
  await returnFields(tx, following)
  return changed
}

/** Whether a date takes a changed field that is not its own. */
function isTakenBy({ at, hasPast }: Following, date: SeriesDate, name: string): boolean {
  return !copiedFields[name]?.isOfComing || hasPast || date.endUtc >= at
}

/** Notes that dates follow the series again in the fields that they were given. */
async function returnFields(tx: Tx, { dates, given }: Following): Promise<void> {
  const rows = dates.flatMap(({ eventId: id, ownFields }) => {
    const returned = given.get(id)
    const kept = returned ? ownFields.filter((name) => !returned.has(name)) : ownFields
    return kept.length < ownFields.length ? [{ id, ownFields: kept }] : []
  })
  await saveOwnFields(tx, rows)
}

async function copyFields(
  tx: Tx,
  followers: { readonly templateId: number; readonly ids: readonly number[] },
  { names, at }: { readonly names: readonly string[]; readonly at: number },
): Promise<void> {
  const fields = names.flatMap((name) => copiedFields[name] ?? [])
  if (fields.length === 0) return
  const columns = fields.flatMap(({ records = [] }) => records)
  await copyRecordColumns(tx, followers, { columns, at })
  await copyEventColumns(
    tx,
    followers,
    fields.flatMap(({ events = [] }) => events),
  )
  for (const { links } of fields) {
    if (links === 'venue' || links === 'organizer') await copyEntryLinks(tx, followers, links)
    else if (links !== undefined) await copyTermLinks(tx, followers, links)
  }
  if (columns.some((column) => searched.includes(column))) await noteStaleTexts(tx, followers.ids)
}

async function followStatus(
  tx: Tx,
  template: CalendarEvent,
  { dates, hasDate, at }: { readonly dates: readonly SeriesDate[]; readonly hasDate: boolean; readonly at: number },
): Promise<void> {
  const { status, datedAt } = template
  await setStatuses(tx, dates, {
    at,
    next: (date) => nextPublication(date, { status, date: hasDate || !date.isDated ? datedAt : undefined }, at),
  })
}

/** Gives dates another status. Their slugs follow. */
export async function setStatuses(
  tx: Tx,
  dates: readonly SeriesDate[],
  {
    at,
    next,
  }: {
    readonly at: number
    readonly next: (date: SeriesDate) => {
      readonly status: RecordStatus
      readonly datedAt: number
      readonly isDated: boolean
    }
  },
): Promise<void> {
  for (const [language, some] of Map.groupBy(dates, (date) => date.language)) {
    const publications = some.map(next)
    const records = some.map(({ eventId, slug, status }, place) => ({
      ...{ id: eventId as CalendarEvent['id'], slug, status },
      nextStatus: publications[place]?.status ?? status,
    }))
    const slugs = await nextRecordSlugs(tx, { kind: 'event', language }, records)
    const rows = some.map((date, place) => {
      const { status, datedAt, isDated } = publications[place] ?? date
      const statusBeforeTrash = status === 'trash' ? (date.statusBeforeTrash ?? date.status) : null
      return { id: date.eventId, status, statusBeforeTrash, datedAt, isDated, slug: slugs[place] ?? date.slug }
    })
    await updatePublications(tx, rows, at)
  }
}
