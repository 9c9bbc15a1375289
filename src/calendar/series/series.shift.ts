import {
  addSeconds,
  endOfDay,
  type LocalDateTime,
  secondsOfLocalDateTime,
  startOfDay,
} from '../../base/time/local.date.time.ts'
import type { EventTimes } from '../events/model/event.ts'
import type { SeriesSegment } from '../occurrences/occurrence.ts'
import { later } from './series.dates.ts'
import { shiftRule } from './series.rule.shift.ts'

// Other times for a whole segment: its rule and its further dates move along.

/** How the times of dates change. Each segment keeps its own length and time of day, and changes by as much. */
export interface TimeShift {
  /** Seconds of the clock by which the start and the end move. */
  readonly start: number
  readonly end: number
  /** Seconds of whole days by which the first and the last day move. */
  readonly startDays: number
  readonly endDays: number
  /** Undefined: they stay. */
  readonly zone: EventTimes['zone'] | undefined
  readonly isAllDay: boolean | undefined
}

type Times = Pick<EventTimes, 'start' | 'end' | 'zone' | 'isAllDay'>

/** Returns the change that gives a date with the times `before` the times `after`. */
export function shiftBetween(before: Times, after: Times): TimeShift {
  const startDays = secondsBetween(startOfDay(before.start), startOfDay(after.start))
  const isOfDays = before.isAllDay || after.isAllDay
  return {
    start: secondsBetween(before.start, after.start),
    end: secondsBetween(before.end, after.end),
    startDays,
    endDays: isOfDays ? secondsBetween(startOfDay(before.end), startOfDay(after.end)) : startDays,
    zone: before.zone.name === after.zone.name ? undefined : after.zone,
    isAllDay: before.isAllDay === after.isAllDay ? undefined : after.isAllDay,
  }
}

/** Whether a change leaves all times as they are. */
export function isNothing({ start, end, zone, isAllDay }: TimeShift): boolean {
  return start === 0 && end === 0 && zone === undefined && isAllDay === undefined
}

/** Returns by how much dates move, as far as that says which date is which. */
export function matchingSeconds({ start, startDays, isAllDay }: TimeShift): number {
  return isAllDay === undefined ? start : startDays
}

/**
 * Returns a segment with other times. Its rule and its further dates move along.
 *
 * @throws series-invalid-rule
 */
export function shiftSegment(segment: SeriesSegment, shift: TimeShift): SeriesSegment {
  const times = shiftedTimes(segment, shift)
  const seconds = secondsBetween(segment.start, times.start)
  const move = (date: LocalDateTime) => addSeconds(date, seconds)
  const { rule, dates, except } = segment.recurrence
  return {
    ...segment,
    ...times,
    from: move(segment.from),
    recurrence: {
      rule: rule && shiftRule(rule, { from: segment.start, to: times.start }),
      dates: dates.map(move),
      except: except.map(move),
    },
  }
}

function shiftedTimes({ start, end, ...segment }: SeriesSegment, shift: TimeShift): Times {
  const isAllDay = shift.isAllDay ?? segment.isAllDay
  const zone = shift.zone ?? segment.zone
  if (isAllDay) {
    const first = startOfDay(addSeconds(start, shift.startDays))
    const last = endOfDay(addSeconds(end, shift.endDays))
    return { start: first, end: later(last, endOfDay(first)), zone, isAllDay }
  }
  // A segment that has hours already keeps them if others get theirs.
  const isOfDays = shift.isAllDay !== undefined && !segment.isAllDay
  const first = addSeconds(start, isOfDays ? shift.startDays : shift.start)
  const last = addSeconds(end, isOfDays ? shift.startDays : shift.end)
  return { start: first, end: later(last, first), zone, isAllDay }
}

function secondsBetween(one: LocalDateTime, other: LocalDateTime): number {
  return secondsOfLocalDateTime(other) - secondsOfLocalDateTime(one)
}
