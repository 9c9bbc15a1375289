import { addSeconds, type LocalDateTime, secondsOfLocalDateTime } from '../../../base/time/local.date.time.ts'
import type { SeriesSegment } from '../../occurrences/occurrence.ts'
import { type EventTimes, timesOf } from './event.ts'

export function hasTimes(event: EventTimes, { start, startUtc, endUtc, zone, isAllDay }: EventTimes): boolean {
  const isSame = event.startUtc === startUtc && event.endUtc === endUtc && event.isAllDay === isAllDay
  return isSame && event.start === start && event.zone.name === zone.name
}

/**
 * Returns the times of a date. Its length is that of its segment, in local time. If a clock change skips its
 * start, the whole date moves forward.
 */
export function timesOfDate({ start, end, zone, isAllDay }: SeriesSegment, recurrenceId: LocalDateTime): EventTimes {
  const length = secondsOfLocalDateTime(end) - secondsOfLocalDateTime(start)
  const times = timesOf({ start: recurrenceId, end: addSeconds(recurrenceId, length), zone, isAllDay })
  if (times.start === recurrenceId) return times
  return timesOf({ start: times.start, end: addSeconds(times.start, length), zone, isAllDay })
}
