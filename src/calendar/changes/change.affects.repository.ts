import { sql } from 'kysely'
import { compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import type { Db } from '../../storage/database/tables.ts'
import { FACETS } from '../index/event.index.ts'

/**
 * Returns how many events of the feed show each of these venues and organizers, by their groups of translations. A
 * password hides venues and organizers, so protected events do not count. Runs at most one query.
 */
export async function countEventsOfEntries(db: Db, groupIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (groupIds.length === 0) return new Map()
  const groupByFacet = new Map(groupIds.map((id) => [FACETS.place(id), id]))
  const rows = await publicNumbers(db, { facets: [...groupByFacet.keys()] })
  return new Map(rows.map(({ facet, number }) => [groupByFacet.get(Number(facet)) ?? 0, Number(number)]))
}

const publicNumbers = compiledStatement<
  { readonly facets: readonly number[] },
  { readonly facet: number; readonly number: number }
>(
  ({ facets }, dialect) => sql`
    select facet, count(*) as number from event_facets join listed_events entry on entry.place = event_facets.place
    where ${dialect.isAmong(sql.ref('facet'), facets)} and status = 'publish' and is_protected = 0 and is_hidden = 0
    group by facet`,
)
