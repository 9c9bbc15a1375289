import { assertAllowed, mayCreate, mayEdit } from '../../access/auth/policy.ts'
import { fail, Problem } from '../../base/problems.ts'
import { slugFrom } from '../../base/text/slug.ts'
import { dayOf } from '../../base/time/local.date.time.ts'
import { keepPendingAudit } from '../../storage/database/audit.ts'
import { dialectOf } from '../../storage/database/compiled.statement.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { EventPatch } from '../events/event.changes.ts'
import { timesOfDate } from '../events/event.date.times.ts'
import { findEventOrFail } from '../events/event.read.service.ts'
import { findEvent, findTemplate, insertEvents, insertLinks, listLinkIds } from '../events/event.repository.ts'
import { unfollowedFields } from '../events/event.series.ts'
import { changeEvent } from '../events/event.service.ts'
import { listEventStandings } from '../events/event.standing.repository.ts'
import { renderTexts } from '../events/event.texts.ts'
import type { CalendarEvent } from '../events/event.ts'
import {
  freePaths,
  insertOccurrences,
  saveSegments,
  touchTemplates,
} from '../occurrences/occurrence.writing.repository.ts'
import { withDate } from '../occurrences/segment.dates.ts'
import { type AddedRecord, insertRecords, updateRecord } from '../records/record.repository.ts'
import { slugFromTitle, uniqueRecordSlug } from '../records/record.slug.ts'
import type { WriteContext } from '../records/write.context.ts'
import { changedFields } from '../sources/standing.ts'
import { insertEventTerms, listTermIdsOfEvent } from '../terms/term.event.repository.ts'
import { listVersionIds } from '../translations/group.repository.ts'
import { addDates } from './series.adding.service.ts'
import { findChangedSeries } from './series.change.service.ts'
import { firstSegment, type SeriesResult, summarizeSeries } from './series.create.service.ts'
import { joinGroups } from './series.dates.repository.ts'
import { expandSeries } from './series.dates.ts'
import { timesField } from './series.fields.ts'
import { expandWithin, recurrenceFrom } from './series.recurrence.ts'
import { saveState } from './series.repository.ts'
import { noCounts, type Series } from './series.ts'

/** The maximum number of events that join a series in one request. */
export const mostJoined = 500

/**
 * Makes an event the first date of a new series. The event keeps its id. Its slug becomes that of the series.
 *
 * @throws rest_forbidden, rest_invalid_param, rest-event-not-found, series-invalid-rule, series-too-many-dates,
 *   series-no-dates
 */
export async function makeSeriesOf(
  write: WriteContext,
  eventId: number,
  { patch, recurrence: sent }: { readonly patch: EventPatch; readonly recurrence: unknown },
): Promise<SeriesResult> {
  const { tx, config, now } = write
  const event = await changeEvent(write, eventId, patch)
  await keepPendingAudit(tx)
  if (event.status === 'trash') fail('event-is-in-trash')
  const segments = [firstSegment(event, recurrenceFrom(sent, event))]
  const { given, ...state } = expandWithin(segments, { config, at: now() })
  const [first, ...others] = given
  if (first?.recurrenceId !== event.start) fail('series-no-dates')
  const versions = await listStored(tx, await listVersionIds(tx, 'records', [eventId]))
  const original = versions.find(({ id, groupId }) => id === groupId) ?? event
  // Each version becomes a template, with dates of its own.
  for (const version of versions) assertAllowed(write.actor, mayEdit(write.actor, version))
  const ordered = [original, ...versions.filter(({ id }) => id !== original.id)]
  const templates: CalendarEvent[] = []
  for (const version of ordered) templates.push(await templateOf(tx, version, now()))
  const [main] = templates as [CalendarEvent]
  const id = main.id
  await joinGroups(
    tx,
    templates.slice(1).map((template) => ({ id: template.id, groupId: id })),
  )
  await saveSegments(tx, id, { before: [], after: segments })
  await saveState(tx, { id, ...state, sequence: 0 })
  for (const [place, version] of ordered.entries()) {
    const { slug: base, language } = templates[place] as CalendarEvent
    await insertDates(tx, id, [{ event: version, base, language, ownFields: [] }])
  }
  const series = { id, templates: templates as [CalendarEvent, ...CalendarEvent[]] }
  const ids = await addDates(tx, series, { given: others, at: now() })
  const counts = { ...noCounts, added: ids.length, changed: 1 }
  await summarizeSeries(tx, id, { eventIds: ids, counts })
  return { seriesId: id, event: await findEventOrFail(tx, eventId), counts }
}

async function listStored(tx: Tx, ids: readonly number[]): Promise<readonly CalendarEvent[]> {
  const events: CalendarEvent[] = []
  for (const id of ids) events.push(await findEventOrFail(tx, id))
  return events
}

/** Stores a template with the values of an event. The template takes over the slug of the event. */
async function templateOf(tx: Tx, event: CalendarEvent, at: number): Promise<CalendarEvent> {
  const { language } = event
  const wanted = event.slug || slugFromTitle(event.title, event.id)
  const dated = await uniqueRecordSlug(tx, { ...event, id: event.id }, `${wanted}-${dayOf(event.start)}`)
  await updateRecord(tx, event.id, { slug: dated, modified_at: at })
  const slug = await uniqueRecordSlug(
    tx,
    { kind: 'event', language, status: 'publish', id: undefined },
    slugFrom(wanted),
  )
  const { id: _, ...shared } = event
  const template = { ...shared, ...renderTexts(event), kind: 'series' as const, slug, modifiedAt: at }
  const [record] = await insertRecords(tx, [template])
  await insertEvents(tx, [{ record: record as AddedRecord, own: event }])
  const id = (record as AddedRecord).id
  for (const kind of ['venue', 'organizer'] as const) {
    const ids = (await listLinkIds(tx, kind, [event.id])).get(event.id) ?? []
    await insertLinks(tx, kind, [{ eventId: id, ids }])
  }
  const termIds = (await listTermIdsOfEvent(tx, event.id)).map((term) => term.id)
  await insertEventTerms(tx, [{ eventId: id, termIds }])
  const stored = await findTemplate(tx, id)
  if (!stored) throw new Error(`The template ${id} is missing.`)
  return stored
}

interface JoiningEvent {
  readonly event: CalendarEvent
  readonly base: string
  readonly language: CalendarEvent['language']
  readonly ownFields: readonly string[]
}

/** Makes events of one language dates of a series. */
async function insertDates(tx: Tx, seriesId: number, joining: readonly JoiningEvent[]): Promise<void> {
  const [first] = joining
  if (!first) return
  const { base, language } = first
  const paths = await freePaths(
    tx,
    { base, language },
    joining.map(({ event }) => event.start),
  )
  await insertOccurrences(
    tx,
    joining.map(({ event, ownFields }, place) => ({
      ...{
        event_id: event.id,
        series_id: seriesId,
        recurrence_id: event.start,
        path: paths[place] as string,
        language,
      },
      ...{ own_fields: JSON.stringify(ownFields), is_dropped: 0 },
    })),
  )
}

/**
 * Makes existing events dates of a series. They keep their ids and slugs, and what differs from the series as fields of
 * their own.
 *
 * @throws rest_forbidden, rest_invalid_param, series-not-found, series-is-in-trash, series-too-many-dates
 */
export async function joinEvents(
  write: WriteContext,
  templateId: number,
  eventIds: readonly number[],
): Promise<SeriesResult> {
  const { tx, actor, config, now } = write
  assertAllowed(actor, mayCreate(actor))
  const found = await findChangedSeries(write, templateId)
  const { series, dates, template } = found
  // The rules, which are those of all languages, get the dates.
  for (const one of series.templates) assertAllowed(actor, mayEdit(actor, one))
  if (template.status === 'trash') fail('series-is-in-trash')
  const known = new Set(dates.map(({ recurrenceId }) => recurrenceId))
  const ids = [...new Set(eventIds)]
  const events: CalendarEvent[] = []
  for (const id of ids) {
    const event = await findEvent(tx, id)
    const isFree = event && event.seriesId === undefined && event.status !== 'trash' && !known.has(event.start)
    if (!isFree || event.language !== template.language || !mayEdit(actor, event)) throw notJoinable(id)
    known.add(event.start)
    events.push(event)
  }
  const segments = events.reduce((all, { start }) => withDate(all, start), series.segments)
  const { given: _, ...state } = expandWithin(segments, { config, at: now(), madeUntil: series.madeUntil })
  await saveSegments(tx, series.id, { before: series.segments, after: segments })
  await saveState(tx, { id: series.id, ...state, sequence: series.sequence + 1 })
  await touchTemplates(tx, series.id, now())
  const joining = await joiningEvents(tx, { ...series, segments }, { template, events })
  await insertDates(tx, series.id, joining)
  const counts = { ...noCounts, added: events.length }
  await summarizeSeries(tx, series.id, { eventIds: ids, counts })
  const shown = events[0]?.id ?? dates[0]?.eventId ?? 0
  return { seriesId: series.id, event: await findEventOrFail(tx, shown), counts }
}

function notJoinable(id: number): Problem {
  const fault = { text: 'fault.series.event', values: { part: String(id) } } as const
  return new Problem('rest_invalid_param', { faults: { event_ids: fault } })
}

/** Returns events with the fields in which they differ from the template. */
async function joiningEvents(
  tx: Tx,
  { segments }: Pick<Series, 'segments'>,
  { template, events }: { readonly template: CalendarEvent; readonly events: readonly CalendarEvent[] },
): Promise<readonly JoiningEvent[]> {
  const standings = await listEventStandings(tx, dialectOf(tx), [template.id, ...events.map(({ id }) => id)])
  const own = standings.get(template.id) ?? {}
  const unlike = new Set([...unfollowedFields, timesField, 'date'])
  return events.map((event) => {
    const fields = changedFields(own, standings.get(event.id) ?? {}).difference(unlike)
    const { dates } = expandSeries(segments, { through: event.start, limit: 1, from: event.start })
    const times = dates[0] && timesOfDate(dates[0].segment, event.start)
    const hasTimes =
      times?.startUtc === event.startUtc && times.endUtc === event.endUtc && times.isAllDay === event.isAllDay
    const ownFields = [...fields, ...(hasTimes ? [] : [timesField])].sort()
    return { event, base: template.slug, language: template.language, ownFields }
  })
}
