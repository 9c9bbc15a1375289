import { sql } from 'kysely'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'
import { FACETS, type FacetFilters } from './event.index.ts'

/** The filters of a list by links. An event must link to at least one item of each filter. */
export interface LinkFilters {
  readonly venueIds?: readonly number[] | undefined
  readonly organizerIds?: readonly number[] | undefined
  readonly tagIds?: readonly number[] | undefined
  readonly categoryIds?: readonly number[] | undefined
  readonly isFeatured?: boolean | undefined
}

/** Returns the filters of a list as facets. The filters that probably match the fewest events come first. */
export async function facetFilters(
  source: { readonly db: Db; readonly dialect: Dialect },
  { venueIds, organizerIds, tagIds, categoryIds, isFeatured }: LinkFilters,
): Promise<FacetFilters> {
  const facetsOf = async (table: 'records' | 'terms', ids: readonly number[] | undefined) =>
    ids && (await groupIds(source, table, ids)).map(table === 'terms' ? FACETS.term : FACETS.place)
  const filters = [
    await facetsOf('records', venueIds),
    await facetsOf('records', organizerIds),
    await facetsOf('terms', tagIds),
    await facetsOf('terms', categoryIds),
    isFeatured ? [FACETS.featured] : undefined,
  ].filter((facets) => facets !== undefined)
  return filters.toSorted((one, other) => Number(one.length > 1) - Number(other.length > 1))
}

/** Returns the translation groups of these records or terms. An item without translations is a group of its own. */
async function groupIds(
  { db, dialect }: { readonly db: Db; readonly dialect: Dialect },
  table: 'records' | 'terms',
  ids: readonly number[],
): Promise<readonly number[]> {
  // A filter names all versions of a group, so a single id has no others.
  if (ids.length < 2) return ids
  const { rows } = await sql<{ id: number }>`
    select distinct coalesce(group_id, id) as id from ${sql.table(table)}
    where ${dialect.isAmong(sql.ref('id'), ids)} order by 1`.execute(db)
  return rows.map(({ id }) => Number(id))
}
