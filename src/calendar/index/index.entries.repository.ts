import { type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  type LocalDateTime,
  localDateTimeFromSeconds,
  secondsOfLocalDateTime,
} from '../../base/time/local.date.time.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import { type IndexEntry, longestShortSeconds, type TimeBound, type TimeWindow } from './event.index.ts'
import {
  earliest as earliestOf,
  latest,
  maxOffsetSeconds,
  type StartRange,
  windowConditions,
} from './time.window.repository.ts'

/** Some events of the event index. */
export interface IndexRange {
  readonly window: TimeWindow
  /** A condition on the rows of `event_classes`. */
  readonly isOfClass: RawBuilder<SqlBool>
  /** A further limit on the starts in local time. */
  readonly within?: StartRange
}

/** Returns the conditions on a table that has the columns of `event_order`. */
type RangePart = (table: string) => RawBuilder<SqlBool>

/**
 * Returns the events of a range as one or two conditions, each of which an index answers in the order of lists. The
 * second one has the long events that are found by their ends.
 */
export function rangeParts({
  window,
  isOfClass,
  within: limit = {},
}: IndexRange): readonly [RangePart] | readonly [RangePart, RangePart] {
  const { bounds, isInUtc } = window
  const part =
    (range: StartRange = {}, isLong = false): RangePart =>
    (table) => {
      const within = { from: latest([range.from, limit.from]), to: earliestOf([range.to, limit.to]) }
      const conditions = [
        ...windowConditions(table, { bounds, isInUtc, within, isByEnd: isLong }),
        ...(isLong ? [sql<SqlBool>`${sql.ref(`${table}.is_long`)} = 1`] : []),
        isOfClasses(table, isOfClass),
      ]
      return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
    }
  const earliest = earliestShortStart(bounds)
  const before = earliest && localDateTimeFromSeconds(secondsOfLocalDateTime(earliest) - 1)
  return before ? [part({ from: earliest }), part({ to: before }, true)] : [part()]
}

/** The page of a list for which entries are read. */
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
export function indexEntries(range: IndexRange, page?: EntriesOfPage): RawBuilder<IndexEntry> {
  const parts = entriesOfParts(range)
  return sql`(${sql.join(parts.length > 1 ? firstOfParts(parts, page) : parts, sql` union all `)})`
}

/** Returns the entries of a list and some other events as one table, in the same way. */
export function indexEntriesWith(
  range: IndexRange,
  { dialect, ids }: { readonly dialect: Pick<Dialect, 'isAmong'>; readonly ids: readonly number[] },
  page?: EntriesOfPage,
): RawBuilder<IndexEntry> {
  const others = sql`select ${entryColumns} from event_order entry where ${dialect.isAmong(sql.ref('entry.event_id'), ids)}`
  return sql`(${sql.join([...firstOfParts(entriesOfParts(range), page), others], sql` union all `)})`
}

/** Returns those of some events that are in a range, as a table to select from. They are looked up by their ids. */
export function indexEntriesAmong(
  { window, isOfClass }: IndexRange,
  { dialect, ids }: { readonly dialect: Pick<Dialect, 'isAmong'>; readonly ids: readonly number[] },
): RawBuilder<IndexEntry> {
  const conditions = [...windowConditions('entry', { ...window, isByEnd: true }), isOfClasses('entry', isOfClass)]
  return sql`(select ${entryColumns} from event_order entry where ${dialect.isAmong(sql.ref('entry.event_id'), ids)}
    and ${sql.join(conditions, sql` and `)})`
}

function isOfClasses(table: string, isOfClass: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${table}.class`)} in (select class from event_classes where ${isOfClass})`
}

const entryColumns = sql.raw('start_local, dated_at, event_id, class')

function entriesOfParts(range: IndexRange): readonly RawBuilder<IndexEntry>[] {
  return rangeParts(range).map(
    (part) => sql<IndexEntry>`select ${entryColumns} from event_order entry where ${part('entry')}`,
  )
}

/** Limits each of several parts to what a page can need of it. */
function firstOfParts(
  parts: readonly RawBuilder<IndexEntry>[],
  page: EntriesOfPage | undefined,
): readonly RawBuilder<IndexEntry>[] {
  if (!page) return parts
  const direction = sql.raw(page.isLatestFirst ? 'desc' : 'asc')
  const order = sql.join(['start_local', 'dated_at', 'event_id'].map((column) => sql`${sql.ref(column)} ${direction}`))
  return parts.map((part) => page.dialect.firstRows(part, { order, limit: page.limit }))
}

/**
 * Returns the earliest start of a short event, if a lower bound on the end tells it. Longer events are found by their ends.
 * Undefined if a lower bound on the start is narrower.
 */
export function earliestShortStart(bounds: readonly TimeBound[]): LocalDateTime | undefined {
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
