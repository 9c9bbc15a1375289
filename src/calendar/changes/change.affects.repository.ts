import { sql } from 'kysely'
import { compiledStatement } from '../../storage/database/compiled.statement.ts'
import type { Db } from '../../storage/database/tables.ts'
import { classFromKey, ownVersion } from '../index/event.classes.ts'
import { FACETS } from '../index/event.index.ts'

interface SizeRow {
  readonly facet: number
  readonly class: string
  readonly number: number
}

/**
 * Returns how many events of the feed show each of these venues and organizers, by their groups of translations. A
 * password hides venues and organizers, so protected events do not count. Runs at most one query, which reads the sizes
 * of sets and no events.
 */
export async function countEventsOfEntries(db: Db, groupIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (groupIds.length === 0) return new Map()
  const groupByFacet = new Map(groupIds.map((id) => [FACETS.place(id), id]))
  const counts = new Map<number, number>()
  for (const row of await setSizes(db, { facets: [...groupByFacet.keys()] })) {
    const shown = classFromKey(row.class)
    if (shown.isHidden || shown.isProtected || ownVersion(shown).status !== 'publish') continue
    const id = groupByFacet.get(Number(row.facet)) ?? 0
    counts.set(id, (counts.get(id) ?? 0) + Number(row.number))
  }
  return counts
}

const setSizes = compiledStatement<{ readonly facets: readonly number[] }, SizeRow>(
  ({ facets }, dialect) => sql<SizeRow>`
    select facet, class, sum(size) as number from event_sets
    where ${dialect.isAmong(sql.ref('facet'), facets)} group by facet, class`,
)
