import { sql } from 'kysely'
import type { SeriesMembership } from '../../occurrences/occurrence.ts'
import type { StatusFilter } from '../../records/record.arguments.ts'
import { readableBy } from '../../records/record.visibility.ts'
import type { ReadContext } from '../../translations/viewer.ts'
import {
  eventOutlineColumns,
  type RenderedEventRow,
  renderedEventColumns,
  renderedEventFromRow,
  withLinks,
} from '../event.repository.ts'
import type { LinkedEvent } from '../model/event.ts'

/** The events of a page to read, and how much of each. An outline has neither texts nor a picture. */
export interface EventsByIdsQuery {
  /** Ids, in the order of the page. */
  readonly ids: readonly number[]
  readonly status: StatusFilter | undefined
  readonly isOutline: boolean
  /** The series of the events, if the caller has read them already. */
  readonly memberships?: ReadonlyMap<number, SeriesMembership> | undefined
}

/**
 * Returns the events of an earlier listed page, in its order. It omits events that the caller may no longer read or
 * that lists no longer show. Runs a fixed number of queries.
 */
export async function listEventsByIds(
  { db, dialect, viewer }: ReadContext,
  { ids, status, isOutline, memberships }: EventsByIdsQuery,
): Promise<readonly LinkedEvent[]> {
  // Looks up both tables by the ids. Otherwise PostgreSQL scans one of them for the join.
  const { rows } = await sql<RenderedEventRow>`
    select ${isOutline ? eventOutlineColumns : renderedEventColumns}
    from records join events on events.record_id = records.id
    where ${dialect.isAmong(sql.ref('records.id'), ids)} and ${dialect.isAmong(sql.ref('events.record_id'), ids)}
      and events.is_hidden = 0 and ${readableBy('records', viewer.actor, status)}`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const inOrder = ids.flatMap((id) => byId.get(id) ?? [])
  return withLinks({ db, dialect, viewer }, inOrder.map(renderedEventFromRow), { memberships })
}
