import { sql } from 'kysely'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { parseZone, utcZone } from '../../base/time/zone.ts'
import { compiledInsert, compiledStatement, dialectOf } from '../../storage/database/statements/compiled.statement.ts'
import { statementBatches } from '../../storage/database/statements/statement.batches.ts'
import type { Db, EventRow, Flag, RecordRow, Row, Tx } from '../../storage/database/tables.ts'
import { changedColumns } from '../../storage/database/writes/changed.columns.ts'
import { listPictures } from '../media/media.repository.ts'
import { listMemberships } from '../occurrences/occurrence.repository.ts'
import type { SeriesMembership } from '../occurrences/occurrence.ts'
import {
  type RenderedRecordRow,
  recordOutlineColumns,
  recordTextBytes,
  renderedRecordColumns,
  renderedRecordFromRow,
} from '../records/record.repository.ts'
import { listTranslations } from '../records/record.translations.repository.ts'
import type { ReadContext } from '../translations/viewer.ts'
import type { StoredCost } from './model/cost.ts'
import { valueFields } from './model/event.fields.ts'
import type { CalendarEvent, EventFields, EventTimes, LinkedEvent, RenderedEvent } from './model/event.ts'
import { isTicketed } from './model/offers.ts'
import type { PreviousStart } from './model/state.ts'
import { listLinked, listLinks } from './read/linked.repository.ts'

type EntryLinkKind = 'venue' | 'organizer'

/** An event and the ids of its venues or organizers, in their order. */
interface EventLinks {
  readonly eventId: number
  readonly ids: readonly number[]
}

const timeColumns = ['start_local', 'end_local', 'timezone', 'start_utc', 'end_utc', 'is_all_day'].map(
  (name) => `events.${name}`,
)
const stateColumns = ['events.status_at', 'events.previous_starts']
const seriesColumn = `(select cast(series_id as text) || ' ' || path from occurrences
  where event_id = events.record_id) as series_date`
const valueRows = Object.values(valueFields.fields)
const longColumns = valueRows.flatMap(({ isLong, column }) => (isLong ? [`events.${column}`] : []))

/** The shown columns of an event, as SQL. The two tables have their own names. */
export const renderedEventColumns = sql`${renderedRecordColumns}, ${sql.raw(
  [
    ...timeColumns,
    ...valueRows.map(({ column }) => `events.${column}`),
    'events.cost',
    'events.custom_fields',
    ...stateColumns,
    seriesColumn,
  ].join(', '),
)}`

/** The same columns without those of variable length: title, texts, picture, cost and custom fields. */
export const eventOutlineColumns = sql`${recordOutlineColumns}, ${sql.raw(timeColumns.join(', '))}, ${sql.join(
  valueRows.map(({ isLong, column, toStored, blank }) =>
    isLong
      ? sql`${sql.lit((toStored as (value: unknown) => string | null)(blank))} as ${sql.ref(column)}`
      : sql.ref(`events.${column}`),
  ),
)}, '[]' as cost, '{}' as custom_fields, ${sql.raw([...stateColumns, seriesColumn].join(', '))}`

/** The size of the long texts of an event in bytes. The indexes `records_keys` and `events_keys` have both of these sums. */
export const eventTextBytes = sql<number>`((${recordTextBytes}) + (${sql.raw(
  ['events.cost', 'events.custom_fields', ...longColumns]
    .map((column) => `coalesce(octet_length(${column}), 0)`)
    .join(' + '),
)}))`

/** A joined row with the shown columns. */
export type RenderedEventRow = RenderedRecordRow &
  Omit<EventRow, 'record_id' | 'tickets' | 'has_tickets'> & { readonly series_date?: string | null }

function eventFromRow(row: RecordRow & RenderedEventRow): CalendarEvent {
  return { ...renderedEventFromRow(row), title: row.title, content: row.content, excerpt: row.excerpt }
}

/** Returns the shown part of an event from a joined row, without linked items. */
export function renderedEventFromRow(row: RenderedEventRow): RenderedEvent {
  return {
    ...renderedRecordFromRow(row),
    start: row.start_local as LocalDateTime,
    end: row.end_local as LocalDateTime,
    // A newer time zone database may no longer have this zone. The instants are still correct.
    zone: parseZone(row.timezone) ?? { ...utcZone, name: row.timezone },
    startUtc: row.start_utc,
    endUtc: row.end_utc,
    isAllDay: row.is_all_day === 1,
    cost: JSON.parse(row.cost) as StoredCost,
    ...valueFields.fromRow(row),
    statusAt: row.status_at ?? undefined,
    previousStarts: JSON.parse(row.previous_starts) as readonly PreviousStart[],
    ...seriesDateOf(row.series_date),
    customFields: JSON.parse(row.custom_fields) as CalendarEvent['customFields'],
  }
}

/** Returns the series of an event and its path, from `seriesColumn`. */
function seriesDateOf(text: string | null | undefined): Pick<RenderedEvent, 'seriesId' | 'path'> {
  if (text === null || text === undefined) return { seriesId: undefined, path: undefined }
  const end = text.indexOf(' ')
  return { seriesId: Number(text.slice(0, end)), path: text.slice(end + 1) }
}

function rowFromFields(event: EventTimes & EventFields): Omit<EventRow, 'record_id' | 'custom_fields' | 'tickets'> {
  return {
    // First, because V8 copies only the first object of a literal in one step.
    ...valueFields.toRow(event),
    start_local: event.start,
    end_local: event.end,
    timezone: event.zone.name,
    start_utc: event.startUtc,
    end_utc: event.endUtc,
    is_all_day: event.isAllDay ? 1 : 0,
    cost: JSON.stringify(event.cost),
    status_at: event.statusAt ?? null,
    previous_starts: JSON.stringify(event.previousStarts),
    has_tickets: isTicketed(event.offers) ? 1 : 0,
  }
}

/** Returns the event with this id, in any status. Runs one query. */
export async function findEvent(db: Db, id: number): Promise<CalendarEvent | undefined> {
  if (!Number.isSafeInteger(id)) return undefined
  const [row] = await eventRows(db, { id }, 'event')
  return row && eventFromRow(row)
}

/** Returns the template of a series with this id. Its kind is that of the events that are made of it. Runs one query. */
export async function findTemplate(db: Db, id: number): Promise<CalendarEvent | undefined> {
  if (!Number.isSafeInteger(id)) return undefined
  const [row] = await eventRows(db, { id }, 'series')
  return row && eventFromRow({ ...row, kind: 'event' })
}

type StoredEventRow = RecordRow & EventRow & { readonly series_date: string | null }

const eventRows = compiledStatement<{ readonly id: number }, StoredEventRow, 'event' | 'series'>(
  ({ id }, _dialect, kind) =>
    // Not “=”, because SQLite then plans the join again for every value.
    sql<StoredEventRow>`
      select records.*, events.*, ${sql.raw(seriesColumn)} from records join events on events.record_id = records.id
      where records.id in (${id}) and records.kind = ${sql.lit(kind)}`,
)

/** Returns those of these events that exist, by id. Runs one query for each hundred. */
export async function findEvents(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, CalendarEvent>> {
  const found = new Map<number, CalendarEvent>()
  for (const some of statementBatches(ids)) {
    const { rows } = await sql<StoredEventRow>`
      select records.*, events.*, ${sql.raw(seriesColumn)} from records join events on events.record_id = records.id
      where ${dialectOf(db).isAmong(sql.ref('records.id'), some)} and records.kind = 'event'`.execute(db)
    for (const row of rows) found.set(row.id, eventFromRow(row))
  }
  return found
}

interface WithLinks {
  readonly areLinked?: boolean
  readonly memberships?: ReadonlyMap<number, SeriesMembership> | undefined
}

/**
 * Returns the events with the linked items that the viewer may see. Runs a fixed number of queries, however many events
 * are given.
 *
 * @param areLinked False if the events have no linked items but pictures and translations.
 * @param memberships The series of the events, if the caller has read them already.
 */
export async function withLinks(
  context: ReadContext,
  events: readonly RenderedEvent[],
  { areLinked = true, memberships: known }: WithLinks = {},
): Promise<readonly LinkedEvent[]> {
  const { db, viewer } = context
  const ids = events.map((event) => event.id)
  if (ids.length === 0) return []
  // In parallel: a database server answers over several connections, so the wait is that of the longest chain of
  // queries.
  const dates = events.flatMap(({ id, seriesId }) => (seriesId === undefined ? [] : id))
  const [linkedOf, pictures, translations, memberships] = await Promise.all([
    listLinked(context, listLinks(context, areLinked ? ids : [])),
    listPictures(
      db,
      events.flatMap((event) => event.imageId ?? []),
    ),
    viewer.language === undefined ? undefined : listTranslations(db, viewer.actor, ids),
    known ?? listMemberships(db, dates, viewer.actor),
  ])
  return events.map((event) => ({
    ...event,
    image: pictures.get(event.imageId ?? 0),
    ...linkedOf(event),
    ...(event.seriesId === undefined ? {} : { membership: memberships.get(event.id) }),
    ...(translations ? { translations: translations.get(event.id) ?? {} } : {}),
  }))
}

const insertRows = compiledInsert<EventRow>('events')

/** Adds the events of stored records, and returns them as `findEvent` does. */
export async function insertEvents(
  tx: Tx,
  events: readonly { readonly record: RecordRow; readonly own: EventTimes & EventFields }[],
): Promise<readonly CalendarEvent[]> {
  const rows = events.map(({ record, own }) => ({
    ...rowFromFields(own),
    record_id: record.id,
    custom_fields: '{}',
    tickets: '[]',
  }))
  await insertRows(tx, rows)
  return events.map(({ record }, place) => eventFromRow(asStored({ ...record, ...(rows[place] as EventRow) })))
}

/** Returns a row as a read gives it: databases store texts as UTF-8, which has no lone surrogates. */
function asStored<R extends object>(row: R): R {
  const isStored = (value: unknown) => typeof value !== 'string' || value.isWellFormed()
  if (Object.values(row).every(isStored)) return row
  const stored = Object.entries(row).map(([column, value]) => [column, isStored(value) ? value : value.toWellFormed()])
  return Object.fromEntries(stored) as R
}

/** Changes the times and fields of an event. It does not write unchanged columns. */
export async function updateEvent(
  tx: Tx,
  event: EventTimes & EventFields & Pick<CalendarEvent, 'id'>,
  changed: EventTimes & EventFields,
): Promise<void> {
  const changes = changedColumns(rowFromFields(event), rowFromFields(changed))
  if (Object.keys(changes).length === 0) return
  // Tickets that the operator sets stay.
  const hasTickets =
    changes.has_tickets === 0 ? { has_tickets: sql<Flag>`case when tickets = '[]' then 0 else 1 end` } : {}
  await tx
    .updateTable('events')
    .set({ ...changes, ...hasTickets })
    .where('record_id', '=', event.id)
    .execute()
}

/**
 * Links the event to exactly these venues or organizers, in this order. Does nothing if the links are already the same.
 */
export async function setLinks(tx: Tx, kind: EntryLinkKind, { eventId, ids }: EventLinks): Promise<void> {
  const linked = (await listLinkIds(tx, kind, [eventId])).get(eventId) ?? []
  if (linked.join() === ids.join()) return
  // Replaces all links at once, because the audit log records the whole list before and after.
  if (linked.length > 0) {
    if (kind === 'venue') await tx.deleteFrom('event_venues').where('event_id', '=', eventId).execute()
    else await tx.deleteFrom('event_organizers').where('event_id', '=', eventId).execute()
  }
  await insertLinks(tx, kind, [{ eventId, ids }])
}

const insertLinkRows = {
  venue: compiledInsert<Row<'event_venues'>>('event_venues'),
  organizer: compiledInsert<Row<'event_organizers'>>('event_organizers'),
}

/** Links events without venues, or without organizers, to these, in this order. */
export async function insertLinks(tx: Tx, kind: EntryLinkKind, links: readonly EventLinks[]): Promise<void> {
  const rows = links.flatMap(({ eventId, ids }) => ids.map((id, position) => ({ event_id: eventId, id, position })))
  if (kind === 'venue') {
    const linked = rows.map(({ id, ...row }) => ({ ...row, venue_id: id }))
    await insertLinkRows.venue(tx, linked)
  } else {
    const linked = rows.map(({ id, ...row }) => ({ ...row, organizer_id: id }))
    await insertLinkRows.organizer(tx, linked)
  }
}

/** Returns the ids of the venues or organizers of these events, in their order, by event. Runs one query. */
export async function listLinkIds(
  db: Db,
  kind: EntryLinkKind,
  eventIds: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows =
    kind === 'venue'
      ? await db
          .selectFrom('event_venues')
          .select(['event_id', 'venue_id as id'])
          .where('event_id', 'in', eventIds)
          .orderBy('position')
          .orderBy('venue_id')
          .execute()
      : await db
          .selectFrom('event_organizers')
          .select(['event_id', 'organizer_id as id'])
          .where('event_id', 'in', eventIds)
          .orderBy('position')
          .orderBy('organizer_id')
          .execute()
  const links = new Map<number, number[]>()
  for (const { event_id, id } of rows) links.set(event_id, [...(links.get(event_id) ?? []), id])
  return links
}
