import { sql } from 'kysely'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'
import { linkFilters } from '../events/event.list.plan.ts'
import { firstPlaceOf, lastPlaceOf } from '../index/event.index.ts'
import { hasFacets } from '../index/index.entries.repository.ts'
import { type Affected, ANNOUNCED } from './cancellation.ts'

interface CandidateQuery {
  readonly db: Db
  readonly dialect: Dialect
  readonly affected: Affected
}

/**
 * Returns the events that a request may mean: those of its days with its links, in any state and of any author. Events
 * that the open transaction has changed are added, because the event index is derived at its end.
 */
export async function listCandidates({ db, dialect, affected }: CandidateQuery): Promise<readonly number[]> {
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
