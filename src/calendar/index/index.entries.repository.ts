import { type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  type LocalDateTime,
  localDateTimeFromSeconds,
  secondsOfLocalDateTime,
} from '../../base/time/local.date.time.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import {
  type EntryCondition,
  firstPlaceOf,
  type ListedEvent,
  lastPlaceOf,
  longestShortSeconds,
  type PlaceRange,
  type TimeBound,
  type TimeWindow,
} from './event.index.ts'
import { latest, maxOffsetSeconds, type StartRange, startRange, windowConditions } from './time.window.repository.ts'

/** Some events of the event index. */
export interface IndexRange {
  readonly window: TimeWindow
  readonly conditions: readonly EntryCondition[]
}

/** Returns the conditions on a table that has the columns of `listed_events`. */
type RangePart = (table: string) => RawBuilder<SqlBool>

/**
 * Returns the events of a range as one or two conditions, each of which an index answers in the order of lists. The
 * second one has the long events that are found by their ends.
 */
function rangeParts({ window, conditions }: IndexRange): readonly RangePart[] {
  const part =
    (within: StartRange = {}, isLong = false): RangePart =>
    (table) => {
      const places = isLong ? undefined : placesOf(startRange({ ...window, within }))
      return sql<SqlBool>`${sql.join(
        [
          ...windowConditions(table, { ...window, within, isByEnd: isLong }),
          ...(isLong ? [sql<SqlBool>`${sql.ref(`${table}.is_long`)} = 1`] : []),
          ...conditions.map((condition) => condition(table, places)),
        ],
        sql` and `,
      )}`
    }
  const earliest = earliestShortStart(window.bounds)
  const before = earliest && localDateTimeFromSeconds(secondsOfLocalDateTime(earliest) - 1)
  return before ? [part({ from: earliest }), part({ to: before }, true)] : [part()]
}

function placesOf({ from, to }: StartRange): PlaceRange {
  return {
    from: from === undefined ? 0 : firstPlaceOf(from),
    to: to === undefined ? Number.MAX_SAFE_INTEGER : lastPlaceOf(to),
  }
}

export interface EntriesOfPage {
  readonly dialect: Pick<Dialect, 'firstRows'>
  readonly isLatestFirst: boolean
  /** The number of the last entry of the page. */
  readonly limit: number
}

/**
 * Returns the entries of a list, as a table to select from. They are read in list order.
 *
 * @param page If it is given, there are at least the entries up to the end of this page.
 */
export function indexEntries(range: IndexRange, page?: EntriesOfPage): RawBuilder<ListedEvent> {
  const parts = rangeParts(range).map(
    (part) => sql<ListedEvent>`select * from listed_events entry where ${part('entry')}`,
  )
  return sql`(${sql.join(parts.length > 1 ? firstOfParts(parts, page) : parts, sql` union all `)})`
}

/** Limits each of several parts to what a page can need of it. */
function firstOfParts(
  parts: readonly RawBuilder<ListedEvent>[],
  page: EntriesOfPage | undefined,
): readonly RawBuilder<ListedEvent>[] {
  if (!page) return parts
  const order = inListOrder('entry', page.isLatestFirst)
  return parts.map((part) => page.dialect.firstRows(part, { order, limit: page.limit }))
}

/** The order of lists. */
export function inListOrder(table: string, isLatestFirst = false): RawBuilder<unknown> {
  const direction = sql.raw(isLatestFirst ? 'desc' : 'asc')
  const columns = ['start_local', 'dated_at', 'event_id']
  return sql.join(columns.map((column) => sql`${sql.ref(`${table}.${column}`)} ${direction}`))
}

/**
 * Returns the earliest start of a short event, if a lower bound on the end tells it. Longer events are found by their ends.
 * Undefined if a lower bound on the start is narrower.
 */
function earliestShortStart(bounds: readonly TimeBound[]): LocalDateTime | undefined {
  const lower = bounds.filter(({ operator }) => operator.startsWith('>'))
  const earliest = latest(
    lower.flatMap(({ edge, localDateTime }) =>
      // Twice the offset: once for the bound, once for an event whose zone changes its offset between start and end.
      edge === 'end'
        ? [localDateTimeFromSeconds(secondsOfLocalDateTime(localDateTime) - longestShortSeconds - 2 * maxOffsetSeconds)]
        : [],
    ),
  )
  const isNarrower = ({ edge, localDateTime }: TimeBound) =>
    edge === 'start' && earliest !== undefined && localDateTime >= earliest
  return lower.some(isNarrower) ? undefined : earliest
}

/** The condition that an entry meets a filter by facets. */
export function hasFacets(
  { facets, isWithout = false }: { readonly facets: readonly number[]; readonly isWithout?: boolean },
  { isAmong }: Pick<Dialect, 'isAmong'>,
): EntryCondition {
  const is = sql.raw(isWithout ? 'not in' : 'in')
  return (entry, within) => sql<SqlBool>`${sql.ref(`${entry}.place`)} ${is} (
    select place from event_facets where ${isAmong(sql.ref('facet'), facets)} ${amongPlaces(within)})`
}

/** The condition that a row with a place is among these, after `and`. */
function amongPlaces(within: PlaceRange | undefined): RawBuilder<unknown> {
  return within ? sql`and place between cast(${within.from} as bigint) and cast(${within.to} as bigint)` : sql``
}
