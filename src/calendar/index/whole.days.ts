import {
  type LocalDateTime,
  localDateTimeFromSeconds,
  secondsOfLocalDateTime,
  startOfDay,
} from '../../base/time/local.date.time.ts'
import { daySeconds } from './daily.counts.ts'
import { longestShortSeconds, type TimeBound } from './event.index.ts'

/** Fewer days are counted as quickly event by event. */
const minWholeDays = 10

/** The days of a window on which every event that begins counts, except some that end after the window. */
export interface WholeDays {
  /** Beginning of the first day. Undefined: no lower bound. */
  readonly from: LocalDateTime | undefined
  /** From this day on, short events may end after the window too, and before it only long ones. Undefined: never. */
  readonly to: LocalDateTime | undefined
  /** Beginning of the first day after the range. Undefined: no upper bound. */
  readonly until: LocalDateTime | undefined
  /** The bound of the events of these days that end after the window. Undefined if the window does not limit the ends. */
  readonly beyond: TimeBound | undefined
  /** Whether events of the window may begin before the range. */
  readonly hasEarlier: boolean
  /** Whether events of the window may begin after the range. */
  readonly hasLater: boolean
}

/** @returns undefined if the window is short, or has no bounds. */
export function wholeDays(bounds: readonly TimeBound[]): WholeDays | undefined {
  const named = (edge: TimeBound['edge'], sign: '>' | '<') =>
    bounds.filter((bound) => bound.edge === edge && bound.operator.startsWith(sign))
  const endsBefore = named('end', '<')
  const from = [
    ...named('start', '>').map((bound) => dayAfter(bound, isFirstSecond(bound) ? 0 : 1)),
    // An event ends at most one day before it begins in local time. Every event that begins two days later therefore ends
    // after the bound.
    ...named('end', '>').map((bound) => dayAfter(bound, 2)),
  ]
    .sort()
    .at(-1)
  const [until] = [...named('start', '<'), ...endsBefore]
    .map((bound) => dayAfter(bound, isLastSecond(bound) ? 1 : 0))
    .sort()
  const isLong =
    !from || !until || secondsOfLocalDateTime(until) - secondsOfLocalDateTime(from) >= minWholeDays * daySeconds
  if (!isLong || !(from || until)) return undefined
  const [to] = [
    ...(until ? [until] : []),
    ...endsBefore.map((bound) => dayAfter(bound, -longestShortSeconds / daySeconds - 1)),
  ].sort()
  return {
    ...{ from, until, beyond: beyondEnd(bounds) },
    to: to && from && to < from ? from : to,
    hasEarlier: from !== undefined && !named('start', '>').some((bound) => bound.localDateTime >= from),
    hasLater: until !== undefined && !named('start', '<').some((bound) => bound.localDateTime < until),
  }
}

/** Whether a lower bound includes all of its day. */
function isFirstSecond({ operator, localDateTime }: TimeBound): boolean {
  return operator === '>=' && secondsOfLocalDateTime(localDateTime) % daySeconds === 0
}

/** Whether an upper bound includes all of its day. */
function isLastSecond({ operator, localDateTime }: TimeBound): boolean {
  return operator === '<=' && (secondsOfLocalDateTime(localDateTime) + 1) % daySeconds === 0
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
