import { addSeconds, type LocalDateTime, secondsOfLocalDateTime, startOfDay } from '../../base/time/local.date.time.ts'
import { localDateTimeAt, type Zone } from '../../base/time/zone.ts'

const daySeconds = 86_400
const weekDays = 7

/**
 * By how many days events must move so that none starts before tomorrow on its own clock: whole weeks, so that
 * weekdays stay; 0 where all of them lie ahead.
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

/** The same time of day, so many days later. */
export function shiftByDays(localDateTime: LocalDateTime, days: number): LocalDateTime {
  return addSeconds(localDateTime, days * daySeconds)
}

function daysBetween(from: LocalDateTime, to: LocalDateTime): number {
  return (secondsOfLocalDateTime(startOfDay(to)) - secondsOfLocalDateTime(startOfDay(from))) / daySeconds
}
