import { type DateTextParts, type DateTextRule, type Groups, rule } from './date-text.reading.ts'
import { dayNumber, weekdayOf } from './local.date.time.ts'
import { formatOffset, offsetOfAbbreviation, parseZone } from './zone.ts'

const year = '(?<year>\\d{4})'
const month = '(?<month>\\d{1,2})'
const day = '(?<day>\\d{1,2})'
const nthDay = '(?<day>\\d{1,2})(?:st|nd|rd|th)?'
const monthName =
  '(?<monthName>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|' +
  'sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])\\.?'
const gap = '[\\s,.-]*'
/** The number ends here and is not the hour of a time. */
const end = '(?![\\d:])(?!\\.\\d\\d(?!\\d))(?!\\s*[ap]\\.?m)'
/** A `T` at the end of the text, which begins no time. */
const bareT = '(?:t$)?'
const fraction = '(?:[.,]\\d+)?' // Parsed and ignored: the wire has whole seconds.
const half = '(?<half>[ap])\\.?m(?![a-z])\\.?'

/**
 * Dates, times and zones that mean the same on every day. Contract: events.md "Date texts accepted"; rulings.md 32 and
 * 38.
 */
export const absoluteRules: readonly DateTextRule[] = [
  // 2027-06-10, 2027-6-9, 2027/6/9, 27-06-10
  rule(`${year}-${month}-${day}(?!\\d)${bareT}`, readDate),
  rule(`${year}/${month}/${day}(?!\\d)${bareT}`, readDate),
  rule(`(?<year>\\d\\d)-(?<month>\\d\\d)-(?<day>\\d\\d)(?![\\d-])${bareT}`, readDate),
  // 10:00, T10:00:30.250, 2:30pm
  rule(`t?(?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::(?<second>\\d\\d)${fraction})?(?:\\s*${half})?(?![\\d:])`, readTime),
  // 7.30pm, 19.30, 15.04.05; not 30.06.2027
  rule(
    `t?(?<hour>\\d{1,2})\\.(?<minute>\\d\\d)(?:\\.(?<second>\\d\\d))?(?:\\s*${half})?(?![\\d:])(?!\\.\\d)`,
    readTime,
  ),
  // 2pm
  rule(`(?<hour>\\d{1,2})\\s*${half}`, readTime),
  // T10, T1000, T100030 (ISO 8601, basic)
  rule(`t(?<hour>\\d\\d)(?:(?<minute>\\d\\d)(?:(?<second>\\d\\d)${fraction})?)?(?![\\d:])`, readTime),
  // 2027-W23, 2027-W23-4, 2027W234 (ISO 8601, weeks)
  rule(`${year}-?w(?<week>\\d\\d)(?:-?(?<weekday>[1-7]))?(?!\\d)${bareT}`, readWeek),
  // 2027-161 (ISO 8601, day of the year)
  rule(`${year}-(?<dayOfYear>\\d{3})(?!\\d)${bareT}`, readDayOfYear),
  // 2027-06
  rule(`${year}-${month}(?![\\d-])${bareT}`, readDate),
  // 20270610T1000 (ISO 8601, basic); digits alone are not a date
  rule(`${year}(?<month>\\d\\d)(?<day>\\d\\d)(?!\\d)${bareT}`, readDate),
  // 6/30/2027, 6/30/27, 6/30
  rule(`${month}/${day}(?:/(?<year>\\d{4}|\\d\\d))?(?![\\d/])`, readDate),
  // 30-06-2027, 30.6.2027
  rule(`${day}[.-]${month}[.-]${year}(?!\\d)`, readDate),
  // 30 June 2027, 30th of June, 30-Jun-2027
  rule(`${nthDay}${gap}(?:of\\s+)?${monthName}(?:${gap}${year}${end})?`, readDate),
  // June 2027
  rule(`${monthName}${gap}${year}${end}`, readDate),
  // June 30, 2027; June 30th
  rule(`${monthName}${gap}${nthDay}${end}(?:${gap}${year}${end})?`, readDate),
  // 2027 June 30, 2027-Jun-30, 2027 June
  rule(`${year}${gap}${monthName}(?:${gap}${nthDay}${end})?`, readDate),
  // June
  rule(monthName, readDate),
  // The meaning of four or six digits depends on the rest of the text: Jan 2 15:04:05 2027, 20270102 150405
  rule(`(?<digits>\\d{4}|\\d{6})(?![\\d:./])`, ({ digits = '' }) => ({ digits })),
]

/** Offsets and zone names. They are last, because a word that no other rule reads may be a zone. */
export const zoneRules: readonly DateTextRule[] = [
  // +02:00, -0430, GMT+2
  rule('(?:utc|gmt)?(?<sign>[+-])(?<hours>\\d{1,2})(?::?(?<minutes>\\d\\d))?(?![\\d:])', readOffset),
  // Z, EST, Europe/Paris
  rule('(?<name>[a-z][a-z0-9_+/-]*)', readZoneName),
]

function readDate(groups: Groups): DateTextParts | undefined {
  const year = readYear(groups.year)
  const month = groups.monthName === undefined ? Number(groups.month) : monthNumber(groups.monthName)
  if (!isWithin(month, 1, 12)) return undefined
  if (groups.day === undefined) return { date: year === undefined ? { month } : { year, month, day: 1 } }

  const day = Number(groups.day)
  if (!isWithin(day, 1, 31)) return undefined
  return { date: year === undefined ? { month, day } : { year, month, day } }
}

/** Two digits mean a year from 1970 to 2069. */
function readYear(digits: string | undefined): number | undefined {
  if (digits === undefined) return undefined
  const year = Number(digits)
  if (digits.length > 2) return year
  return year < 70 ? 2000 + year : 1900 + year
}

function monthNumber(name: string): number {
  return 'janfebmaraprmayjunjulaugsepoctnovdec'.indexOf(name.slice(0, 3)) / 3 + 1
}

function readWeek(groups: Groups): DateTextParts | undefined {
  const year = Number(groups.year)
  const week = Number(groups.week)
  if (!isWithin(week, 1, 53)) return undefined
  // ISO 8601: week 1 contains 4 January. The day is counted from 1 January and may overflow into the previous or next
  // year.
  const firstMonday = 4 - weekdayOf(dayNumber(year, 1, 4))
  return { date: { year, month: 1, day: firstMonday + (week - 1) * 7 + Number(groups.weekday ?? 1) - 1 } }
}

function readDayOfYear(groups: Groups): DateTextParts | undefined {
  const day = Number(groups.dayOfYear)
  return isWithin(day, 1, 366) ? { date: { year: Number(groups.year), month: 1, day } } : undefined
}

function readTime(groups: Groups): DateTextParts | undefined {
  const hour = hourOfDay(Number(groups.hour), groups.half)
  const minute = Number(groups.minute ?? 0)
  const second = Number(groups.second ?? 0)
  // 24:00 is the next day. Second 60 is a leap second, which becomes the first second of the next minute.
  if (hour === undefined || minute > 59 || second > 60) return undefined
  return { secondOfDay: hour * 3600 + minute * 60 + second }
}

function hourOfDay(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour <= 24 ? hour : undefined
  if (!isWithin(hour, 1, 12)) return undefined
  return (hour % 12) + (half === 'p' ? 12 : 0)
}

function readOffset(groups: Groups): DateTextParts | undefined {
  const minutes = Number(groups.minutes ?? 0)
  const offset = (groups.sign === '-' ? -1 : 1) * (Number(groups.hours) * 60 + minutes)
  // Decisions.md 32: the range of offsets in use on Earth.
  if (minutes > 59 || !isWithin(offset, -12 * 60, 14 * 60)) return undefined
  return fixedZone(offset * 60)
}

function readZoneName(groups: Groups): DateTextParts | undefined {
  const name = groups.name ?? ''
  // Abbreviations first: in a text, `CET` is winter time, although the tz database has a zone of that name.
  const offset = offsetOfAbbreviation(name)
  if (offset !== undefined) return fixedZone(offset)
  const zone = parseZone(name)
  return zone && { zone }
}

function fixedZone(offsetSeconds: number): DateTextParts {
  const id = formatOffset(offsetSeconds, ':')
  return { zone: { name: id, id, isManual: false } }
}

function isWithin(number: number, low: number, high: number): boolean {
  return number >= low && number <= high
}
