import { addSeconds, type LocalDateTime, secondsOfLocalDateTime, startOfDay } from '../../base/time/local.date.time.ts'
import { localDateTimeAt, type Zone } from '../../base/time/zone.ts'

const daySeconds = 86_400
const weekDays = 7

/**
 * Returns the number of days to move events so that none starts before tomorrow, local time. The result is in whole
 * weeks, so that weekdays stay the same; 0 if all events are in the future.
 *
 * @param now Whole seconds since 1970, UTC.
 */
export function daysUntilFuture(
  events: readonly { readonly start: LocalDateTime; readonly zone: Zone }[],
  now: number,
): number {
  const missing = events.map(({ start, zone }) => daysBetween(start, localDateTimeAt(now, zone)) + 1)
  return Math.ceil(missing.reduce((most, days) => Math.max(most, days), 0) / weekDays) * weekDays
}

/** Returns the same time of day, this number of days later. */
export function shiftByDays(localDateTime: LocalDateTime, days: number): LocalDateTime {
  return addSeconds(localDateTime, days * daySeconds)
}

function daysBetween(from: LocalDateTime, to: LocalDateTime): number {
  return (secondsOfLocalDateTime(startOfDay(to)) - secondsOfLocalDateTime(startOfDay(from))) / daySeconds
}
