import {
  addMonths,
  addSeconds,
  dayNumber,
  type LocalDateTime,
  localDateTimeFromSeconds,
  maxLocalDateTimeSeconds,
  minLocalDateTimeSeconds,
  partsOfLocalDateTime,
  secondsOfLocalDateTime,
  startOfDay,
  weekdayOf,
} from '../../../base/time/local.date.time.ts'
import type { EventsByDay } from '../../../calendar/events/list/days.repository.ts'
import type { RenderedEvent } from '../../../calendar/events/model/event.ts'
import { type DayLayout, layOutDays, type Span } from '../assets/month.places.js'
import { lastDayOf } from '../date.texts.ts'

const daySeconds = 86_400

/** The days that a month shows: whole weeks, clamped to the years that can be written. */
export interface MonthGrid {
  /** Starts of the first and the last day of the month. */
  readonly month: readonly [LocalDateTime, LocalDateTime]
  /** Starts of the first and the last day that are shown. */
  readonly shown: readonly [LocalDateTime, LocalDateTime]
  /** The number of days of the first week that are not shown. */
  readonly before: number
}

export interface MonthDay extends DayLayout<RenderedEvent> {
  readonly start: LocalDateTime
  /** Whether it belongs to the previous or the next month. */
  readonly isOutside: boolean
}

/** The events of a month by day. */
export interface MonthEvents {
  readonly days: readonly MonthDay[]
  /** The number of events in the month, without those of neighbouring months only. */
  readonly total: number
  readonly events: readonly RenderedEvent[]
  /** Returns the loaded events of a day: its own first, then those that last several days. */
  on(day: LocalDateTime): readonly RenderedEvent[]
}

/** Returns the grid of the month that begins with this day. */
export function gridOf(first: LocalDateTime, weekStart: 'monday' | 'sunday'): MonthGrid {
  const shift = weekStart === 'monday' ? 0 : 1
  const placeInWeek = (localDateTime: LocalDateTime) => (weekdayOf(numberOf(localDateTime)) + shift) % 7
  const last = startOfDay(addSeconds(addMonths(first, 1), -1))
  const from = secondsOfLocalDateTime(first) - placeInWeek(first) * daySeconds
  const to = secondsOfLocalDateTime(last) + (6 - placeInWeek(last)) * daySeconds
  return {
    month: [first, last],
    shown: [
      localDateTimeFromSeconds(from),
      localDateTimeFromSeconds(Math.min(to, maxLocalDateTimeSeconds - daySeconds + 1)),
    ],
    before: Math.max(0, minLocalDateTimeSeconds - from) / daySeconds,
  }
}

export function monthOf({ events, counts }: EventsByDay, { month, shown, before }: MonthGrid): MonthEvents {
  const [first, last] = shown.map(numberOf) as [number, number]
  const spans: readonly Span<RenderedEvent>[] = events.map((event) => ({
    event,
    start: numberOf(event.start) - first,
    end: numberOf(lastDayOf(event)) - first,
  }))
  const days = last - first + 1
  const totals = new Array<number>(days).fill(0)
  const [own, ownLast] = month.map((localDateTime) => numberOf(localDateTime) - first) as [number, number]
  let total = 0
  for (const { day, until, isNight, count } of counts) {
    const from = numberOf(`${day} 00:00:00` as LocalDateTime) - first
    const to = numberOf(`${until} 00:00:00` as LocalDateTime) - first - (isNight ? 1 : 0)
    for (let place = from; place <= to; place += 1) totals[place] = (totals[place] ?? 0) + count
    // An event that ended in the night before the first day is on none of the days.
    if (from <= ownLast && to >= Math.max(own, from)) total += count
  }
  return {
    days: layOutDays(spans, { days, before, totals }).map((placed, place) => ({
      ...placed,
      start: localDateTimeFromSeconds((first + place) * daySeconds),
      isOutside: place < own || place > ownLast,
    })),
    total,
    events: spans.filter(({ start, end }) => start <= ownLast && end >= own).map(({ event }) => event),
    on: (day) => {
      const place = numberOf(day) - first
      const found = spans.filter(({ start, end }) => start <= place && place <= end)
      const [own, longer] = [true, false].map((isOwn) => found.filter(({ start, end }) => (start === end) === isOwn))
      return [...(own ?? []), ...(longer ?? [])].map(({ event }) => event)
    },
  }
}

function numberOf(localDateTime: LocalDateTime): number {
  const { year, month, day } = partsOfLocalDateTime(localDateTime)
  return dayNumber(year, month, day)
}
