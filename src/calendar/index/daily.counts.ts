import { type LocalDateTime, localDateTimeFromSeconds } from '../../base/time/local.date.time.ts'

// The table `event_tallies` has the number of events that begin on a day, by the class of the
// events. Clock 0 is the local time of the event, clock 1 is UTC.

/** Seconds from 0001-01-01, the first day that can be written, to 1970. */
export const epochSeconds = 62_135_596_800
export const daySeconds = 86_400

/** Returns the number of a day in local time, as the daily counts store it: 20300115. */
export function localDay(localDateTime: string): number {
  return Number(localDateTime.slice(0, 10).replaceAll('-', ''))
}

/** Returns the number of a day in UTC, as the daily counts store it. */
export function utcDay(seconds: number): number {
  return Math.floor((seconds + epochSeconds) / daySeconds)
}

/** Returns the beginning of a day that is numbered as `utcDay` does. */
export function localDateTimeOfDay(day: number): LocalDateTime {
  return localDateTimeFromSeconds(day * daySeconds - epochSeconds)
}
