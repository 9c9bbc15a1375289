import {
  type LocalDateTime,
  localDateTimeFromSeconds,
  secondsOfLocalDateTime,
  startOfDay,
} from '../../base/time/local.date.time.ts'
import { daySeconds } from './daily.counts.ts'
import { longestShortSeconds, type TimeBound } from './event.index.ts'

/** Fewer days are counted as quickly one by one. */
const minWholeDays = 21

/** The days of a window of which every event that begins then counts, but for some that are `long`. */
export interface WholeDays {
  /** Beginning of the first of them; undefined: from ever. */
  readonly from: LocalDateTime | undefined
  /** Beginning of the first day after them; undefined: for ever. */
  readonly to: LocalDateTime | undefined
  /** A bound on the end that only long events can be beyond. */
  readonly end: TimeBound | undefined
}

/** @returns undefined where the window is short, and for bounds of other forms. */
export function wholeDays(bounds: readonly TimeBound[]): WholeDays | undefined {
  const named = (edge: TimeBound['edge'], sign: '>' | '<') =>
    bounds.filter((bound) => bound.edge === edge && bound.operator.startsWith(sign))
  const [startsAfter, startsBefore] = [named('start', '>'), named('start', '<')]
  const [endsAfter, endsBefore] = [named('end', '>'), named('end', '<')]
  if ([startsAfter, startsBefore, endsAfter, endsBefore].some((list) => list.length > 1)) return undefined
  if (endsAfter[0] && (startsAfter[0] || endsBefore[0])) return undefined
  // An event ends no earlier than a day before it begins, so all that begins two days later ends after it.
  const from = endsAfter[0] ? dayAfter(endsAfter[0], 2) : startsAfter[0] && dayAfter(startsAfter[0], 1)
  const latest = [
    ...startsBefore.map((bound) => dayAfter(bound, 0)),
    ...endsBefore.map((bound) => dayAfter(bound, -longestShortSeconds / daySeconds - 2)),
  ]
  const to = latest.sort()[0]
  const isLong = !from || !to || secondsOfLocalDateTime(to) - secondsOfLocalDateTime(from) >= minWholeDays * daySeconds
  return isLong && (from || to) ? { from, to, end: endsBefore[0] } : undefined
}

/** The beginning of the day that stands so many days after that of the bound. */
export function dayAfter({ localDateTime }: Pick<TimeBound, 'localDateTime'>, days: number): LocalDateTime {
  return startOfDay(localDateTimeFromSeconds(secondsOfLocalDateTime(localDateTime) + days * daySeconds))
}
