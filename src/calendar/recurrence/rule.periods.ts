import {
  addMonths,
  dayNumber,
  type LocalDateTime,
  localDateTimeFromSeconds,
  partsOfLocalDateTime,
  weekdayOf,
} from '../../base/time/local.date.time.ts'
import { longestYears } from './recurrence.limits.ts'
import { type RecurrenceRule, type RuleDay, WEEKDAYS, type Weekday } from './recurrence.ts'

// Days are numbers from 1 January 1970 here, so a period is a short list of whole numbers.

/** Days that follow each other: a month or a year. */
interface Span {
  readonly first: number
  readonly length: number
}

/** Returns the last local time at which a date of a recurrence may start. */
export function horizonOf(start: LocalDateTime): LocalDateTime {
  return addMonths(start, longestYears * 12)
}

/**
 * Yields the days of each period of a rule, in order and without doubles, from the period of the start to `longestYears`
 * later. Days before the start are included, because positions in a period count them. A rule that never matches yields
 * empty periods: at most 3,654 for days, and fewer for longer periods.
 *
 * @see RFC 5545, 3.3.10
 */
export function* periodsOf(rule: RecurrenceRule, start: LocalDateTime): Generator<readonly number[]> {
  const end = dayOfText(horizonOf(start))
  const periodAt = periodReaders[rule.frequency](rule, start)
  for (let index = 0; ; index += rule.interval) {
    const { begin, days } = periodAt(index)
    if (begin > end) return
    const inOrder = [...new Set(days())].sort(ascending)
    yield atPositions(inOrder, rule.bySetPos).filter((day) => day <= end)
  }
}

/** Returns 00:00:00 of a day that is counted from 1 January 1970. */
export function startOfDayNumber(day: number): LocalDateTime {
  return localDateTimeFromSeconds(day * daySeconds)
}

const daySeconds = 86_400

/** A period: its first day, and the function that lists the days of the rule in it. */
interface Period {
  readonly begin: number
  readonly days: () => readonly number[]
}

/** Returns the function that finds the period at a distance from the period of the start. */
type PeriodReader = (rule: RecurrenceRule, start: LocalDateTime) => (index: number) => Period

const everyMonth = Array.from({ length: 12 }, (_, place) => place + 1)

const periodReaders: Readonly<Record<RecurrenceRule['frequency'], PeriodReader>> = {
  DAILY: (rule, start) => {
    const first = dayOfText(start)
    return (index) => {
      const begin = first + index
      return { begin, days: () => [begin].filter((day) => isWanted(rule, day) && isOnWeekday(rule.byDay, day)) }
    }
  },
  WEEKLY: (rule, start) => {
    const first = dayOfText(start)
    const weekBegin = first - ((weekdayOf(first) - WEEKDAYS.indexOf(rule.weekStart) + 7) % 7)
    const wanted = rule.byDay.length > 0 ? rule.byDay : [{ day: weekdayNameOf(first) }]
    return (index) => {
      const begin = weekBegin + index * 7
      const week = Array.from({ length: 7 }, (_, place) => begin + place)
      return { begin, days: () => week.filter((day) => isOnWeekday(wanted, day) && isWanted(rule, day)) }
    }
  },
  MONTHLY: (rule, start) => {
    const { year, month, day } = partsOfLocalDateTime(start)
    return (index) => {
      const months = month - 1 + index
      const number = (months % 12) + 1
      const span = spanOfMonths(year + Math.floor(months / 12), number, 1)
      const isLeftOut = rule.byMonth.length > 0 && !rule.byMonth.includes(number)
      return { begin: span.first, days: () => (isLeftOut ? [] : daysIn({ rule, day, months: [span], around: [span] })) }
    }
  },
  YEARLY: (rule, start) => {
    const { year, month, day } = partsOfLocalDateTime(start)
    const hasMonths = rule.byMonth.length > 0
    const otherMonths = rule.byMonthDay.length > 0 ? everyMonth : [month]
    const numbers = hasMonths ? rule.byMonth : otherMonths
    return (index) => {
      const whole = spanOfMonths(year + index, 1, 12)
      const months = numbers.map((number) => spanOfMonths(year + index, number, 1))
      return { begin: whole.first, days: () => daysIn({ rule, day, months, around: hasMonths ? months : [whole] }) }
    }
  },
}

interface Spans {
  readonly rule: RecurrenceRule
  /** The day of the month of the start. */
  readonly day: number
  readonly months: readonly Span[]
  /** The months or the year in which weekdays are counted. */
  readonly around: readonly Span[]
}

/** Days of the month that are also on the weekdays of the rule, or else these weekdays, or else the day of the start. */
function daysIn({ rule, day: startDay, months, around }: Spans): readonly number[] {
  if (rule.byMonthDay.length === 0 && rule.byDay.length > 0)
    return around.flatMap((span) => weekdaysIn(rule.byDay, span))
  const numbers = rule.byMonthDay.length > 0 ? rule.byMonthDay : [startDay]
  const days = months.flatMap((span) => monthDaysIn(numbers, span))
  if (rule.byDay.length === 0) return days
  const allowed = new Set(around.flatMap((span) => weekdaysIn(rule.byDay, span)))
  return days.filter((day) => allowed.has(day))
}

/** Returns the days with these numbers, from the end if negative. A month without such a day is left out. */
function monthDaysIn(numbers: readonly number[], { first, length }: Span): readonly number[] {
  const places = numbers.map((number) => (number > 0 ? number - 1 : length + number))
  return places.filter((place) => place >= 0 && place < length).map((place) => first + place)
}

/** Returns the union of the days that each weekday means. */
function weekdaysIn(byDay: readonly RuleDay[], { first, length }: Span): readonly number[] {
  return byDay.flatMap(({ day, ordinal }) => {
    const offset = (WEEKDAYS.indexOf(day) - weekdayOf(first) + 7) % 7
    const count = Math.ceil((length - offset) / 7)
    const all = Array.from({ length: count }, (_, place) => first + offset + place * 7)
    if (ordinal === undefined) return all
    const found = all[ordinal > 0 ? ordinal - 1 : count + ordinal]
    return found === undefined ? [] : [found]
  })
}

/** Returns the days at these positions in a period, from the end if negative. Without positions, all. */
function atPositions(days: readonly number[], positions: readonly number[]): readonly number[] {
  if (positions.length === 0) return days
  const wanted = new Set(positions.map((position) => (position > 0 ? position - 1 : days.length + position)))
  return days.filter((_, place) => wanted.has(place))
}

function isWanted({ byMonth, byMonthDay }: RecurrenceRule, day: number): boolean {
  if (byMonth.length === 0 && byMonthDay.length === 0) return true
  const date = new Date(day * daySeconds * 1000)
  const [year, month, monthDay] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
  if (byMonth.length > 0 && !byMonth.includes(month)) return false
  if (byMonthDay.length === 0 || byMonthDay.includes(monthDay)) return true
  return byMonthDay.includes(monthDay - spanOfMonths(year, month, 1).length - 1)
}

function isOnWeekday(byDay: readonly RuleDay[], day: number): boolean {
  return byDay.length === 0 || byDay.some((one) => one.day === weekdayNameOf(day))
}

function weekdayNameOf(day: number): Weekday {
  return WEEKDAYS[weekdayOf(day)] ?? 'MO'
}

function spanOfMonths(year: number, month: number, months: number): Span {
  const first = dayNumber(year, month, 1)
  return { first, length: dayNumber(year, month + months, 1) - first }
}

function dayOfText(localDateTime: LocalDateTime): number {
  const { year, month, day } = partsOfLocalDateTime(localDateTime)
  return dayNumber(year, month, day)
}

function ascending(one: number, other: number): number {
  return one - other
}
