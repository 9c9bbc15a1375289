import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../access/auth/actor.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { compiledInsert } from '../../storage/database/compiled.statement.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { editableBy, isUnmaskedFor, readableBy } from '../records/record.visibility.ts'
import {
  type Affected,
  ANNOUNCED,
  type CanceledEvent,
  type Cancellation,
  type CancellationStatus,
  type StateChange,
  type StateColumns,
  type StatedEvent,
} from './cancellation.ts'

/** Who asks for which events, and for what. */
export interface AffectedQuery {
  readonly db: Db
  readonly dialect: Dialect
  readonly actor: Actor
  readonly affected: Affected
  readonly eventStatus: CancellationStatus
  /** Whole seconds since 1970, UTC. */
  readonly at: number
}

/** Rows per statement: each may have a reason of a few kilobytes. */
const rowsAtOnce = 500

/** Returns the conditions of a request on `events` and `records`. */
function conditionsOf({ dialect, actor, affected, eventStatus, at }: AffectedQuery): RawBuilder<SqlBool> {
  const linked = (table: string, column: string, ids: readonly number[] | undefined) =>
    ids
      ? [
          sql<SqlBool>`exists (select 1 from ${sql.table(table)} link where link.event_id = events.record_id
            and ${dialect.isAmong(sql.ref(`link.${column}`), ids)})`,
        ]
      : []
  const links = [
    ...linked('event_venues', 'venue_id', affected.venueIds),
    ...linked('event_organizers', 'organizer_id', affected.organizerIds),
    ...linked('event_terms', 'term_id', affected.categoryIds),
    ...linked('event_terms', 'term_id', affected.tagIds),
  ]
  // An event that is over cannot become postponed.
  const isPastOut = !affected.hasPast || eventStatus === 'postponed'
  const conditions = [
    sql<SqlBool>`records.kind = 'event'`,
    sql<SqlBool>`events.start_local >= ${affected.from} and events.start_local <= ${affected.to}`,
    ...(isPastOut ? [sql<SqlBool>`events.end_utc >= ${at}`] : []),
    ...links,
    readableBy('records', actor, ANNOUNCED),
    // A password hides links, so a count by links must not reveal them.
    ...(links.length > 0 ? [isUnmaskedFor('records', actor)] : []),
  ]
  return sql.join(conditions, sql` and `)
}

/** Whether an event has the status already. A canceled event does not become postponed. */
function isUnchanged({ eventStatus }: AffectedQuery): RawBuilder<SqlBool> {
  return sql<SqlBool>`events.event_status in (${sql.join([...new Set([eventStatus, 'canceled'])])})`
}

/** An event that a request means. */
interface AffectedEvent {
  readonly id: number
  /** Whether it has the status already. */
  readonly isUnchanged: boolean
  /** Whether the caller may change it. */
  readonly isEditable: boolean
}

/** Returns the events among these that a request means. Runs one query. */
export async function listAffected(query: AffectedQuery, ids: readonly number[]): Promise<readonly AffectedEvent[]> {
  const { db, dialect, actor } = query
  const { rows } = await sql<{ id: number; is_unchanged: number; is_editable: number }>`
    select records.id, case when ${isUnchanged(query)} then 1 else 0 end as is_unchanged,
      case when ${editableBy('records', actor)} then 1 else 0 end as is_editable
    from events join records on records.id = events.record_id
    where ${dialect.isAmong(sql.ref('events.record_id'), ids)} and ${dialect.isAmong(sql.ref('records.id'), ids)}
      and ${conditionsOf(query)}`.execute(db)
  return rows.map((row) => ({ id: row.id, isUnchanged: row.is_unchanged === 1, isEditable: row.is_editable === 1 }))
}

type StatedRow = StateColumns & {
  readonly id: number
  readonly group_id: number | null
  readonly language: string
  readonly author_id: number
  readonly status: string
  readonly title_html: string
  readonly start_local: string
  readonly end_local: string
  readonly timezone: string
  readonly start_utc: number
  readonly end_utc: number
}

/** Returns these events, the earliest first. Runs one query. */
export async function listStatedEvents(
  db: Db,
  dialect: Dialect,
  ids: readonly number[],
): Promise<readonly StatedEvent[]> {
  const { rows } = await sql<StatedRow>`
    select records.id, records.group_id, records.language, records.author_id, records.status, records.title_html,
      events.start_local, events.end_local, events.timezone, events.start_utc, events.end_utc,
      events.event_status, events.status_reason, events.status_at, events.previous_starts, events.attendance
    from records join events on events.record_id = records.id
    where ${dialect.isAmong(sql.ref('records.id'), ids)} and ${dialect.isAmong(sql.ref('events.record_id'), ids)}
    order by events.start_local, records.id`.execute(db)
  return rows.map(({ event_status, status_reason, status_at, previous_starts, attendance, ...row }) => ({
    id: row.id,
    groupId: row.group_id ?? row.id,
    language: row.language,
    authorId: row.author_id,
    status: row.status,
    titleHtml: row.title_html,
    start: row.start_local as LocalDateTime,
    end: row.end_local as LocalDateTime,
    timezone: row.timezone,
    startUtc: row.start_utc,
    endUtc: row.end_utc,
    state: { event_status, status_reason, status_at, previous_starts, attendance },
  }))
}

/** Writes the states of events. The number of statements grows by one for 500 events. */
export async function updateStates(tx: Tx, dialect: Dialect, changes: readonly StateChange[]): Promise<void> {
  for (const rows of batchesOf(changes.map(({ event, after }) => ({ id: event.id, ...after })))) {
    await sql`update events set
        event_status = given.value ->> 'event_status', status_reason = given.value ->> 'status_reason',
        status_at = cast(given.value ->> 'status_at' as bigint),
        previous_starts = given.value ->> 'previous_starts', attendance = given.value ->> 'attendance'
      from ${dialect.jsonRows(rows)} given
      where events.record_id = cast(given.value ->> 'id' as bigint)`.execute(tx)
  }
}

const insertCanceledEvents = compiledInsert<{
  cancellation_id: number
  event_id: number
  before: string
  after: string
  undone_at: number | null
}>('canceled_events')

/** Adds a request with what it changed, and returns its id. */
export async function insertCancellation(
  tx: Tx,
  { at, userId, status }: Omit<Cancellation, 'id'>,
  changes: readonly StateChange[],
): Promise<number> {
  const { id } = await tx
    .insertInto('cancellations')
    .values({ at, user_id: userId ?? null, event_status: status, undone_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertCanceledEvents(
    tx,
    changes.map(({ event, after }) => ({
      ...{ cancellation_id: id, event_id: event.id, undone_at: null },
      ...{ before: JSON.stringify(event.state), after: JSON.stringify(after) },
    })),
  )
  return id
}

/** Returns the request with this id, if it is not older than this second. */
export async function findCancellation(db: Db, id: number, since: number): Promise<Cancellation | undefined> {
  const row = await db
    .selectFrom('cancellations')
    .selectAll()
    .where('id', '=', id)
    .where('at', '>=', since)
    .executeTakeFirst()
  return row && { id, at: row.at, userId: row.user_id ?? undefined, status: row.event_status as CancellationStatus }
}

/** Returns what a request did to events, without those for which it was undone. */
export async function listCanceledEvents(db: Db, id: number): Promise<readonly CanceledEvent[]> {
  const rows = await db
    .selectFrom('canceled_events')
    .select(['event_id', 'before', 'after'])
    .where('cancellation_id', '=', id)
    .where('undone_at', 'is', null)
    .orderBy('event_id')
    .execute()
  return rows.map(({ event_id, before, after }) => ({
    eventId: event_id,
    before: JSON.parse(before) as StateColumns,
    after: JSON.parse(after) as StateColumns,
  }))
}

/** Notes that a request was undone for these events. */
export async function markUndone(
  tx: Tx,
  dialect: Dialect,
  { id, eventIds, at }: { readonly id: number; readonly eventIds: readonly number[]; readonly at: number },
): Promise<void> {
  await tx.updateTable('cancellations').set({ undone_at: at }).where('id', '=', id).execute()
  await sql`update canceled_events set undone_at = ${at}
    where cancellation_id = ${id} and ${dialect.isAmong(sql.ref('event_id'), eventIds)}`.execute(tx)
}

/** Whether there are requests from before this second. Costs one index lookup. */
export async function hasCancellationBefore(db: Db, at: number): Promise<boolean> {
  return (await db.selectFrom('cancellations').select('id').where('at', '<', at).limit(1).execute()).length > 0
}

/** Removes the oldest requests from before this second. @returns how many were removed. */
export async function removeCancellationsBefore(tx: Tx, at: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from cancellations where id in (
    select id from cancellations where at < ${at} order by at, id limit ${limit})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

function batchesOf<T>(rows: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(rows.length / rowsAtOnce)
  return Array.from({ length: count }, (_, place) => rows.slice(place * rowsAtOnce, (place + 1) * rowsAtOnce))
}
