import { assertAllowed, mayCreate, mayEdit } from '../../access/auth/policy.ts'
import { fail, Problem } from '../../base/problems.ts'
import { slugFrom } from '../../base/text/slug.ts'
import { dayOf, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { keepPendingAudit } from '../../storage/database/audit/audit.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { findEvents, findTemplate, insertEvents, insertLinks, listLinkIds } from '../events/event.repository.ts'
import { timesOfDate } from '../events/model/date.times.ts'
import type { EventPatch } from '../events/model/event.changes.ts'
import type { CalendarEvent } from '../events/model/event.ts'
import { texts, unfollowedFields } from '../events/model/series.ts'
import { nextState } from '../events/model/state.ts'
import { renderTexts } from '../events/model/texts.ts'
import { findEventOrFail } from '../events/read/read.service.ts'
import { listEventStandings } from '../events/read/standing.repository.ts'
import { changeEvent } from '../events/write/event.service.ts'
import type { SeriesMembership, SeriesSegment } from '../occurrences/occurrence.ts'
import {
  freePaths,
  insertOccurrences,
  saveSegments,
  touchTemplates,
} from '../occurrences/occurrence.writing.repository.ts'
import { withDate } from '../occurrences/segment.dates.ts'
import { type AddedRecord, insertRecords, updateRecord } from '../records/record.repository.ts'
import { slugFromTitle, uniqueRecordSlug } from '../records/record.slug.ts'
import type { RecordId } from '../records/record.ts'
import type { WriteContext } from '../records/write.context.ts'
import { changedFields } from '../sources/standing.ts'
import { insertEventTerms, listTermIdsOfEvent } from '../terms/term.event.repository.ts'
import { listTranslationIds, listTranslationsInGroups } from '../translations/group.repository.ts'
import { addDates } from './series.adding.service.ts'
import { type ChangedSeries, findChangedSeries } from './series.change.service.ts'
import { firstSegment, type SeriesResult, summarizeSeries } from './series.create.service.ts'
import { joinGroups } from './series.dates.repository.ts'
import { expandSeries } from './series.dates.ts'
import { timesField } from './series.fields.ts'
import { expandWithin, recurrenceFrom } from './series.recurrence.ts'
import { saveState } from './series.repository.ts'
import { assertDatesFit } from './series.size.ts'
import { eventIdsOf, isLive, noCounts, type Series } from './series.ts'

/** The maximum number of events that join a series in one request. */
export const maxJoined = 500

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
  const wanted = [firstSegment(event, recurrenceFrom(sent, event))]
  const { given, counted, segments, ...state } = expandWithin(wanted, { config, at: now() })
  const [first, ...others] = given
  if (first?.recurrenceId !== event.start) fail('series-no-dates')
  const versions = await listStored(tx, await listTranslationIds(tx, 'records', [eventId]))
  const original = versions.find(({ id, groupId }) => id === groupId) ?? event
  // Each version becomes a template, with dates of its own.
  for (const version of versions) assertAllowed(write.actor, mayEdit(write.actor, version))
  assertDatesFit(versions, counted)
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
    const { slug: base } = templates[place] as CalendarEvent
    // What has happened to the event has not happened to the other dates.
    const ownFields = version.eventStatus === 'scheduled' ? [] : ['event_status']
    await insertDates(tx, id, [{ event: version, recurrenceId: event.start, base, ownFields }])
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
  return storeTemplate(tx, { ...event, slug }, at)
}

/** Stores a template with the values and the slug of an event, and with its venues, organizers and terms. */
async function storeTemplate(tx: Tx, event: CalendarEvent, at: number): Promise<CalendarEvent> {
  const { id: _, ...shared } = event
  const template = { ...shared, ...renderTexts(event, event), kind: 'series' as const, modifiedAt: at }
  const [record] = await insertRecords(tx, [template])
  const state = nextState({ ...event, isAnnounced: false }, { eventStatus: 'scheduled' }, { times: event, at })
  if (typeof state === 'string') throw new Error(`The state of the template is refused: ${state}.`)
  await insertEvents(tx, [{ record: record as AddedRecord, own: { ...event, ...state } }])
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

/** A series as another calendar of this service has it. Its dates are events here already. */
export interface AdoptedSeries {
  /** One in each language, the original first: an event that has its values, except for these. */
  readonly templates: readonly (Pick<CalendarEvent, 'slug' | 'status'> & { readonly eventId: number })[]
  readonly segments: readonly SeriesSegment[]
  readonly madeUntil: LocalDateTime | undefined
  readonly sequence: number
  readonly dates: readonly Pick<SeriesMembership, 'eventId' | 'recurrenceId' | 'path' | 'ownFields' | 'isDropped'>[]
}

/** Makes existing events the dates of a series, as they were elsewhere. They stay as they are. */
export async function adoptSeries(
  { tx, config, now }: WriteContext,
  { templates, segments, madeUntil, sequence, dates }: AdoptedSeries,
): Promise<number> {
  const events = new Map((await listStored(tx, eventIdsOf(dates))).map((event) => [event.id, event]))
  const stored: CalendarEvent[] = []
  for (const { eventId, ...own } of templates) {
    const event = events.get(eventId as RecordId)
    if (event) stored.push(await storeTemplate(tx, { ...event, ...own }, now()))
  }
  const [main] = stored as [CalendarEvent]
  const { id } = main
  await joinGroups(
    tx,
    stored.slice(1).map((template) => ({ id: template.id, groupId: id })),
  )
  const known = [...new Set(dates.map(({ recurrenceId }) => recurrenceId))].sort()
  const expanded = expandWithin(segments, {
    ...{ config, at: now(), known: known.map((recurrenceId) => ({ recurrenceId })) },
  })
  await saveSegments(tx, id, { before: [], after: expanded.segments })
  await saveState(tx, { ...expanded, madeUntil: madeUntil ?? expanded.madeUntil, id, sequence })
  await insertOccurrences(
    tx,
    dates.map(({ eventId, recurrenceId, path, ownFields, isDropped }) => ({
      ...{ event_id: eventId, series_id: id, recurrence_id: recurrenceId, path },
      ...{ language: events.get(eventId as RecordId)?.language ?? main.language },
      ...{ own_fields: JSON.stringify(ownFields), is_dropped: isDropped ? (1 as const) : (0 as const) },
    })),
  )
  return id
}

interface JoiningEvent {
  readonly event: CalendarEvent
  readonly recurrenceId: LocalDateTime
  /** The slug of the template, with which the address begins. */
  readonly base: string
  readonly ownFields: readonly string[]
}

/** Makes events dates of a series. Runs two queries for each template, and one more for further dates of a day. */
async function insertDates(tx: Tx, seriesId: number, joining: readonly JoiningEvent[]): Promise<void> {
  for (const some of Map.groupBy(joining, ({ event, base }) => `${event.language} ${base}`).values()) {
    const [{ base, event: first }] = some as [JoiningEvent]
    const { language } = first
    const paths = await freePaths(
      tx,
      { base, language },
      some.map(({ recurrenceId }) => recurrenceId),
    )
    await insertOccurrences(
      tx,
      some.map(({ event, recurrenceId, ownFields }, place) => ({
        ...{ event_id: event.id, series_id: seriesId, recurrence_id: recurrenceId, path: paths[place] as string },
        ...{ language, own_fields: JSON.stringify(ownFields), is_dropped: 0 },
      })),
    )
  }
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
  const { series, dates, template } = await findChangedSeries(write, templateId)
  // The rules, which are those of all languages, get the dates.
  for (const one of series.templates) assertAllowed(actor, mayEdit(actor, one))
  if (template.status === 'trash') fail('series-is-in-trash')
  const events = await findJoining(write, { template, dates }, [...new Set(eventIds)])
  // In the order of their starts, so that earlier dates share a segment.
  const starts = events.map(({ recurrenceId }) => recurrenceId).sort()
  const segments = starts.reduce(withDate, series.segments)
  const joined = starts.map((recurrenceId) => ({ recurrenceId }))
  const expanded = expandWithin(segments, {
    ...{ config, at: now(), madeUntil: series.madeUntil },
    known: [...dates.filter(isLive), ...joined],
  })
  // The job makes the dates that have come into sight.
  const state = series.isEndless ? series : expanded
  await saveSegments(tx, series.id, { before: series.segments, after: segments })
  const { madeUntil, isEndless } = state
  await saveState(tx, { id: series.id, madeUntil, isEndless, sequence: series.sequence + 1 })
  await touchTemplates(tx, series.id, now())
  await insertDates(tx, series.id, await joiningEvents(tx, { ...series, segments }, events))
  const counts = { ...noCounts, added: new Set(starts).size }
  const ids = events.map(({ event }) => event.id)
  await summarizeSeries(tx, series.id, { eventIds: ids, counts })
  const shown = ids[0] ?? dates[0]?.eventId
  return { seriesId: series.id, event: await findEventOrFail(tx, shown), counts }
}

/** An event that joins a series, or a translation of one, and the local start of the date that it becomes. */
type NewDate = Pick<JoiningEvent, 'event' | 'recurrenceId'>

/**
 * Returns events that may join a series, each with its translations, which share its times.
 *
 * @throws rest_invalid_param
 */
async function findJoining(
  { tx, actor }: WriteContext,
  { template, dates }: Pick<ChangedSeries, 'template' | 'dates'>,
  ids: readonly number[],
): Promise<readonly NewDate[]> {
  const known = new Set(dates.map(({ recurrenceId }) => recurrenceId))
  const groups = Map.groupBy(await listTranslationsInGroups(tx, 'records', ids), ({ groupId }) => groupId)
  const groupOf = new Map([...groups.values()].flatMap((some) => some.map(({ id }) => [id as number, some] as const)))
  const events = await findEvents(tx, [...groupOf.keys()])
  const found: NewDate[] = []
  for (const id of ids) {
    const named = events.get(id)
    if (!named || known.has(named.start) || named.language !== template.language) throw notJoinable(id)
    known.add(named.start)
    for (const version of groupOf.get(id) ?? []) {
      const event = events.get(version.id)
      const isFree = event && event.seriesId === undefined && (version.id !== id || event.status !== 'trash')
      if (!isFree || !mayEdit(actor, event)) throw notJoinable(id)
      found.push({ event, recurrenceId: named.start })
    }
  }
  return found
}

function notJoinable(id: number): Problem {
  const fault = { text: 'fault.series.event', values: { part: String(id) } } as const
  return new Problem('rest_invalid_param', { faults: { event_ids: fault } })
}

/**
 * Returns events with the fields in which they differ from their template. A series without a template in a language
 * gives no texts in it.
 */
async function joiningEvents(
  tx: Tx,
  { templates, segments }: Pick<Series, 'templates' | 'segments'>,
  events: readonly NewDate[],
): Promise<readonly JoiningEvent[]> {
  const ids = [...templates, ...events.map(({ event }) => event)].map(({ id }) => id)
  const standings = await listEventStandings(tx, ids)
  const unlike = new Set([...unfollowedFields, timesField, 'date'])
  return events.map(({ event, recurrenceId }) => {
    const own = templates.find(({ language }) => language === event.language)
    const template = own ?? templates[0]
    const differing = changedFields(standings.get(template.id) ?? {}, standings.get(event.id) ?? {})
    const fields = [...differing.difference(unlike), ...(own ? [] : texts)]
    const { dates } = expandSeries(segments, { through: recurrenceId, limit: 1, from: recurrenceId })
    const times = dates[0] && timesOfDate(dates[0].segment, recurrenceId)
    const hasTimes =
      times?.startUtc === event.startUtc && times.endUtc === event.endUtc && times.isAllDay === event.isAllDay
    const ownFields = [...new Set([...fields, ...(hasTimes ? [] : [timesField])])].sort()
    return { event, recurrenceId, base: template.slug, ownFields }
  })
}
