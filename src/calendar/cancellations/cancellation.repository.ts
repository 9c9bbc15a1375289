import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../access/auth/actor.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { linkFilters } from '../events/list/list.plan.ts'
import { firstPlaceOf, lastPlaceOf } from '../index/event.index.ts'
import { hasFacets } from '../index/index.entries.repository.ts'
import { editableBy, isUnmaskedFor, readableBy } from '../records/record.visibility.ts'
import { type Affected, ANNOUNCED, type StateChange } from './cancellation.ts'

/** Who asks for events. */
export interface AffectedQuery {
  readonly db: Db
  readonly dialect: Dialect
  readonly actor: Actor
  /** Whole seconds since 1970, UTC. */
  readonly at: number
}

/** Rows per statement: each may have a reason of a few kilobytes. */
const rowsAtOnce = 500

/**
 * Returns the events that a request may mean: those of its days with its links, in any state and of any author. Events
 * that the open transaction has changed are added, because the event index is derived at its end.
 */
export async function listCandidates({ db, dialect }: AffectedQuery, affected: Affected): Promise<readonly number[]> {
  if (affected.eventIds) return affected.eventIds
  const within = { from: firstPlaceOf(affected.from), to: lastPlaceOf(affected.to) }
  const { venueIds, organizerIds, categoryIds, tagIds } = affected
  const filters = (await linkFilters({ db }, { venueIds, organizerIds, categoryIds, tagIds })).map((filter) =>
    hasFacets(filter, dialect)('entry', within),
  )
  const { rows } = await sql<{ event_id: number }>`
    select event_id from listed_events entry where place between ${within.from} and ${within.to}
      and status in (${sql.join(ANNOUNCED)}) ${sql.join([sql``, ...filters], sql` and `)}
    union select event_id from stale_events`.execute(db)
  return rows.map((row) => row.event_id)
}

/** Returns the conditions of a request on `events` and `records`. */
function conditionsOf({ dialect, actor, at }: AffectedQuery, affected: Affected): RawBuilder<SqlBool> {
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
  const conditions = [
    sql<SqlBool>`records.kind = 'event'`,
    sql<SqlBool>`events.start_local >= ${affected.from} and events.start_local <= ${affected.to}`,
    ...(affected.hasPast ? [] : [sql<SqlBool>`events.end_utc >= ${at}`]),
    ...links,
    readableBy('records', actor, ANNOUNCED),
    // A password hides links, so a count by links must not reveal them.
    ...(links.length > 0 ? [isUnmaskedFor('records', actor)] : []),
  ]
  return sql.join(conditions, sql` and `)
}

/** An event that a request means. */
interface AffectedEvent {
  readonly id: number
  readonly eventStatus: string
  /** Whether the caller may change it. */
  readonly isEditable: boolean
}

/** Returns the events among these that a request means. Runs one query. */
export async function listAffected(
  query: AffectedQuery,
  affected: Affected,
  ids: readonly number[],
): Promise<readonly AffectedEvent[]> {
  const { db, dialect, actor } = query
  const { rows } = await sql<{ id: number; event_status: string; is_editable: number }>`
    select records.id, events.event_status,
      case when ${editableBy('records', actor)} then 1 else 0 end as is_editable
    from events join records on records.id = events.record_id
    where ${dialect.isAmong(sql.ref('events.record_id'), ids)} and ${dialect.isAmong(sql.ref('records.id'), ids)}
      and ${conditionsOf(query, affected)}`.execute(db)
  return rows.map((row) => ({ id: row.id, eventStatus: row.event_status, isEditable: row.is_editable === 1 }))
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

function batchesOf<T>(rows: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(rows.length / rowsAtOnce)
  return Array.from({ length: count }, (_, place) => rows.slice(place * rowsAtOnce, (place + 1) * rowsAtOnce))
}
