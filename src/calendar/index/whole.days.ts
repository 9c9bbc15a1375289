import {
  type LocalDateTime,
  localDateTimeFromSeconds,
  secondsOfLocalDateTime,
  startOfDay,
} from '../../base/time/local.date.time.ts'
import { daySeconds } from './daily.counts.ts'
import { longestShortSeconds, type TimeBound } from './event.index.ts'

/** Fewer days are counted as quickly event by event. */
const minWholeDays = 21

/** The days of a window on which every event that begins counts, except some `long` events. */
export interface WholeDays {
  /** Beginning of the first day. Undefined: no lower bound. */
  readonly from: LocalDateTime | undefined
  /** Beginning of the first day after the range. Undefined: no upper bound. */
  readonly to: LocalDateTime | undefined
  /** The bound of the long events of these days that end after the window. Undefined if the window does not limit the ends. */
  readonly beyond: TimeBound | undefined
}

/** @returns undefined if the window is short, or has no bounds. */
export function wholeDays(bounds: readonly TimeBound[]): WholeDays | undefined {
  const named = (edge: TimeBound['edge'], sign: '>' | '<') =>
    bounds.filter((bound) => bound.edge === edge && bound.operator.startsWith(sign))
  const endsBefore = named('end', '<')
  const from = [
    ...named('start', '>').map((bound) => dayAfter(bound, 1)),
    // An event ends at most one day before it begins in local time. Every event that begins two days later therefore ends
    // after the bound.
    ...named('end', '>').map((bound) => dayAfter(bound, 2)),
  ]
    .sort()
    .at(-1)
  const [to] = [
    ...named('start', '<').map((bound) => dayAfter(bound, 0)),
    ...endsBefore.map((bound) => dayAfter(bound, -longestShortSeconds / daySeconds - 1)),
  ].sort()
  const isLong = !from || !to || secondsOfLocalDateTime(to) - secondsOfLocalDateTime(from) >= minWholeDays * daySeconds
  return isLong && (from || to) ? { from, to, beyond: beyondEnd(bounds) } : undefined
}

/** Returns the bound of the events that end after a window. Undefined if the window does not limit the ends. */
export function beyondEnd(bounds: readonly TimeBound[]): TimeBound | undefined {
  const end = tightest(bounds.filter(({ edge, operator }) => edge === 'end' && operator.startsWith('<')))
  return end && { ...end, operator: end.operator === '<=' ? '>' : '>=' }
}

/** Returns the lowest of some upper bounds. */
function tightest(bounds: readonly TimeBound[]): TimeBound | undefined {
  const isTighter = (one: TimeBound, other: TimeBound) =>
    one.localDateTime < other.localDateTime ||
    (one.localDateTime === other.localDateTime && one.operator === '<' && other.operator === '<=')
  return bounds.reduce<TimeBound | undefined>(
    (lowest, bound) => (lowest === undefined || isTighter(bound, lowest) ? bound : lowest),
    undefined,
  )
}

/** Returns the beginning of the day that is `days` days after the day of the bound. */
function dayAfter({ localDateTime }: Pick<TimeBound, 'localDateTime'>, days: number): LocalDateTime {
  return startOfDay(localDateTimeFromSeconds(secondsOfLocalDateTime(localDateTime) + days * daySeconds))
}
