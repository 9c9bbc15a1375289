import { secondsOfWall, type Wall, wallFromSeconds, weekdayOf } from './wall.ts'
import { offsetDigits } from './zone.ts'

/** `2027-06-10T10:00:00+02:00`, ISO 8601 as `json_ld` has it. Contract: events.md §2 "json_ld". */
export function isoWithOffset(wall: Wall, offsetSeconds: number): string {
  return `${wall.slice(0, 10)}T${wall.slice(11)}${offsetDigits(offsetSeconds, ':')}`
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * `Sun, 06 Nov 1994 08:49:37 GMT`: the date of HTTP headers, from seconds since 1970.
 *
 * @see RFC 9110, 5.6.7
 */
export function httpDate(seconds: number): string {
  const wall = wallFromSeconds(seconds)
  const weekday = weekdays[weekdayOf(Math.floor(secondsOfWall(wall) / 86_400))]
  const month = months[Number(wall.slice(5, 7)) - 1]
  return `${weekday}, ${wall.slice(8, 10)} ${month} ${wall.slice(0, 4)} ${wall.slice(11)} GMT`
}

/** `2027-06-10T10:00:00Z`, RFC 3339, from seconds since 1970. */
export function isoUtc(seconds: number): string {
  const wall = wallFromSeconds(seconds)
  return `${wall.slice(0, 10)}T${wall.slice(11)}Z`
}

/** The date of what was never published, in place of a `Wall`. Contract: events.md §2 "date_utc". */
export const neverWall = '0000-00-00 00:00:00'
