import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { datesOf } from '../recurrence/rule.dates.ts'
import type { SeriesSegment } from './occurrence.ts'

// What everybody may know of the rules of a series: the rules themselves, and what follows from them. Further dates and
// exceptions may be drafts, or dates that were never published.

/** Returns a segment without its further dates and exceptions. Undefined if it has no rule. */
export function publicRule(segment: SeriesSegment): SeriesSegment | undefined {
  const { rule } = segment.recurrence
  if (!rule) return undefined
  const known = publicRules.get(segment)
  if (known) return known
  const shown = { ...segment, recurrence: { rule, dates: [], except: [] } }
  publicRules.set(segment, shown)
  return shown
}

/** The dates of a page share their segments. */
const publicRules = new WeakMap<SeriesSegment, SeriesSegment>()

const lastTime = '9999-12-31 23:59:59' as LocalDateTime

/** Returns the segments of a series that have rules, without further dates and exceptions. */
export function publicSegments(segments: readonly SeriesSegment[]): readonly SeriesSegment[] {
  return segments.flatMap((segment) => {
    const shown = publicRule(segment)
    if (!shown) return []
    // A segment may begin right after a further date of the earlier segment. Its rule begins with a date of its own.
    const { start, from, recurrence } = shown
    const first = datesOf(recurrence, { start, through: lastTime, limit: 1, from }).dates[0]
    return [{ ...shown, from: first ?? start }]
  })
}
