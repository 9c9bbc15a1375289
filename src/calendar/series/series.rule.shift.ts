import { Problem } from '../../base/problems.ts'
import {
  addSeconds,
  dayNumber,
  endOfDay,
  type LocalDateTime,
  partsOfLocalDateTime,
  secondsOfLocalDateTime,
} from '../../base/time/local.date.time.ts'
import { type RecurrenceRule, type RuleDay, WEEKDAYS, type Weekday } from '../recurrence/recurrence.ts'
import { datesOf } from '../recurrence/rule.dates.ts'
import { ruleText } from '../recurrence/rule.text.ts'
import { endOfTime, nearSeconds } from './series.dates.ts'

// A rule whose start moves to another day: its days move along.

/** The start of a rule before and after. */
interface Move {
  readonly from: LocalDateTime
  readonly to: LocalDateTime
}

/**
 * Moves the days of a rule along with its start. Each date moves by as much as the start, or by a week more or less
 * if the rule counts weekdays in months: the day after the second Friday is the second or the third Saturday.
 *
 * @throws series-invalid-rule, if no rule of this form gives such dates
 */
export function shiftRule(rule: RecurrenceRule, move: Move): RecurrenceRule {
  const days = dayNumberOf(move.to) - dayNumberOf(move.from)
  if (days === 0) return rule
  const [from, to] = [partsOfLocalDateTime(move.from), partsOfLocalDateTime(move.to)]
  const isOfWeeks = rule.frequency === 'WEEKLY' && rule.byDay.length > 1 && (rule.interval > 1 || hasPositions(rule))
  const moved: RecurrenceRule = {
    ...rule,
    ...(rule.until === undefined ? {} : { until: endOfDay(addSeconds(rule.until, days * daySeconds)) }),
    byDay: inOrder(rule.byDay.map(({ day, ...rest }) => ({ ...rest, day: weekdayAfter(day, days) }))),
    byMonthDay: monthDaysOf(rule, move),
    byMonth: rule.byMonth.map((month) => ((month - 1 + to.month - from.month + 12) % 12) + 1).sort(ascending),
    weekStart: isOfWeeks ? weekdayAfter(rule.weekStart, days) : rule.weekStart,
  }
  if (!hasPositions(rule)) return moved
  const candidates = [...positioned(moved, move), moved]
  const found =
    candidates.find((one) => distance(rule, one, move) === 0) ??
    candidates.find((one) => distance(rule, one, move) <= nearSeconds)
  return found ?? refuse(rule)
}

const daySeconds = 86_400

/** Whether a rule counts days in its periods. */
function hasPositions({ byDay, bySetPos }: RecurrenceRule): boolean {
  return bySetPos.length > 0 || byDay.some(({ ordinal }) => ordinal !== undefined)
}

/** Returns the days of the month, moved as the start. */
function monthDaysOf(rule: RecurrenceRule, { from, to }: Move): readonly number[] {
  const [was, is] = [partsOfLocalDateTime(from).day, partsOfLocalDateTime(to).day]
  const numbers = rule.byMonthDay.map((day) => (day > 0 ? day + is - was : day + daysLeft(from) - daysLeft(to)))
  const isValid = numbers.every((number, place) => {
    return Math.sign(number) === Math.sign(rule.byMonthDay[place] ?? 0) && Math.abs(number) <= 31
  })
  if (isValid) return numbers.sort((one, other) => Number(one < 0) - Number(other < 0) || one - other)
  return numbers.length === 1 ? [is] : refuse(rule)
}

/** Returns the number of days of the month after this one. */
function daysLeft(date: LocalDateTime): number {
  const { year, month } = partsOfLocalDateTime(date)
  return dayNumber(year, month + 1, 1) - 1 - dayNumberOf(date)
}

/** Returns rules that count their days as the new start is counted: from the beginning, and from the end. */
function positioned(rule: RecurrenceRule, { from, to }: Move): readonly RecurrenceRule[] {
  const [was, is] = [placesOf(rule, from), placesOf(rule, to)]
  const moved = (ordinal: number) => ordinal + (ordinal > 0 ? is.first - was.first : is.last - was.last)
  const shifted = withPositions(rule, moved)
  const isSingle = rule.bySetPos.length + rule.byDay.length <= (rule.bySetPos.length > 0 ? 2 : 1)
  const single = isSingle ? [withPositions(rule, () => is.first), withPositions(rule, () => is.last)] : []
  return [shifted, ...single].flatMap((one) => one ?? [])
}

/** Returns a rule with other positions. Undefined if a position would be on the other side of a period. */
function withPositions(rule: RecurrenceRule, change: (position: number) => number): RecurrenceRule | undefined {
  const isValid = (position: number) => position !== 0 && Math.abs(position) <= 53
  if (rule.bySetPos.length > 0) {
    const bySetPos = rule.bySetPos.map(change).sort((one, other) => Number(one < 0) - Number(other < 0) || one - other)
    return bySetPos.every(isValid) ? { ...rule, bySetPos } : undefined
  }
  const byDay = rule.byDay.map((one) => (one.ordinal === undefined ? one : { ...one, ordinal: change(one.ordinal) }))
  return byDay.every(({ ordinal = 1 }) => isValid(ordinal)) ? { ...rule, byDay: inOrder(byDay) } : undefined
}

/** Returns which of its weekday a date is in its month, or in its year if the rule counts there. */
function placesOf({ frequency, byMonth }: RecurrenceRule, date: LocalDateTime): { first: number; last: number } {
  const { year, month } = partsOfLocalDateTime(date)
  const [first, months] = frequency === 'YEARLY' && byMonth.length === 0 ? [1, 12] : [month, 1]
  const day = dayNumberOf(date)
  const [begin, end] = [dayNumber(year, first, 1), dayNumber(year, first + months, 1)]
  return { first: Math.ceil((day - begin + 1) / 7), last: -Math.ceil((end - day) / 7) }
}

const datesCompared = 60

/** Returns how far the dates of a rule are from those of the rule before, moved as the start. In seconds. */
function distance(before: RecurrenceRule, after: RecurrenceRule, { from, to }: Move): number {
  const datesFrom = (rule: RecurrenceRule, start: LocalDateTime) => {
    const { count: _, until: __, ...endless } = rule
    const recurrence = { rule: endless, dates: [], except: [] }
    return datesOf(recurrence, { start, through: endOfTime, limit: datesCompared }).dates
  }
  const seconds = secondsOfLocalDateTime(to) - secondsOfLocalDateTime(from)
  const [known, given] = [datesFrom(before, from), datesFrom(after, to)]
  const differences = known.slice(0, given.length).map((date, place) => {
    return Math.abs(secondsOfLocalDateTime(date) + seconds - secondsOfLocalDateTime(given[place] ?? date))
  })
  return Math.max(...differences)
}

function refuse(rule: RecurrenceRule): never {
  const { count: _, until: __, ...endless } = rule
  throw new Problem('series-invalid-rule', {
    faults: { start_date: { text: 'fault.series.positions', values: { part: ruleText(endless) } } },
  })
}

function inOrder(days: readonly RuleDay[]): readonly RuleDay[] {
  return days.toSorted((one, other) => {
    return WEEKDAYS.indexOf(one.day) - WEEKDAYS.indexOf(other.day) || (one.ordinal ?? 0) - (other.ordinal ?? 0)
  })
}

function weekdayAfter(day: Weekday, days: number): Weekday {
  return WEEKDAYS[(((WEEKDAYS.indexOf(day) + days) % 7) + 7) % 7] ?? day
}

function dayNumberOf(date: LocalDateTime): number {
  const { year, month, day } = partsOfLocalDateTime(date)
  return dayNumber(year, month, day)
}

function ascending(one: number, other: number): number {
  return one - other
}
