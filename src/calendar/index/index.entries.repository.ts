import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { preferenceBit } from '../../base/languages/preference.bits.ts'
import {
  type LocalDateTime,
  localDateTimeFromSeconds,
  secondsOfLocalDateTime,
} from '../../base/time/local.date.time.ts'
import { plannedOnce } from '../../storage/database/parameters.ts'
import { FACETS, type IndexEntry, type IndexQuery, longestShortSeconds, type TimeBound } from './event.index.ts'
import { maxOffsetSeconds, type StartRange, windowConditions } from './time.window.repository.ts'

const columns = sql`start_local, dated_at, event_id`

/** More facets than this are sorted together: merging them would be many statements in one. */
const maxMergedFacets = 20
/** Engines bound the parameters of a statement, and in one that is merged each facet of the other filters stands often. */
const maxParameters = 3000

/** A table that has one row for each event, with the columns of the event index but for the facet, and further conditions. */
export interface OtherIndex {
  readonly table: RawBuilder<unknown>
  /** On its rows, which are called `entry`. */
  readonly conditions: readonly RawBuilder<SqlBool>[]
}

/**
 * The entries that a visitor's list is made of, as a table to select from. They are read in the order of the list from
 * one facet of them, that of the first filter.
 *
 * @param other Where the list is to be read from another table than the event index.
 */
export function indexEntries(
  { facets: filters, window, preference }: Pick<IndexQuery, 'facets' | 'window' | 'preference'>,
  other?: OtherIndex,
): RawBuilder<IndexEntry> {
  // The other table has each event once, and not once for each facet.
  const [first = [FACETS.all], ...others] = other ? [[FACETS.all], ...filters] : filters
  const table = other?.table ?? sql`event_listings`
  const { bounds, isInUtc } = window
  const conditions = (facets: readonly number[], within: StartRange, isLong: boolean) =>
    sql.join(
      [
        ...(other ? [] : [facetIsAmong('entry.facet', facets)]),
        sql`entry.shown_to & ${sql.lit(preferenceBit(preference))} <> 0`,
        ...windowConditions('entry', { bounds, isInUtc, within, isByEnd: isLong }),
        ...others.map(hasFacet),
        ...(isLong ? [sql`entry.is_long = 1`] : []),
        // Last, as many numbers are compared: an engine asks what costs it the same in this order.
        ...(other?.conditions ?? []),
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
export function earliestShortStart(bounds: readonly TimeBound[]): LocalDateTime | undefined {
  const isLower = ({ operator }: TimeBound) => operator.startsWith('>')
  const [end] = bounds.filter((bound) => bound.edge === 'end' && isLower(bound))
  if (!end || bounds.some((bound) => bound.edge === 'start' && isLower(bound))) return undefined
  // Twice the offset: of the bound, and of an event that begins in another one than it ends in.
  return localDateTimeFromSeconds(
    secondsOfLocalDateTime(end.localDateTime) - longestShortSeconds - 2 * maxOffsetSeconds,
  )
}
