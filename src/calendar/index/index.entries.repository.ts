import { type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  type LocalDateTime,
  localDateTimeFromSeconds,
  secondsOfLocalDateTime,
} from '../../base/time/local.date.time.ts'
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

/** Returns the entries of a list, as a table to select from. They are read in list order. */
export function indexEntries({ window, isOfClass, within: limit = {} }: IndexRange): RawBuilder<IndexEntry> {
  const { bounds, isInUtc } = window
  const listed = (part: StartRange = {}, isLong = false) => {
    const within = { from: latest([part.from, limit.from]), to: earliestOf([part.to, limit.to]) }
    const conditions = [
      ...windowConditions('entry', { bounds, isInUtc, within, isByEnd: isLong }),
      ...(isLong ? [sql`entry.is_long = 1`] : []),
      sql`entry.class in (select class from event_classes where ${isOfClass})`,
    ]
    return sql`select start_local, dated_at, event_id, class from event_order entry where ${sql.join(conditions, sql` and `)}`
  }
  const earliest = earliestShortStart(bounds)
  const before = earliest && localDateTimeFromSeconds(secondsOfLocalDateTime(earliest) - 1)
  const parts = before ? [listed({ from: earliest }), listed({ to: before }, true)] : [listed()]
  return sql`(${sql.join(parts, sql` union all `)})`
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
