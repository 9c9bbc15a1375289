import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { SeriesSegment } from '../occurrences/occurrence.ts'
import { datesOf } from '../recurrence/rule.dates.ts'
import { horizonOf } from '../recurrence/rule.periods.ts'
import { isEndless } from './series.dates.ts'
import { cutSegments, numbered } from './series.segments.ts'
import { maxSegments } from './series.ts'

/**
 * Returns segments whose rules reach this time. A rule is followed for some years from its start only, so one without an
 * end is cut at the last date of these years and followed from there. It gives the same dates as before. A rule that
 * gives no other date in these years stays as it is, and so does one that began too long ago.
 */
export function withinReach(segments: readonly SeriesSegment[], through: LocalDateTime): readonly SeriesSegment[] {
  let all = segments
  for (let cuts = 1; cuts < maxSegments; cuts += 1) {
    const at = lastWithinReach(all, through)
    if (at === undefined) return all
    const { before, after } = cutSegments(all, at)
    all = numbered([...before, ...after])
  }
  return all
}

/** Whether a series without an end began so long ago that its rules do not reach this time. */
export function isOutOfReach(segments: readonly SeriesSegment[], through: LocalDateTime): boolean {
  return lastWithinReach(segments, through) !== undefined
}

/** Returns the date at which the last rule must be cut to reach a time; undefined if it reaches it, or never does. */
function lastWithinReach(segments: readonly SeriesSegment[], through: LocalDateTime): LocalDateTime | undefined {
  const last = segments.at(-1)
  if (!last || !isEndless(segments)) return undefined
  const { start, from, recurrence } = last
  const reach = horizonOf(start)
  if (through <= reach) return undefined
  const bare = { rule: recurrence.rule, dates: [], except: [] }
  const date = datesOf(bare, { start, from, through: reach, limit: Number.POSITIVE_INFINITY }).dates.at(-1)
  return date !== undefined && date > start && date > from ? date : undefined
}
