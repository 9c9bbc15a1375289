import {
  addSeconds,
  dayNumber,
  dayOf,
  endOfDay,
  type LocalDateTime,
  partsOfLocalDateTime,
  secondsOfLocalDateTime,
  weekdayOf,
} from '../../base/time/local.date.time.ts'
import { timesOfDate } from '../events/model/date.times.ts'
import type { EventTimes } from '../events/model/event.ts'
import type { SeriesSegment } from '../occurrences/occurrence.ts'
import { type Recurrence, type RecurrenceRule, WEEKDAYS } from '../recurrence/recurrence.ts'
import { datesOf } from '../recurrence/rule.dates.ts'
import { endOfTime, later } from './series.dates.ts'

const countedAtMost = 10_000

/**
 * Cuts segments at a date. The date and all later ones are in the second list. Rules that count their dates
 * continue to count.
 */
export function cutSegments(
  segments: readonly SeriesSegment[],
  at: LocalDateTime,
): { readonly before: readonly SeriesSegment[]; readonly after: readonly SeriesSegment[] } {
  // A segment that has moved may begin some time before its first date.
  const place = segments.findLastIndex(({ from, start }) => later(from, start) < at)
  const before = segments.slice(0, place + 1)
  const after = segments.slice(place + 1)
  const last = before.at(-1)
  // The date may be the first of the next segment.
  if (!last || (after[0] && after[0].from <= at)) return { before, after }
  return { before: [...before.slice(0, -1), endedBefore(last, at)], after: [...begunAt(last, at), ...after] }
}

/** A segment without the further dates and exceptions from a date on. The next segment, or an end, ends its rule. */
function endedBefore(segment: SeriesSegment, at: LocalDateTime): SeriesSegment {
  const { rule, dates, except } = segment.recurrence
  const isBefore = (date: LocalDateTime) => date < at
  return { ...segment, recurrence: { rule, dates: dates.filter(isBefore), except: except.filter(isBefore) } }
}

/**
 * The rest of a segment from one of its dates on. It begins with this date, so that it can move. If the rule does not
 * give the date, further dates until the next date of the rule are a segment of their own.
 */
function begunAt(segment: SeriesSegment, at: LocalDateTime): readonly SeriesSegment[] {
  const { rule, dates, except } = segment.recurrence
  const { start } = segment
  const end = addSeconds(at, secondsOfLocalDateTime(segment.end) - secondsOfLocalDateTime(start))
  const begun = { ...segment, id: 0, from: at, start: at, end }
  const [later, left] = [dates.filter((date) => date > at), except.filter((date) => date >= at)]
  const next = rule && firstDateOf({ rule, start }, at)
  if (next !== at) {
    const isBefore = (date: LocalDateTime) => next === undefined || date < next
    const isLost = !dates.includes(at) && !left.includes(at)
    const few = { rule: undefined, dates: later.filter(isBefore), except: [...(isLost ? [at] : []), ...left] }
    const one = { ...begun, recurrence: { ...few, except: few.except.filter(isBefore) } }
    return next === undefined ? [one] : [one, ...begunAt(segment, next)]
  }
  if (rule?.count === undefined) return [{ ...begun, recurrence: { rule, dates: later, except: left } }]
  const done = datesOf(bare(rule), { start, through: addSeconds(at, -1), limit: countedAtMost }).dates.length
  const recurrence = { rule: { ...rule, count: rule.count - done }, dates: later, except: left }
  return [{ ...begun, recurrence }]
}

const bare = (rule: RecurrenceRule): Recurrence => ({ rule, dates: [], except: [] })

/** Returns the first date that a rule gives from a time on, exceptions too. */
function firstDateOf(
  { rule, start }: { readonly rule: RecurrenceRule; readonly start: LocalDateTime },
  from: LocalDateTime,
): LocalDateTime | undefined {
  return datesOf(bare(rule), { start, through: endOfTime, limit: 1, from }).dates[0]
}

export function endBefore(segments: readonly SeriesSegment[], at: LocalDateTime): readonly SeriesSegment[] {
  const { before, after } = cutSegments(segments, at)
  const last = before.at(-1)
  if (!last) return before
  const end = after[0]?.from ?? at
  const ended = endedBefore(last, end)
  const { rule, ...rest } = ended.recurrence
  if (!rule || firstDateOf({ rule, start: last.start }, end) === undefined) return [...before.slice(0, -1), ended]
  const { count: _, ...endless } = rule
  // A rule gives at most one date each day. Further dates of the day may be before it, or after it.
  const isBefore = `${dayOf(end)}${last.start.slice(10)}` < end
  const until = endOfDay(isBefore ? end : addSeconds(end, -86_400))
  return [...before.slice(0, -1), { ...ended, recurrence: { rule: { ...endless, until }, ...rest } }]
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

function dayNumberOf(date: LocalDateTime): number {
  const { year, month, day } = partsOfLocalDateTime(date)
  return dayNumber(year, month, day)
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
