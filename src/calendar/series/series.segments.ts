import {
  addSeconds,
  dayNumber,
  endOfDay,
  type LocalDateTime,
  partsOfLocalDateTime,
  secondsOfLocalDateTime,
  weekdayOf,
} from '../../base/time/local.date.time.ts'
import { timesOfDate } from '../events/event.date.times.ts'
import type { EventTimes } from '../events/event.ts'
import type { SeriesSegment } from '../occurrences/occurrence.ts'
import { type Recurrence, type RecurrenceRule, WEEKDAYS } from '../recurrence/recurrence.ts'
import { datesOf } from '../recurrence/rule.dates.ts'
import { earlier } from './series.dates.ts'

/** How times change: the start by seconds of the clock, the rest to these values. */
export interface TimeShift {
  readonly seconds: number
  readonly length: number
  readonly zone: EventTimes['zone']
  readonly isAllDay: boolean
}

const countedAtMost = 10_000

/** Returns the change that gives a date with the times `before` the times `after`. */
export function shiftBetween(before: Pick<EventTimes, 'start'>, after: EventTimes): TimeShift {
  return {
    seconds: secondsOfLocalDateTime(after.start) - secondsOfLocalDateTime(before.start),
    length: secondsOfLocalDateTime(after.end) - secondsOfLocalDateTime(after.start),
    zone: after.zone,
    isAllDay: after.isAllDay,
  }
}

/**
 * Cuts segments at a date. The date and all later ones are in the second list. Rules that count their dates
 * continue to count.
 */
export function cutSegments(
  segments: readonly SeriesSegment[],
  at: LocalDateTime,
): { readonly before: readonly SeriesSegment[]; readonly after: readonly SeriesSegment[] } {
  const place = segments.findLastIndex(({ from }) => from < at)
  const before = segments.slice(0, place + 1)
  const after = segments.slice(place + 1)
  const last = before.at(-1)
  // The segment begins where the next one does if the date is the first of the next one.
  if (!last || after[0]?.from === at) return { before, after }
  return { before: [...before.slice(0, -1), endedBefore(last, at)], after: [begunAt(last, at), ...after] }
}

/** A segment without the further dates and exceptions from a date on. The next segment, or an end, ends its rule. */
function endedBefore(segment: SeriesSegment, at: LocalDateTime): SeriesSegment {
  const { rule, dates, except } = segment.recurrence
  const isBefore = (date: LocalDateTime) => date < at
  return { ...segment, recurrence: { rule, dates: dates.filter(isBefore), except: except.filter(isBefore) } }
}

/**
 * The rest of a segment from one of its dates on. If its rule gives the date, the rest begins with it. Otherwise, its
 * rule still counts from the earlier start.
 */
function begunAt(segment: SeriesSegment, at: LocalDateTime): SeriesSegment {
  const { rule, dates, except } = segment.recurrence
  const rest = { dates: dates.filter((date) => date >= at), except: except.filter((date) => date >= at) }
  const { start } = segment
  const bare = { rule, dates: [], except: [] }
  const isOfRule = rule && datesOf(bare, { start, through: at, limit: 1, from: at }).dates.length > 0
  if (rule && !isOfRule) return { ...segment, from: at, recurrence: { rule, ...rest } }
  const end = addSeconds(at, secondsOfLocalDateTime(segment.end) - secondsOfLocalDateTime(start))
  const later = { dates: rest.dates.filter((date) => date > at), except: rest.except }
  const begun = { ...segment, from: at, start: at, end }
  if (rule?.count === undefined) return { ...begun, recurrence: { rule, ...later } }
  const done = datesOf(bare, { start, through: addSeconds(at, -1), limit: countedAtMost }).dates.length
  return { ...begun, recurrence: { rule: { ...rule, count: rule.count - done }, ...later } }
}

/** Returns segments that have no dates from this one on. */
export function endBefore(segments: readonly SeriesSegment[], at: LocalDateTime): readonly SeriesSegment[] {
  const { before } = cutSegments(segments, at)
  const last = before.at(-1)
  if (!last?.recurrence.rule) return before
  const { count: _, ...rule } = last.recurrence.rule
  // A rule gives at most one date each day, so the end of the day before ends it.
  const until = endOfDay(addSeconds(at, -86_400))
  return [...before.slice(0, -1), { ...last, recurrence: { ...last.recurrence, rule: { ...rule, until } } }]
}

/** Returns a segment with other times. Its rule and its further dates move along. */
export function shiftSegment(segment: SeriesSegment, shift: TimeShift): SeriesSegment {
  const move = (date: LocalDateTime) => addSeconds(date, shift.seconds)
  const { rule, dates, except } = segment.recurrence
  const start = move(segment.start)
  return {
    ...segment,
    from: earlier(move(segment.from), segment.from),
    ...{ start, end: addSeconds(start, shift.length), zone: shift.zone, isAllDay: shift.isAllDay },
    recurrence: {
      rule: rule && shiftRule(rule, { from: segment.start, to: start }),
      dates: dates.map(move),
      except: except.map(move),
    },
  }
}

/** Moves the days of a rule along with its start. */
function shiftRule(
  rule: RecurrenceRule,
  { from, to }: { readonly from: LocalDateTime; readonly to: LocalDateTime },
): RecurrenceRule {
  const days = dayNumberOf(to) - dayNumberOf(from)
  if (days === 0) return rule
  const moved = (day: (typeof WEEKDAYS)[number]) => WEEKDAYS[weekdayAfter(WEEKDAYS.indexOf(day), days)] ?? day
  const [fromParts, toParts] = [partsOfLocalDateTime(from), partsOfLocalDateTime(to)]
  const replaced = (numbers: readonly number[], one: number, other: number) =>
    [...new Set(numbers.map((number) => (number === one ? other : number)))].sort((a, b) => a - b)
  return {
    ...rule,
    ...(rule.until === undefined ? {} : { until: endOfDay(addSeconds(rule.until, days * 86_400)) }),
    byDay: rule.byDay
      .map(({ day, ...rest }) => ({ ...rest, day: moved(day) }))
      .sort((one, other) => (one.ordinal ?? 0) - (other.ordinal ?? 0) || indexOf(one.day) - indexOf(other.day)),
    byMonthDay: replaced(rule.byMonthDay, fromParts.day, toParts.day),
    byMonth: replaced(rule.byMonth, fromParts.month, toParts.month),
  }
}

const indexOf = (day: (typeof WEEKDAYS)[number]): number => WEEKDAYS.indexOf(day)

function weekdayAfter(weekday: number, days: number): number {
  return (((weekday + days) % 7) + 7) % 7
}

function dayNumberOf(date: LocalDateTime): number {
  const { year, month, day } = partsOfLocalDateTime(date)
  return dayNumber(year, month, day)
}

/**
 * Returns the first date of a new rule. If the rule leaves out the day of the date from which it counts, and nobody has
 * sent that day, the rule begins with its own first date.
 */
export function firstOfRule(recurrence: Recurrence, start: LocalDateTime): LocalDateTime {
  const { rule } = recurrence
  if (!rule || fits(rule, start)) return start
  const { count: _, ...endless } = rule
  const bare = { rule: endless, dates: [], except: [start] }
  return datesOf(bare, { start, through: '9999-12-31 23:59:59' as LocalDateTime, limit: 1 }).dates[0] ?? start
}

function fits({ byDay, byMonth, byMonthDay }: RecurrenceRule, start: LocalDateTime): boolean {
  const { month, day, year } = partsOfLocalDateTime(start)
  const weekday = WEEKDAYS[weekdayOf(dayNumberOf(start))]
  const daysOfMonth = dayNumber(year, month + 1, 1) - dayNumber(year, month, 1)
  const isDay = byMonthDay.some((one) => (one > 0 ? one : daysOfMonth + one + 1) === day)
  const isWeekday = byDay.some(({ day: one, ordinal = 0 }) => {
    if (one !== weekday) return false
    if (ordinal === 0) return true
    return ordinal > 0 ? Math.ceil(day / 7) === ordinal : Math.ceil((daysOfMonth - day + 1) / 7) === -ordinal
  })
  return (
    (byMonth.length === 0 || byMonth.includes(month)) &&
    (byMonthDay.length === 0 || isDay) &&
    (byDay.length === 0 || isWeekday)
  )
}

/** Numbers segments by their order, and leaves out those that end before they begin. */
export function numbered(segments: readonly SeriesSegment[]): readonly SeriesSegment[] {
  const kept = segments.filter(({ from }, place) => {
    const next = segments[place + 1]
    return next === undefined || from < next.from
  })
  return kept.map((segment, position) => ({ ...segment, position }))
}

/** Returns the times of the first date of a segment. */
export function timesOfSegment(segment: SeriesSegment): EventTimes {
  return timesOfDate(segment, segment.start)
}
