import { type LocalDateTime, localDateTimeFromSeconds, secondsOfLocalDateTime, weekdayOf } from './local.date.time.ts'
import { formatOffset } from './zone.ts'

/** Returns `2027-06-10T10:00:00+02:00`, the ISO 8601 format of `json_ld`. Contract: events.md §2 "json_ld". */
export function isoWithOffset(localDateTime: LocalDateTime, offsetSeconds: number): string {
  return `${localDateTime.slice(0, 10)}T${localDateTime.slice(11)}${formatOffset(offsetSeconds, ':')}`
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * `Sun, 06 Nov 1994 08:49:37 GMT`: the date of HTTP headers, from seconds since 1970.
 *
 * @see RFC 9110, 5.6.7
 */
export function httpDate(seconds: number): string {
  const localDateTime = localDateTimeFromSeconds(seconds)
  const weekday = weekdays[weekdayOf(Math.floor(secondsOfLocalDateTime(localDateTime) / 86_400))]
  const month = months[Number(localDateTime.slice(5, 7)) - 1]
  return `${weekday}, ${localDateTime.slice(8, 10)} ${month} ${localDateTime.slice(0, 4)} ${localDateTime.slice(11)} GMT`
}

/** Returns `2027-06-10T10:00:00Z`, RFC 3339, from seconds since 1970. */
export function isoUtc(seconds: number): string {
  const localDateTime = localDateTimeFromSeconds(seconds)
  return `${localDateTime.slice(0, 10)}T${localDateTime.slice(11)}Z`
}

/**
 * Replaces the `LocalDateTime` of a publication date if the item was never published.
 * Contract: events.md §2 "date_utc".
 */
export const zeroDateTime = '0000-00-00 00:00:00'
