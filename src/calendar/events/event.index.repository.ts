import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { preferenceBit } from '../../base/languages/preference.bits.ts'
import {
  type LocalDateTime,
  localDateTimeFromSeconds,
  secondsOfLocalDateTime,
} from '../../base/time/local.date.time.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import { FACETS } from '../../storage/database/facets.ts'
import { type EventListingTable, longestShortSeconds } from '../../storage/database/listings.ts'
import { plannedOnce } from '../../storage/database/parameters.ts'
import type { Db } from '../../storage/database/tables.ts'
import { maxOffsetSeconds, type StartRange, windowConditions } from './event.bounds.repository.ts'
import type { EventQuery } from './event.query.ts'
import type { Bound } from './event.window.ts'

/** Groups of what a list is filtered by, as facets; an event has to be in one of each. */
export type FacetFilters = readonly (readonly number[])[]

const columns = sql`start_local, dated_at, event_id`

/** More facets than this are sorted together: merging them would be many statements in one. */
const maxMergedFacets = 20
/** Engines bound the parameters of a statement, and in one that is merged each facet of the other filters stands often. */
const maxParameters = 3000

/**
 * The listings of what a visitor asks for, as a table to select from: times, and ids of events. They are read in the
 * order of the list from one facet of them, that of the first filter; what the listings do not know is asked of the
 * events themselves.
 *
 * @param words Conditions on the numbers of words, where the list is to be read from the index of them.
 */
export async function eventIndexFor(
  db: Db,
  dialect: Dialect,
  asked: EventQuery,
  words?: readonly RawBuilder<SqlBool>[],
): Promise<RawBuilder<Pick<EventListingTable, 'start_local' | 'dated_at' | 'event_id'>>> {
  const filters = await facetFiltersOf(db, dialect, asked)
  // Words are known once for each event, and not once for each facet.
  const [first = [FACETS.all], ...others] = words ? [[FACETS.all], ...filters] : filters
  const table = words ? sql`event_words` : sql`event_listings`
  const { bounds, isInUtc } = asked.window
  const conditions = (facets: readonly number[], within: StartRange, isLong: boolean) =>
    sql.join(
      [
        ...(words ? [] : [facetIsAmong('entry.facet', facets)]),
        sql`entry.shown_to & ${sql.lit(preferenceBit(asked.preference))} <> 0`,
        ...windowConditions('entry', { bounds, isInUtc, within, isByEnd: isLong }),
        ...others.map(hasFacet),
        ...(isLong ? [sql`entry.is_long = 1`] : []),
        // Last, as many numbers are compared: an engine asks what costs it the same in this order.
        ...(words ?? []),
      ],
      sql` and `,
    )
  // Each facet is in the order of the list already: several are merged, and what comes after the page is not read.
  const isShort = first.length * others.flat().length <= maxParameters
  const isMerged = first.length > 1 && first.length <= maxMergedFacets && isShort
  const ranges = isMerged ? first.map((facet) => [facet]) : [first]
  // An event may be in several facets of one filter.
  const chosen = first.length > 1 && !isMerged ? sql`distinct ${columns}` : columns
  const listed = (within: StartRange = {}, isLong = false) =>
    ranges.map((facets) => sql`select ${chosen} from ${table} entry where ${conditions(facets, within, isLong)}`)
  const earliest = earliestShortStart(bounds)
  const before = earliest && localDateTimeFromSeconds(secondsOfLocalDateTime(earliest) - 1)
  const parts = before ? [...listed({ from: earliest }), ...listed({ to: before }, true)] : listed()
  return sql`(${sql.join(parts, isMerged ? sql` union ` : sql` union all `)})`
}

/** The filters of a list that facets answer, one facet of each being enough; those that fewest events are likely to pass first. */
export async function facetFiltersOf(db: Db, dialect: Dialect, asked: EventQuery): Promise<FacetFilters> {
  const { venueIds, organizerIds, tagIds, categoryIds, isFeatured } = asked
  const filters = [
    await facetsOf(db, dialect, 'records', venueIds, FACETS.place),
    await facetsOf(db, dialect, 'records', organizerIds, FACETS.place),
    await facetsOf(db, dialect, 'terms', tagIds, FACETS.term),
    await facetsOf(db, dialect, 'terms', categoryIds, FACETS.term),
    isFeatured ? [FACETS.featured] : undefined,
  ].filter((facets) => facets !== undefined)
  return filters.toSorted((one, other) => Number(one.length > 1) - Number(other.length > 1))
}

/** The facets of these records or terms, that of a translated one being its group's. */
async function facetsOf(
  db: Db,
  dialect: Dialect,
  table: 'records' | 'terms',
  ids: readonly number[] | undefined,
  facetOf: (groupId: number) => number,
): Promise<readonly number[] | undefined> {
  if (!ids) return undefined
  // One is asked for with all its translations: where it is alone it has none.
  if (ids.length === 1) return ids.map(facetOf)
  const { rows } = await sql<{ id: number }>`
    select distinct coalesce(group_id, id) as id from ${sql.table(table)}
    where ${dialect.isAmong(sql.ref('id'), ids)} order by 1`.execute(db)
  return rows.map(({ id }) => facetOf(Number(id)))
}

function facetIsAmong(column: string, facets: readonly number[]): RawBuilder<SqlBool> {
  // No literals, so that all facets share one statement, but where there are too many of them.
  const [first, ...others] = facets.map(facets.length > maxParameters ? (facet) => sql.lit(facet) : plannedOnce)
  if (first === undefined) return sql<SqlBool>`1 = 0`
  return others.length === 0
    ? sql<SqlBool>`${sql.ref(column)} = ${first}`
    : sql<SqlBool>`${sql.ref(column)} in (${sql.join([first, ...others])})`
}

// Looked up by the key, where neighbours of the list are neighbours: the sign keeps SQLite from the index of events. Not
// “exists”, for which PostgreSQL would rather read the whole facet.
function hasFacet(facets: readonly number[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`1 = (select 1 from event_listings other where ${facetIsAmong('other.facet', facets)}
    and other.start_local = entry.start_local and other.dated_at = entry.dated_at
    and +other.event_id = entry.event_id limit 1)`
}

/**
 * Of what has a bound on its end and none on its start, everything short starts after this; what is longer is found by
 * its end. Undefined where the start is bounded anyway.
 */
export function earliestShortStart(bounds: readonly Bound[]): LocalDateTime | undefined {
  const isLower = ({ operator }: Bound) => operator.startsWith('>')
  const [end] = bounds.filter((bound) => bound.edge === 'end' && isLower(bound))
  if (!end || bounds.some((bound) => bound.edge === 'start' && isLower(bound))) return undefined
  // Twice the offset: of the bound, and of an event that begins in another one than it ends in.
  return localDateTimeFromSeconds(
    secondsOfLocalDateTime(end.localDateTime) - longestShortSeconds - 2 * maxOffsetSeconds,
  )
}
