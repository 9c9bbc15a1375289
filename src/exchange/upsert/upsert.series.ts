import { hash } from 'node:crypto'
import { accepted, refused } from '../../access/http/arguments/argument.rules.ts'
import { dateSchema, lengthSchema } from '../../access/http/arguments/argument.schema.ts'
import type { ArgumentRule, Arguments } from '../../access/http/arguments/argument.ts'
import { failParameter } from '../../base/problems.ts'
import { isoUtc } from '../../base/time/wire.ts'
import { findEvent, listLinkIds } from '../../calendar/events/event.repository.ts'
import type { EventDraft, EventPatch } from '../../calendar/events/model/event.changes.ts'
import { propertyOfArgument } from '../../calendar/events/model/fields.derived.ts'
import { recurrenceArguments } from '../../calendar/events/model/series.arguments.ts'
import { findStoredEventOrFail } from '../../calendar/events/read/read.service.ts'
import { eventStandingFields, listEventStandings } from '../../calendar/events/read/standing.repository.ts'
import { changeEvent } from '../../calendar/events/write/event.service.ts'
import { listSegments } from '../../calendar/occurrences/occurrence.repository.ts'
import type { WriteContext } from '../../calendar/records/write.context.ts'
import { readLocalText } from '../../calendar/recurrence/local.text.ts'
import { ruleText } from '../../calendar/recurrence/rule.text.ts'
import { changeSeries, nextDate } from '../../calendar/series/series.change.service.ts'
import { createSeries } from '../../calendar/series/series.create.service.ts'
import { makeSeriesOf } from '../../calendar/series/series.joining.service.ts'
import { findSeries, listDates } from '../../calendar/series/series.repository.ts'
import { trashDates, trashSeries } from '../../calendar/series/series.trash.service.ts'
import { isLive, type SeriesDate } from '../../calendar/series/series.ts'
import { namingParameter } from '../../calendar/series/series.writes.ts'
import { maxExternalId } from '../../calendar/sources/source.ts'
import type { Standing } from '../../calendar/sources/standing.ts'
import { listTermIdsOfEvent } from '../../calendar/terms/term.event.repository.ts'
import type { Taxonomy } from '../../calendar/terms/term.ts'
import type { Db } from '../../storage/database/tables.ts'
import { announced, idOf } from './source.links.ts'
import type { Parts, SentValues, UpsertKind } from './upsert.kind.ts'

// A source names a series by its template, and a date that differs by its event.

/** The id of a series; undefined if only a dry run would have created it. */
type SentSeries = { readonly id: number | undefined }

const seriesRule: ArgumentRule<SentSeries> = async (raw, reading) => {
  const id = await idOf({ external_id: raw }, 'event', reading)
  if (id === undefined) return refused('fault.unknown-external-id')
  return accepted({ id: id === announced ? undefined : id })
}

const dateRule: ArgumentRule<string> = (raw) => (typeof raw === 'string' ? accepted(raw) : refused('fault.where-date'))

/** What a source says about dates of series. */
export const sentSeriesArguments = {
  ...recurrenceArguments,
  recurrence_of: {
    read: seriesRule,
    schema: lengthSchema(1, maxExternalId),
    description: 'recurrence_of',
    type: 'string',
    isExtension: true,
  },
  recurrence_id: {
    read: dateRule,
    schema: dateSchema,
    description: 'recurrence_id',
    type: 'string',
    isExtension: true,
  },
} as const satisfies Arguments

/** Whether these values create more than one event, or one that exists already. */
export const isOfSeries = ({ recurrence, recurrence_of: of }: SentValues): boolean =>
  recurrence !== undefined || of !== undefined

/** The only date of a series that its source no longer repeats. */
const once = { rrule: 'FREQ=DAILY;COUNT=1' }

/**
 * Creates a series, or gives a date of one what its source says about it alone. A date in the trash stays there.
 *
 * @returns the template of the series, or the date; undefined if a dry run has not created its series.
 */
export async function createOfSeries(
  write: WriteContext,
  values: SentValues,
  {
    draft,
    language,
  }: { readonly draft: EventDraft; readonly language: Parameters<typeof createSeries>[1]['language'] },
): Promise<number | undefined> {
  const { recurrence, recurrence_of: of } = values
  if (of === undefined) {
    return (await namingParameter(() => createSeries(write, { draft, recurrence, language }))).seriesId
  }
  if (seriesIdOf(values) === undefined) return undefined
  const date = (await dateMeant(write.tx, values)) ?? failParameter('recurrence_id', 'fault.series.no-date')
  if (isLive(date) && date.status !== 'trash') await changeEvent(write, date.eventId, draft)
  return date.eventId
}

/** Returns the id of the series of which these values are a date. */
export const seriesIdOf = ({ recurrence_of: of }: SentValues) => (of as SentSeries | undefined)?.id

/** Returns the date of a series that these values mean. */
export async function dateMeant(db: Db, values: SentValues): Promise<SeriesDate | undefined> {
  const id = seriesIdOf(values)
  const series = id === undefined ? undefined : await findSeries(db, id)
  const zone = series?.segments[0]?.zone
  const recurrenceId = zone && readLocalText(String(values.recurrence_id ?? ''), zone)?.date
  const dates = series && recurrenceId ? await listDates(db, series.id, recurrenceId) : []
  return dates.find((one) => one.recurrenceId === recurrenceId)
}

/** Changes an event or a series, makes a series of an event, or leaves only the first date of a series. */
export async function changeOrRepeat(
  write: WriteContext,
  id: number,
  { patch, recurrence }: { readonly patch: EventPatch; readonly recurrence: unknown },
): Promise<number | undefined> {
  const series = await findSeries(write.tx, id)
  if (series) {
    const sent = recurrence ?? (patch.start === undefined ? undefined : once)
    // What is no longer a date of the source is none here, and what has been is as the source has it.
    const change = { patch, recurrence: sent, past: true, drop: true }
    await namingParameter(() => changeSeries(write, id, change))
  } else if (recurrence !== undefined) {
    return (await namingParameter(() => makeSeriesOf(write, id, { patch, recurrence }))).seriesId
  } else await changeEvent(write, id, patch)
  return undefined
}

/** Moves an event to the trash, or a series from its next date on: what has happened stays. */
export async function trashRest(write: WriteContext, id: number): Promise<void> {
  const { tx, now } = write
  const series = await findSeries(tx, id)
  const dates = series ? (await listDates(tx, series.id)).filter(isLive) : []
  const next = dates.find(({ endUtc, status }) => endUtc >= now() && status !== 'trash')
  if (!next) return void (await trashSeries(write, id))
  await trashDates(write, next.eventId, { scope: 'following', drop: true })
}

/** Returns the event to show for an event or a series. */
export async function shownEventId(db: Db, id: number, at: number): Promise<number> {
  const series = await findSeries(db, id)
  return (series && nextDate(await listDates(db, series.id), series.templates[0].language, at)?.eventId) ?? id
}

type Edits = NonNullable<UpsertKind<SentValues>['edits']>

/** The fields of events and series whose edits are kept. What repeats is edited together with the times. */
export const editsOfEvents: Edits = {
  fields: {
    ...eventStandingFields,
    start_date: {
      ...eventStandingFields.start_date,
      args: [...(eventStandingFields.start_date?.args ?? []), 'recurrence'],
    },
  } as Edits['fields'],
  list: async (db, ids) => {
    const standings = new Map(await listEventStandings(db, ids))
    for (const [id, segments] of await listSegments(db, ids)) {
      const rules = segments.map(({ start, recurrence: { rule, dates, except } }) => [
        start,
        rule && ruleText(rule),
        dates,
        except,
      ])
      const { start_date: times = '', ...others } = standings.get(id) ?? ({} as Standing)
      const digest = hash('sha256', JSON.stringify([times, rules]), 'base64url').slice(0, times.length)
      standings.set(id, { ...others, start_date: digest })
    }
    return standings
  },
}

/** Returns what gives an event its fields again, but not its password. */
export async function partsOfEvent(db: Db, id: number): Promise<Parts> {
  const event = await findEvent(db, id)
  if (!event) return {}
  const linked = async (kind: 'venue' | 'organizer') =>
    ((await listLinkIds(db, kind, [id])).get(id) ?? []).map((one) => ({ id: one }))
  const terms = await listTermIdsOfEvent(db, id)
  const termsOf = (wanted: Taxonomy) => terms.flatMap((term) => (term.taxonomy === wanted ? [term.id] : []))
  const { zone, isDated, datedAt, ...values } = event
  const known: Readonly<Record<string, unknown>> = {
    ...{ ...values, zone: zone.name, ...(isDated && { dateUtc: isoUtc(datedAt) }) },
    ...{ venues: await linked('venue'), organizers: await linked('organizer') },
    ...{ categories: termsOf('category'), tags: termsOf('tag') },
  }
  const partOf = (args: readonly string[]) =>
    Object.fromEntries(
      args.map(propertyOfArgument).flatMap((name) => (name in known ? [[name, known[name] ?? null]] : [])),
    )
  const parts = Object.entries(editsOfEvents.fields).map(([name, { args }]) => [name, partOf(args)] as const)
  const { event_status: state, ...others } = Object.fromEntries(
    parts.filter(([, part]) => Object.keys(part).length > 0),
  )
  const { statusAt, previousStarts } = event
  return { ...others, event_status: { ...state, history: { statusAt, previousStarts } } }
}

/** @throws rest-event-not-found */
export const findOfSource = async (db: Db, id: number) => {
  const { status, eventStatus, seriesId } = await findStoredEventOrFail(db, id)
  return { status, isCanceled: eventStatus === 'canceled', seriesId }
}
