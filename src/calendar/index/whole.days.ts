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
  /** A bound on the end that only long events can exceed. */
  readonly end: TimeBound | undefined
}

/** @returns undefined if the window is short, and for other kinds of bounds. */
export function wholeDays(bounds: readonly TimeBound[]): WholeDays | undefined {
  const named = (edge: TimeBound['edge'], sign: '>' | '<') =>
    bounds.filter((bound) => bound.edge === edge && bound.operator.startsWith(sign))
  const [startsAfter, startsBefore] = [named('start', '>'), named('start', '<')]
  const [endsAfter, endsBefore] = [named('end', '>'), named('end', '<')]
  if ([startsAfter, startsBefore, endsAfter, endsBefore].some((list) => list.length > 1)) return undefined
  if (endsAfter[0] && (startsAfter[0] || endsBefore[0])) return undefined
  // An event ends at most one day before it begins in local time. Every event that begins two days later therefore ends
  // after the bound.
  const from = endsAfter[0] ? dayAfter(endsAfter[0], 2) : startsAfter[0] && dayAfter(startsAfter[0], 1)
  const latest = [
    ...startsBefore.map((bound) => dayAfter(bound, 0)),
    ...endsBefore.map((bound) => dayAfter(bound, -longestShortSeconds / daySeconds - 2)),
  ]
  const to = latest.sort()[0]
  const isLong = !from || !to || secondsOfLocalDateTime(to) - secondsOfLocalDateTime(from) >= minWholeDays * daySeconds
  return isLong && (from || to) ? { from, to, end: endsBefore[0] } : undefined
}

/** Returns the beginning of the day that is `days` days after the day of the bound. */
function dayAfter({ localDateTime }: Pick<TimeBound, 'localDateTime'>, days: number): LocalDateTime {
  return startOfDay(localDateTimeFromSeconds(secondsOfLocalDateTime(localDateTime) + days * daySeconds))
}
