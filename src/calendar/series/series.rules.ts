import { Problem } from '../../base/problems.ts'
import { addSeconds, type LocalDateTime, secondsOfLocalDateTime } from '../../base/time/local.date.time.ts'
import type { EventTimes } from '../events/model/event.ts'
import type { SeriesSegment } from '../occurrences/occurrence.ts'
import type { Recurrence } from '../recurrence/recurrence.ts'
import { earlier, endOfTime, later, type MovedDates, startOfTime } from './series.dates.ts'
import { recurrenceFrom, recurrenceParameter } from './series.recurrence.ts'
import { cutSegments, firstOfRule, numbered } from './series.segments.ts'
import { isNothing, matchingSeconds, shiftBetween, shiftSegment } from './series.shift.ts'
import { maxSegments } from './series.ts'

export interface RuleChange {
  /** The first date that changes. Undefined: all dates change. */
  readonly at: LocalDateTime | undefined
  /** The last date before it, which stays. */
  readonly last: LocalDateTime | undefined
  /** The times that a date has by the rules, and its new times. Undefined: times stay. */
  readonly times: { readonly from: EventTimes; readonly to: EventTimes; readonly isMoved: boolean } | undefined
  /** What repeats from now on, as it was sent. Undefined: the rules stay. */
  readonly recurrence: unknown
}

/** Segments after a change, and from when on they differ. */
export interface ChangedRules {
  readonly segments: readonly SeriesSegment[]
  readonly from: LocalDateTime
  /** Which dates move along with their series. Undefined: none. */
  readonly moved?: MovedDates
}

/**
 * Returns the segments of a series after a change of its rules or times. Dates before the first changed one stay.
 *
 * @throws rest_invalid_param, series-invalid-rule, series-too-many-dates, series-no-dates
 */
export function changeRules(segments: readonly SeriesSegment[], change: RuleChange): ChangedRules {
  const { at, last, times, recurrence } = change
  const shift = times && shiftBetween(times.from, times.to)
  if (recurrence === undefined && (!shift || isNothing(shift))) return { segments, from: at ?? startOfTime }
  const { before, after } = at === undefined ? { before: [], after: segments } : cutSegments(segments, at)
  // A rule that is replaced need not be able to move.
  const left = recurrence === undefined ? after : after.map((segment) => ({ ...segment, recurrence: nothing }))
  const shifted = shift ? left.map((segment) => shiftSegment(segment, shift)) : left
  const changed = recurrence === undefined ? shifted : replaced(shifted, change)
  const [first, ...others] = changed
  if (!first || !after[0]) return { segments, from: endOfTime }
  const isAfter = last === undefined || before.length === 0 || first.start > last
  if (!isAfter) throw tooEarly(last)
  // Dates that stay end before the changed ones begin.
  const begun = at === undefined ? first.from : earlier(first.from, after[0].from)
  const from = last === undefined || before.length === 0 ? begun : later(begun, addSeconds(last, 1))
  const all = numbered([...before, { ...first, from }, ...others])
  const moved = { at: at ?? startOfTime, seconds: shift ? matchingSeconds(shift) : 0 }
  if (all.length <= maxSegments) return { segments: all, from: before.length === 0 ? startOfTime : from, moved }
  const values = { most: String(maxSegments - 1) }
  throw new Problem('series-invalid-rule', {
    faults: { [recurrenceParameter]: { text: 'fault.series.segments', values } },
  })
}

const nothing: Recurrence = { rule: undefined, dates: [], except: [] }

/** The dates before the changed ones stay, and the order of all dates too. */
function tooEarly(last: LocalDateTime): Problem {
  return new Problem('rest_invalid_param', {
    faults: { start_date: { text: 'fault.series.early', values: { start: last } } },
  })
}

/** Returns one segment with the rule that was sent, from the first changed date on. */
function replaced(
  segments: readonly SeriesSegment[],
  { recurrence: sent, times }: RuleChange,
): readonly SeriesSegment[] {
  const [first] = segments
  if (!first) return segments
  const begun = startingAt(first, later(first.start, first.from))
  const recurrence = recurrenceFrom(sent, begun)
  // A start that was sent is the first date, even if the rule leaves it out.
  const start = times?.isMoved ? begun.start : firstOfRule(recurrence, begun.start)
  if (start === begun.start) return [{ ...begun, recurrence }]
  const moved = startingAt(begun, start)
  return [{ ...moved, recurrence: recurrenceFrom(sent, moved) }]
}

function startingAt(segment: SeriesSegment, start: LocalDateTime): SeriesSegment {
  const length = secondsOfLocalDateTime(segment.end) - secondsOfLocalDateTime(segment.start)
  return { ...segment, from: earlier(segment.from, start), start, end: addSeconds(start, length) }
}
