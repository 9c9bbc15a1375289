import { addSeconds, type LocalDateTime, secondsOfLocalDateTime } from '../../base/time/local.date.time.ts'
import type { Recurrence } from '../recurrence/recurrence.ts'
import { datesOf } from '../recurrence/rule.dates.ts'
import type { SeriesSegment } from './occurrence.ts'

/** Returns the segment that gives a date: the last one that begins before it. */
export function segmentOf(segments: readonly SeriesSegment[], date: LocalDateTime): SeriesSegment | undefined {
  return segments.findLast(({ from }) => from <= date) ?? segments[0]
}

/** Leaves a date out of the series. */
export function withoutDate(segments: readonly SeriesSegment[], date: LocalDateTime): readonly SeriesSegment[] {
  return changedAt(segments, date, (segment) => {
    const { rule, dates, except } = segment.recurrence
    const recurrence = { rule, dates: dates.filter((one) => one !== date), except }
    return gives({ ...segment, recurrence }, date)
      ? { ...recurrence, except: [...new Set([...except, date])].sort() }
      : recurrence
  })
}

/**
 * Adds a date to the series. A date before the first one of a segment becomes a segment of its own, or the first one of a
 * segment that has no rule.
 */
export function withDate(segments: readonly SeriesSegment[], date: LocalDateTime): readonly SeriesSegment[] {
  const place = Math.max(
    0,
    segments.findLastIndex(({ from }) => from <= date),
  )
  const segment = segments[place]
  if (segment && date < segment.start) {
    const from = date < segment.from ? date : segment.from
    const end = addSeconds(date, secondsOfLocalDateTime(segment.end) - secondsOfLocalDateTime(segment.start))
    const { rule, dates, except } = segment.recurrence
    if (rule === undefined) {
      const others = [...dates, segment.start].filter((other) => !except.includes(other))
      const recurrence = { rule, dates: [...new Set(others)].sort(), except: [] }
      return segments.with(place, { ...segment, from, start: date, end, recurrence })
    }
    const one = { ...segment, id: 0, from, start: date, end, recurrence: { rule: undefined, dates: [], except: [] } }
    return [...segments.slice(0, place), one, { ...segment, from: segment.start }, ...segments.slice(place + 1)]
  }
  return changedAt(segments, date, (segment) => {
    const { rule, dates, except } = segment.recurrence
    const recurrence = { rule, dates, except: except.filter((one) => one !== date) }
    return gives({ ...segment, recurrence }, date)
      ? recurrence
      : { ...recurrence, dates: [...new Set([...dates, date])].sort() }
  })
}

/** Whether a segment gives this date. */
function gives({ recurrence, start }: SeriesSegment, date: LocalDateTime): boolean {
  return datesOf(recurrence, { start, through: date, limit: 1, from: date }).dates.length > 0
}

function changedAt(
  segments: readonly SeriesSegment[],
  date: LocalDateTime,
  change: (segment: SeriesSegment) => Recurrence,
): readonly SeriesSegment[] {
  const place = Math.max(
    0,
    segments.findLastIndex(({ from }) => from <= date),
  )
  return segments.map((segment, at) => (at === place ? { ...segment, recurrence: change(segment) } : segment))
}
