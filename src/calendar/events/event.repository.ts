import { sql } from 'kysely'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { parseZone, utcZone } from '../../base/time/zone.ts'
import { changedColumns } from '../../storage/database/changed.columns.ts'
import { inStatements } from '../../storage/database/rows.ts'
import type { Db, EventRow, EventTable, RecordRow, Tx } from '../../storage/database/tables.ts'
import { listPictures } from '../media/media.repository.ts'
import {
  type RenderedRecordRow,
  recordFromRow,
  recordOutlineColumns,
  recordTextBytes,
  renderedRecordColumns,
  renderedRecordFromRow,
} from '../records/record.repository.ts'
import type { RecordId } from '../records/record.ts'
import { listTranslations } from '../records/record.versions.repository.ts'
import type { ReadContext } from '../translations/viewer.ts'
import type { StoredCost } from './event.cost.ts'
import { valueFields } from './event.fields.ts'
import { listLinked } from './event.linked.repository.ts'
import type { CalendarEvent, EventFields, EventTimes, LinkedEvent, RenderedEvent } from './event.ts'

type EntryLinkKind = 'venue' | 'organizer'

/** An event and the ids of its venues or organizers, in their order. */
interface EventLinks {
  readonly eventId: number
  readonly ids: readonly number[]
}

const timeColumns = ['start_local', 'end_local', 'timezone', 'start_utc', 'end_utc', 'is_all_day'].map(
  (name) => `events.${name}`,
)
const valueRows = Object.values(valueFields.fields)
const longColumns = valueRows.flatMap(({ isLong, column }) => (isLong ? [`events.${column}`] : []))

/** What is shown of an event, as SQL on the two tables by their own names. */
export const renderedEventColumns = sql`${renderedRecordColumns}, ${sql.raw(
  [...timeColumns, ...valueRows.map(({ column }) => `events.${column}`), 'events.cost', 'events.custom_fields'].join(
    ', ',
  ),
)}`

/** The same without what may be long: what it is called, what it says, its picture, its cost and what others added. */
export const eventOutlineColumns = sql`${recordOutlineColumns}, ${sql.raw(timeColumns.join(', '))}, ${sql.join(
  valueRows.map(({ isLong, column, toStored, blank }) =>
    isLong
      ? sql`${sql.lit((toStored as (value: unknown) => string | null)(blank))} as ${sql.ref(column)}`
      : sql.ref(`events.${column}`),
  ),
)}, '[]' as cost, '{}' as custom_fields`

/** What the long texts of an event take, in octets. */
export const eventTextBytes = sql<number>`(${recordTextBytes} + ${sql.raw(
  ['events.cost', 'events.custom_fields', ...longColumns]
    .map((column) => `coalesce(octet_length(${column}), 0)`)
    .join(' + '),
)})`

/** A joined row, as far as it is shown. */
export type RenderedEventRow = RenderedRecordRow & Omit<EventRow, 'record_id' | 'tickets' | 'has_tickets'>

/** A joined row as an event. */
function eventFromRow(row: RecordRow & EventRow): CalendarEvent {
  return { ...recordFromRow(row), ...renderedEventFromRow(row) }
}

/** What is shown of an event by itself, of a joined row. */
export function renderedEventFromRow(row: RenderedEventRow): RenderedEvent {
  return {
    ...renderedRecordFromRow(row),
    start: row.start_local as LocalDateTime,
    end: row.end_local as LocalDateTime,
    // A zone that a newer time zone database has dropped: the instants are still right.
    zone: parseZone(row.timezone) ?? { ...utcZone, name: row.timezone },
    startUtc: row.start_utc,
    endUtc: row.end_utc,
    isAllDay: row.is_all_day === 1,
    cost: JSON.parse(row.cost) as StoredCost,
    ...valueFields.fromRow(row),
    customFields: JSON.parse(row.custom_fields) as CalendarEvent['customFields'],
  }
}

function rowFromFields(
  event: EventTimes & EventFields,
): Omit<EventTable, 'record_id' | 'custom_fields' | 'tickets' | 'has_tickets'> {
  return {
    start_local: event.start,
    end_local: event.end,
    timezone: event.zone.name,
    start_utc: event.startUtc,
    end_utc: event.endUtc,
    is_all_day: event.isAllDay ? 1 : 0,
    cost: JSON.stringify(event.cost),
    ...valueFields.toRow(event),
  }
}

/** The event with this id, in whatever status. One query. */
export async function findEvent(db: Db, id: number): Promise<CalendarEvent | undefined> {
  if (!Number.isSafeInteger(id)) return undefined
  const row = await db
    .selectFrom('records')
    .innerJoin('events', 'events.record_id', 'records.id')
    .selectAll()
    // Not “=”, which makes SQLite plan a join anew for every value.
    .where('records.id', 'in', [id])
    .executeTakeFirst()
  return row && eventFromRow(row)
}

/** The events with all that the viewer is shown with them. A fixed number of queries, however many events there are. */
export async function withLinks(
  context: ReadContext,
  events: readonly RenderedEvent[],
): Promise<readonly LinkedEvent[]> {
  const { db, viewer } = context
  const ids = events.map((event) => event.id)
  if (ids.length === 0) return []
  // All at once: a server is asked over several connections, and waited for as often as one thing follows from another.
  const [linkedOf, pictures, translations] = await Promise.all([
    listLinked(context, ids),
    listPictures(
      db,
      events.flatMap((event) => event.imageId ?? []),
    ),
    viewer.language === undefined ? undefined : listTranslations(db, viewer.actor, ids),
  ])
  return events.map((event) => ({
    ...event,
    image: pictures.get(event.imageId ?? 0),
    ...linkedOf(event),
    ...(translations ? { translations: translations.get(event.id) ?? {} } : {}),
  }))
}

/** Adds the events to records that are there. */
export async function insertEvents(
  tx: Tx,
  events: readonly (EventTimes & EventFields & { readonly id: RecordId })[],
): Promise<void> {
  for (const some of inStatements(events)) {
    const rows = some.map((event) => ({
      record_id: event.id,
      ...rowFromFields(event),
      custom_fields: '{}',
      tickets: '[]',
      has_tickets: 0 as const,
    }))
    await tx.insertInto('events').values(rows).execute()
  }
}

/** Gives an event other times and fields: what stays as it was is not written. */
export async function updateEvent(
  tx: Tx,
  event: EventTimes & EventFields & Pick<CalendarEvent, 'id'>,
  changed: EventTimes & EventFields,
): Promise<void> {
  const changes = changedColumns(rowFromFields(event), rowFromFields(changed))
  if (Object.keys(changes).length === 0) return
  await tx.updateTable('events').set(changes).where('record_id', '=', event.id).execute()
}

/** Links the event to these venues or organizers and no others, in this order. Links that are so already stay. */
export async function setLinks(tx: Tx, kind: EntryLinkKind, { eventId, ids }: EventLinks): Promise<void> {
  const linked = (await listLinkIds(tx, kind, [eventId])).get(eventId) ?? []
  if (linked.join() === ids.join()) return
  // All of them anew, or none: what is recorded of the change is the whole list before and after.
  if (linked.length > 0) {
    if (kind === 'venue') await tx.deleteFrom('event_venues').where('event_id', '=', eventId).execute()
    else await tx.deleteFrom('event_organizers').where('event_id', '=', eventId).execute()
  }
  await insertLinks(tx, kind, [{ eventId, ids }])
}

/** Links events that have no venues, or no organizers, to these, in this order. */
export async function insertLinks(tx: Tx, kind: EntryLinkKind, links: readonly EventLinks[]): Promise<void> {
  const rows = links.flatMap(({ eventId, ids }) => ids.map((id, position) => ({ event_id: eventId, id, position })))
  for (const some of inStatements(rows)) {
    if (kind === 'venue') {
      const linked = some.map(({ id, ...row }) => ({ ...row, venue_id: id }))
      await tx.insertInto('event_venues').values(linked).execute()
    } else {
      const linked = some.map(({ id, ...row }) => ({ ...row, organizer_id: id }))
      await tx.insertInto('event_organizers').values(linked).execute()
    }
  }
}

/** Ids of the venues or organizers of these events, in their order, by event. One query. */
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

/** Whether any version of a venue or organizer of these events is a draft or pending. One query. */
export async function hasUnpublishedLinks(db: Db, eventIds: readonly number[]): Promise<boolean> {
  const { rows } = await sql`
    select 1 from (
      select venue_id as id from event_venues where event_id in (${sql.join(eventIds)})
      union select organizer_id from event_organizers where event_id in (${sql.join(eventIds)})
    ) linked
    join records given on given.id = linked.id
    join records version on version.id = given.id or version.group_id = given.group_id
    where version.status in ('draft', 'pending') limit 1`.execute(db)
  return rows.length > 0
}
