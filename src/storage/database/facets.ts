import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * The numbers of facets: all events, the featured ones, and those with a term, venue or organizer. What is translated
 * counts as one, under the id of its group.
 */
export const FACETS = {
  all: 0,
  featured: 1,
  term: (groupId: number) => groupId * 4 + 2,
  place: (groupId: number) => groupId * 4 + 3,
} as const

/**
 * Whether a listing is that of its event among all. Not to be looked for by its facet, which every event has: the sign
 * keeps SQLite from reading the listings of all events for those of a few.
 */
export function isOfAll(column: string): RawBuilder<SqlBool> {
  return sql`+${sql.ref(column)} = ${sql.lit(FACETS.all)}`
}
