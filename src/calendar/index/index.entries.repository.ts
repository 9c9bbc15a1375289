import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { preferenceBit } from '../../base/languages/preference.bits.ts'
import {
  type LocalDateTime,
  localDateTimeFromSeconds,
  secondsOfLocalDateTime,
} from '../../base/time/local.date.time.ts'
import { bigintParameter } from '../../storage/database/sql.parameters.ts'
import { FACETS, type IndexEntry, type IndexQuery, longestShortSeconds, type TimeBound } from './event.index.ts'
import { maxOffsetSeconds, type StartRange, windowConditions } from './time.window.repository.ts'

const columns = sql`start_local, dated_at, event_id`

/** More facets than this are sorted together, because a merge would need one subquery for each. */
const maxMergedFacets = 20
/** Database engines limit the parameters of a statement. A merged statement repeats each facet of the other filters. */
const maxParameters = 3000

/**
 * A table with one row for each event. It has the columns of the event index except the facet, and further conditions.
 */
export interface OtherIndex {
  readonly table: RawBuilder<unknown>
  /** Conditions on its rows, which have the alias `entry`. */
  readonly conditions: readonly RawBuilder<SqlBool>[]
}

/**
 * Returns the entries of a visitor's list, as a table to select from. They are read in list order from the facets of
 * the first filter.
 *
 * @param other The table that replaces the event index, if any.
 */
export function indexEntries(
  { facets: filters, window, preference }: Pick<IndexQuery, 'facets' | 'window' | 'preference'>,
  other?: OtherIndex,
): RawBuilder<IndexEntry> {
  // The other table has each event once, not once for each facet.
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
        // At the end, because these compare many numbers. Engines test conditions of equal estimated cost in this
        // order.
        ...(other?.conditions ?? []),
      ],
      sql` and `,
    )
  // Each facet is already in list order. Several facets are merged, and entries after the page are not read.
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
  // Parameters instead of literals, so that all facets share one prepared statement, unless the facets are too many.
  const [first, ...others] = facets.map(facets.length > maxParameters ? (facet) => sql.lit(facet) : bigintParameter)
  if (first === undefined) return sql<SqlBool>`1 = 0`
  return others.length === 0
    ? sql<SqlBool>`${sql.ref(column)} = ${first}`
    : sql<SqlBool>`${sql.ref(column)} in (${sql.join([first, ...others])})`
}

// Looks up by the key, in which neighbours of the list are neighbours. The unary plus keeps SQLite from using the index
// of events. Not “exists”: with it, PostgreSQL reads the whole facet.
function hasFacet(facets: readonly number[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`1 = (select 1 from event_listings other where ${facetIsAmong('other.facet', facets)}
    and other.start_local = entry.start_local and other.dated_at = entry.dated_at
    and +other.event_id = entry.event_id limit 1)`
}

/**
 * Returns the earliest start of a short event, if the end has a lower bound and the start has none. Longer events are
 * found by their ends. Undefined if the start has a lower bound.
 */
export function earliestShortStart(bounds: readonly TimeBound[]): LocalDateTime | undefined {
  const isLower = ({ operator }: TimeBound) => operator.startsWith('>')
  const [end] = bounds.filter((bound) => bound.edge === 'end' && isLower(bound))
  if (!end || bounds.some((bound) => bound.edge === 'start' && isLower(bound))) return undefined
  // Twice the offset: once for the bound, once for an event whose zone changes its offset between start and end.
  return localDateTimeFromSeconds(
    secondsOfLocalDateTime(end.localDateTime) - longestShortSeconds - 2 * maxOffsetSeconds,
  )
}
