/**
 * A local date and time: `YYYY-MM-DD hh:mm:ss`, years 0001 to 9999, without a zone. Fixed width, so texts sort in order
 * of time. The calendar is the Gregorian one, extended back before 1582.
 */
export type LocalDateTime = string & { readonly brand: 'LocalDateTime' }

/**
 * A local date and time as numbers. Month and day count from 1. A number out of range overflows into the next larger
 * unit.
 */
export type LocalDateTimeParts = {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour?: number
  readonly minute?: number
  readonly second?: number
}

/** A local date and time as zero-padded texts, in the key order of the wire. Contract: events.md §2. */
export type DateTimeDetails = {
  readonly year: string
  readonly month: string
  readonly day: string
  readonly hour: string
  readonly minutes: string
  readonly seconds: string
}

/** Seconds from 1970 of the first and the last local date and time that can be written, as if they were UTC. */
export const minLocalDateTimeSeconds = -62_135_596_800
export const maxLocalDateTimeSeconds = 253_402_300_799

const daySeconds = 86_400

/** True for `YYYY-MM-DD hh:mm:ss` if the day and time exist: no 30 February, no hour 24. */
export function isLocalDateTime(text: string): text is LocalDateTime {
  if (!/^\d{4}-\d\d-\d\d (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(text)) return false
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))]
  const date = dateOfDayNumber(dayNumber(year, month, day))
  return year >= 1 && date.month === month && date.day === day
}

/** Returns the local date and time of these numbers. 30 February is 2 March. Clamped to the years 0001 to 9999. */
export function localDateTimeFromParts(parts: LocalDateTimeParts): LocalDateTime {
  const { year, month, day, hour = 0, minute = 0, second = 0 } = parts
  return localDateTimeFromSeconds(dayNumber(year, month, day) * daySeconds + hour * 3600 + minute * 60 + second)
}

/** Returns the local date and time in UTC at `seconds` since 1970. Clamped to the years 0001 to 9999. */
export function localDateTimeFromSeconds(seconds: number): LocalDateTime {
  const whole = Math.min(Math.max(Math.floor(seconds), minLocalDateTimeSeconds), maxLocalDateTimeSeconds)
  const days = Math.floor(whole / daySeconds)
  const rest = whole - days * daySeconds
  const { year, month, day } = dateOfDayNumber(days)
  const time = `${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${time}` as LocalDateTime
}

/** Returns the seconds since 1970 at which the local time in UTC is `localDateTime`. */
export function secondsOfLocalDateTime(localDateTime: LocalDateTime): number {
  return secondsOf(localDateTime)
}

/** Returns the day of `localDateTime`, `YYYY-MM-DD`. */
export function dayOf(localDateTime: LocalDateTime): string {
  return localDateTime.slice(0, 10)
}

/** Returns 00:00:00 of the day of `localDateTime`. */
export function startOfDay(localDateTime: LocalDateTime): LocalDateTime {
  return `${dayOf(localDateTime)} 00:00:00` as LocalDateTime
}

/** Returns 23:59:59 of the day of `localDateTime`. */
export function endOfDay(localDateTime: LocalDateTime): LocalDateTime {
  return `${dayOf(localDateTime)} 23:59:59` as LocalDateTime
}

/** Returns the parts of `localDateTime` in the format of the wire. */
export function dateTimeDetails(localDateTime: LocalDateTime): DateTimeDetails {
  return {
    year: localDateTime.slice(0, 4),
    month: localDateTime.slice(5, 7),
    day: localDateTime.slice(8, 10),
    hour: localDateTime.slice(11, 13),
    minutes: localDateTime.slice(14, 16),
    seconds: localDateTime.slice(17, 19),
  }
}

/** Returns the parts of `localDateTime` as numbers. */
export function partsOfLocalDateTime(localDateTime: LocalDateTime): Required<LocalDateTimeParts> {
  return {
    year: Number(localDateTime.slice(0, 4)),
    month: Number(localDateTime.slice(5, 7)),
    day: Number(localDateTime.slice(8, 10)),
    hour: Number(localDateTime.slice(11, 13)),
    minute: Number(localDateTime.slice(14, 16)),
    second: Number(localDateTime.slice(17, 19)),
  }
}

/**
 * Returns `localDateTime` moved by whole months. A day that the month does not have overflows: 31 January + 1 is 3
 * March (or 2 March).
 */
export function addMonths(localDateTime: LocalDateTime, months: number): LocalDateTime {
  const parts = partsOfLocalDateTime(localDateTime)
  return localDateTimeFromParts({ ...parts, month: parts.month + months })
}

/** Returns `localDateTime` moved by seconds, without any zone. */
export function addSeconds(localDateTime: LocalDateTime, seconds: number): LocalDateTime {
  return localDateTimeFromSeconds(secondsOf(localDateTime) + seconds)
}

/**
 * Returns the days from 1 January 1970 to this date. Months and days beyond their range overflow.
 *
 * The year is counted from March, so that the leap day comes last and month lengths follow one line (153 days in 5
 * months).
 */
export function dayNumber(year: number, month: number, day: number): number {
  const monthsFromMarch = year * 12 + month - 3
  const marchYear = Math.floor(monthsFromMarch / 12)
  const marchMonth = monthsFromMarch - marchYear * 12
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  return marchYear * 365 + leapDays + Math.floor((marchMonth * 153 + 2) / 5) + day - 1 - daysToEpoch
}

/** Returns the weekday of a day counted from 1 January 1970, a Thursday. Monday is 0. */
export function weekdayOf(days: number): number {
  return (((days + 3) % 7) + 7) % 7
}

/** Days from 1 March of the year 0 to 1 January 1970. */
const daysToEpoch = 719_468

/** Returns the date `days` after 1 January 1970. The inverse of `dayNumber`. */
function dateOfDayNumber(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const fromMarch = days + daysToEpoch
  const era = Math.floor(fromMarch / 146_097) // 400 years
  const dayOfEra = fromMarch - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day }
}

function secondsOf(text: string): number {
  const days = dayNumber(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10)))
  return (
    days * daySeconds + Number(text.slice(11, 13)) * 3600 + Number(text.slice(14, 16)) * 60 + Number(text.slice(17, 19))
  )
}

function two(number: number): string {
  return number < 10 ? `0${number}` : `${number}`
}
