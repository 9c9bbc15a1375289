import type { Tx } from '../../storage/database/tables.ts'
import { insertEvents, insertLinks, listLinkIds } from '../events/event.repository.ts'
import { timesOfDate } from '../events/model/date.times.ts'
import type { CalendarEvent } from '../events/model/event.ts'
import { renderTexts } from '../events/model/texts.ts'
import { freePaths, insertOccurrences } from '../occurrences/occurrence.writing.repository.ts'
import { type AddedRecord, insertRecords } from '../records/record.repository.ts'
import { uniqueRecordSlugs } from '../records/record.slug.ts'
import { countEventsByTerm, insertEventTerms, listTermIdsOfEvent } from '../terms/term.event.repository.ts'
import { applyCountChanges } from '../terms/term.service.ts'
import { joinGroups } from './series.dates.repository.ts'
import type { GivenDate } from './series.dates.ts'
import { countWritten } from './series.size.ts'
import type { Series } from './series.ts'

/** A new date: what the rules give, and the group of the versions that it already has. */
interface NewDate extends GivenDate {
  readonly groupId?: number
}

/**
 * Creates events for dates of a series, in all of its languages. The number of statements grows by one for 64 dates and
 * language.
 *
 * @param at The time of the write.
 * @returns the ids of the events in the original language, in the order of the dates.
 */
export async function addDates(
  tx: Tx,
  series: Pick<Series, 'id' | 'templates'>,
  { given, at }: { readonly given: readonly NewDate[]; readonly at: number },
): Promise<readonly number[]> {
  const [original, ...others] = series.templates
  const ids = await addDatesOf(tx, { seriesId: series.id, template: original }, { given, at })
  const grouped = given.map((date, place) => ({ ...date, groupId: ids[place] as number }))
  const all = [...ids]
  for (const template of others) {
    if (template.status === 'trash') continue
    all.push(...(await addDatesOf(tx, { seriesId: series.id, template }, { given: grouped, at })))
  }
  await applyCountChanges(tx, new Map(), await countEventsByTerm(tx, all))
  return ids
}

/** Creates events for dates of a series in one language. The counts of their terms stay. */
export async function addDatesOf(
  tx: Tx,
  { seriesId, template }: { readonly seriesId: number; readonly template: CalendarEvent },
  { given, at }: { readonly given: readonly NewDate[]; readonly at: number },
): Promise<readonly number[]> {
  if (given.length === 0) return []
  countWritten(tx, template, given.length)
  const { language, status } = template
  const paths = await freePaths(
    tx,
    { base: template.slug, language },
    given.map(({ recurrenceId }) => recurrenceId),
  )
  const wanted = paths.map((path) => ({ status, slug: path.replaceAll('/', '-') }))
  const slugs = await uniqueRecordSlugs(tx, { kind: 'event', language }, wanted)
  const { id: _, ...shared } = {
    ...template,
    ...renderTexts(template, template),
    kind: 'event' as const,
    modifiedAt: at,
  }
  const records = await insertRecords(
    tx,
    slugs.map((slug) => ({ ...shared, slug })),
  )
  await insertEvents(
    tx,
    given.map(({ segment, recurrenceId }, place) => ({
      record: records[place] as AddedRecord,
      own: { ...template, ...timesOfDate(segment, recurrenceId) },
    })),
  )
  const ids = records.map(({ id }) => id)
  for (const kind of ['venue', 'organizer'] as const) {
    const linked = (await listLinkIds(tx, kind, [template.id])).get(template.id) ?? []
    await insertLinks(
      tx,
      kind,
      ids.map((eventId) => ({ eventId, ids: linked })),
    )
  }
  const termIds = (await listTermIdsOfEvent(tx, template.id)).map((term) => term.id)
  await insertEventTerms(
    tx,
    ids.map((eventId) => ({ eventId, termIds })),
  )
  await joinGroups(
    tx,
    given.flatMap(({ groupId }, place) => (groupId === undefined ? [] : [{ id: ids[place] as number, groupId }])),
  )
  await insertOccurrences(
    tx,
    given.map(({ recurrenceId }, place) => ({
      ...{ event_id: ids[place] as number, series_id: seriesId, recurrence_id: recurrenceId, language },
      ...{ path: paths[place] as string, own_fields: '[]', is_dropped: 0 },
    })),
  )
  return ids
}
