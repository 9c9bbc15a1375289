import { type SqlBool, sql } from 'kysely'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'
import { FACETS } from '../index/event.index.ts'
import { IdSet } from '../index/id.set.ts'
import { dayOfStart } from '../index/indexed.event.repository.ts'
import { readSetParts } from '../index/set.parts.repository.ts'
import { placeOfDay } from '../index/set.segments.ts'
import { CombinedSets, type SetFilter } from '../index/set.selection.ts'
import { listGroupIds } from '../translations/group.repository.ts'
import { type Affected, ANNOUNCED } from './cancellation.ts'

interface CandidateQuery {
  readonly db: Db
  readonly dialect: Dialect
  readonly affected: Affected
}

/**
 * Returns the events that a request may mean: those of its days with its links, in any state and of any author. They
 * are found in the sets of the event index, without reading any event. Events that the open transaction has changed are added,
 * because their sets are derived at its end. Runs at most six queries.
 */
export async function listCandidates(query: CandidateQuery): Promise<readonly number[]> {
  const { db, dialect, affected } = query
  if (affected.eventIds) return affected.eventIds
  const days = { first: dayOfStart(affected.from), last: dayOfStart(affected.to) }
  const filters = await linkFilters(query)
  const asked = filters.length > 0 ? filters : [{ facets: [FACETS.all] }]
  const places = { from: placeOfDay(days.first), to: placeOfDay(days.last + 1) - 1 }
  const parts = await readSetParts(
    { db, dialect },
    {
      facets: [...new Set(asked.flatMap(({ facets }) => facets))],
      isOfClass: sql<SqlBool>`(status in (${sql.join(ANNOUNCED)}))`,
      ...{ places, longPlaces: places },
    },
  )
  const certainDays = { possible: days, possibleLong: days, certain: days, certainLong: days }
  const none = { among: [], except: [], added: new IdSet(), removed: new IdSet() }
  const found = new IdSet()
  const sets = new CombinedSets({ parts, filters: asked, days: certainDays, ...none })
  sets.visit(({ ids, length }) => found.addAll(ids, length))
  const { rows } = await sql<{ event_id: number }>`select event_id from stale_events`.execute(db)
  return [...new Set([...found, ...rows.map(({ event_id }) => event_id)])]
}

/** Returns the filters by links. Translations of each other count as one, by the id of their group. */
async function linkFilters({ db, affected }: CandidateQuery): Promise<readonly SetFilter[]> {
  const filters: SetFilter[] = []
  for (const [table, facetOf, ids] of [
    ['records', FACETS.place, affected.venueIds],
    ['records', FACETS.place, affected.organizerIds],
    ['terms', FACETS.term, affected.categoryIds],
    ['terms', FACETS.term, affected.tagIds],
  ] as const) {
    if (ids) filters.push({ facets: (await listGroupIds(db, { table, ids })).map(facetOf) })
  }
  return filters
}
