import { absoluteRules, zoneRules } from './date-text.absolute.ts'
import { type DateTextParts, parseDateTextParts } from './date-text.reading.ts'
import { relativeRules } from './date-text.relative.ts'
import {
  dayNumber,
  isLocalDateTime,
  type LocalDateTime,
  localDateTimeFromSeconds,
  maxLocalDateTimeSeconds,
  minLocalDateTimeSeconds,
  partsOfLocalDateTime,
  secondsOfLocalDateTime,
  weekdayOf,
} from './local.date.time.ts'
import { epochSecondsOf, localDateTimeAt, offsetAt, utcZone, type Zone } from './zone.ts'

/**
 * The meaning of a date text.
 *
 * `localDateTime` is in the text's own zone. For Unix seconds it is in UTC. `offsetSeconds` is how far this local time
 * is ahead of UTC, if the text says so (offset, `Z`, zone name; 0 for Unix seconds). Otherwise it is undefined, and the
 * caller chooses the zone.
 */
export type DateText = {
  readonly localDateTime: LocalDateTime
  readonly offsetSeconds: number | undefined
  readonly isUnixTime: boolean
}

/** The present, and the zone that determines `today` if the text names no zone. */
export type DateTextBase = { readonly nowSeconds: number; readonly zone: Zone }

/** Thrown for a text that is not a date. */
export class DateTextError extends Error {
  override readonly name = 'DateTextError'

  constructor() {
    super('This text is not a date that can be read.')
  }
}

const longestText = 100
const dayLength = 'YYYY-MM-DD'.length
const minuteLength = 'YYYY-MM-DD hh:mm'.length
// Specific rules come before rules that would match a part of their text: `3 days` before the offset `3`, zone names
// last.
const rules = [...relativeRules, ...absoluteRules, ...zoneRules]

/**
 * Reads a date text: ISO 8601, the usual orders of day, month and year, English names, phrases such as
 * `next wednesday 4pm`, and digits alone as Unix seconds. A day without a time is at 00:00:00. A day beyond the end of
 * its month overflows into the next.
 *
 * @throws DateTextError, and nothing else, for any text
 * @see events.md "Date texts accepted"; rulings.md 32
 */
export function parseDateText(text: string, base: DateTextBase): DateText {
  const date = readDateText(text, base)
  if (date === undefined) throw new DateTextError()
  return date
}

/** True if `parseDateText` reads `text`. The present matters only for dates outside of the years 0001 to 9999. */
export function canParseDateText(text: string): boolean {
  return readDateText(text, { nowSeconds: 1_800_000_000, zone: utcZone }) !== undefined
}

function readDateText(text: string, base: DateTextBase): DateText | undefined {
  if (text.length > longestText) return undefined
  const plain = text.trim().toLowerCase()
  const unixTime = /^@?(\d+)$|^@(-?\d+)(?:\.\d+)?$/.exec(plain)
  const date = unixTime ? fromUnixTime(Number(unixTime[1] ?? unixTime[2])) : fromWords(plain, base)
  // Contract: the very start of Unix time counts as no date. A local time without a zone is UTC here.
  return date && secondsOfLocalDateTime(date.localDateTime) === (date.offsetSeconds ?? 0) ? undefined : date
}

function fromUnixTime(seconds: number): DateText | undefined {
  return isInRange(seconds)
    ? { localDateTime: localDateTimeFromSeconds(seconds), offsetSeconds: 0, isUnixTime: true }
    : undefined
}

function fromWords(text: string, base: DateTextBase): DateText | undefined {
  // Shortcut for the usual forms: a day, and a time with and without seconds. The rules would read them the same way.
  const usual = `${text}${text.length === dayLength ? ' 00:00:00' : text.length === minuteLength ? ':00' : ''}`
  if (isLocalDateTime(usual)) return { localDateTime: usual, offsetSeconds: undefined, isUnixTime: false }
  const reading = withDigits(parseDateTextParts(text, rules))
  if (reading === undefined || !saysWhen(reading)) return undefined
  const seconds = localSeconds(reading, { nowSeconds: base.nowSeconds, zone: reading.zone ?? base.zone })
  if (seconds === undefined) return undefined
  const localDateTime = localDateTimeFromSeconds(seconds)
  return {
    localDateTime,
    offsetSeconds: reading.zone && seconds - epochSecondsOf(localDateTime, reading.zone),
    isUnixTime: false,
  }
}

/** Resolves digits that are alone to their only possible meaning. Returns undefined if they have none. */
function withDigits(reading: DateTextParts | undefined): DateTextParts | undefined {
  if (reading?.digits === undefined) return reading
  const { digits, ...rest } = reading
  const { date } = rest
  if (date === undefined) return undefined
  if (date.year === undefined) {
    return digits.length === 4 ? { ...rest, date: { ...date, year: Number(digits) } } : undefined
  }
  if (rest.secondOfDay !== undefined) return undefined
  const [hour = 0, minute = 0, second = 0] = (digits.match(/\d\d/g) ?? []).map(Number)
  return hour > 24 || minute > 59 || second > 60
    ? undefined
    : { ...rest, secondOfDay: hour * 3600 + minute * 60 + second }
}

/** A zone alone is not a date. */
function saysWhen({ zone, ...rest }: DateTextParts): boolean {
  return Object.keys(rest).length > 0
}

/**
 * Returns the local time in `zone` of the given date, in seconds as if it were UTC. Undefined outside of the years 0001
 * to 9999.
 */
function localSeconds(reading: DateTextParts, { nowSeconds, zone }: DateTextBase): number | undefined {
  const now = localDateTimeAt(nowSeconds, zone)
  const seconds = dayOfReading(reading, now) * 86_400 + secondOfDay(reading, now)
  const elapsed = reading.shift?.seconds ?? 0
  if (!isInRange(seconds)) return undefined
  if (elapsed === 0) return seconds

  // Hours are elapsed time, days are calendar days: `+24 hours` is not `+1 day` if the UTC offset changes.
  const start =
    seconds === secondsOfLocalDateTime(now) ? nowSeconds : epochSecondsOf(localDateTimeFromSeconds(seconds), zone)
  const moment = start + elapsed
  if (!isInRange(moment)) return undefined
  const shifted = moment + offsetAt(moment, zone)
  return isInRange(shifted) ? shifted : undefined
}

/**
 * Returns the given day, in days since 1970. Months are shifted first, then days, then weekdays. Days are counted from
 * the Monday of a week, or from the weekday that the text names.
 */
function dayOfReading(
  { date, daysFromToday = 0, dayOfMonth, shift, weekday }: DateTextParts,
  localNow: LocalDateTime,
): number {
  const now = partsOfLocalDateTime(localNow)
  const year = date?.year ?? now.year
  const month = (date?.month ?? now.month) + (shift?.months ?? 0)
  const start = dayOfMonth ? nthOfMonth(year, month, dayOfMonth) : dayNumber(year, month, date?.day ?? now.day)
  const isWeek = shift?.turn === 'week' && dayOfMonth === undefined
  const from = isWeek ? start - weekdayOf(start) + (weekday?.day ?? 0) : start
  const day = addWeekdays(from + daysFromToday + (shift?.days ?? 0), shift?.weekdays ?? 0)
  if (weekday === undefined || isWeek) return day

  const ahead = modulo(weekday.day - weekdayOf(day), 7)
  if (weekday.turn === 'last') return day + ahead - 7
  return weekday.turn === 'next' && ahead === 0 ? day + 7 : day + ahead
}

/** Returns the day `count` weekdays (Monday to Friday) after a day, or before it. Days of a weekend are not counted. */
function addWeekdays(day: number, count: number): number {
  if (count === 0) return day
  const weekday = weekdayOf(day)
  // From a weekend, counting forward starts at its Friday, and counting back starts at the Monday after it.
  const from = weekday <= 4 ? weekday : count > 0 ? 4 : 5
  const place = from + count
  return day - weekday + Math.floor(place / 5) * 7 + modulo(place, 5)
}

function nthOfMonth(year: number, month: number, { nth, weekday }: NonNullable<DateTextParts['dayOfMonth']>): number {
  const first = dayNumber(year, month, 1)
  const last = dayNumber(year, month + 1, 1) - 1
  if (weekday === undefined) return nth < 0 ? last : first
  if (nth < 0) return last - modulo(weekdayOf(last) - weekday, 7)
  return first + modulo(weekday - weekdayOf(first), 7) + (nth - 1) * 7
}

/**
 * A text that names a day but no time is at midnight. A text that only shifts (`+1 week`, `next month`) keeps the time
 * of day.
 */
function secondOfDay(reading: DateTextParts, now: LocalDateTime): number {
  if (reading.secondOfDay !== undefined) return reading.secondOfDay
  const { date, daysFromToday, weekday, dayOfMonth, shift } = reading
  const namesDay = date ?? daysFromToday ?? weekday ?? dayOfMonth?.weekday
  return namesDay === undefined && shift?.turn !== 'weekday' ? modulo(secondsOfLocalDateTime(now), 86_400) : 0
}

function modulo(number: number, divisor: number): number {
  return ((number % divisor) + divisor) % divisor
}

function isInRange(seconds: number): boolean {
  return seconds >= minLocalDateTimeSeconds && seconds <= maxLocalDateTimeSeconds
}
