import type { Config } from '../../base/config/config.ts'
import { Problem, type ProblemCode } from '../../base/problems.ts'
import { addMonths, dayOf, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { localDateTimeAt, type Zone } from '../../base/time/zone.ts'
import type { EventTimes } from '../events/model/event.ts'
import type { SeriesSegment } from '../occurrences/occurrence.ts'
import { longestYears } from '../recurrence/recurrence.limits.ts'
import { readRecurrence } from '../recurrence/recurrence.text.ts'
import { isRecurrenceFault, type Recurrence } from '../recurrence/recurrence.ts'
import { ruleText } from '../recurrence/rule.text.ts'
import { datesWithin, endOfTime, type GivenDate, isEndless, later } from './series.dates.ts'
import { isOutOfReach, withinReach } from './series.reach.ts'

export const recurrenceParameter = 'recurrence'

const codes = {
  'invalid-rule': 'series-invalid-rule',
  'too-many-dates': 'series-too-many-dates',
  'no-dates': 'series-no-dates',
} as const satisfies Record<string, ProblemCode>

/**
 * Reads what repeats, for an event with these times.
 *
 * @throws series-invalid-rule, series-too-many-dates, series-no-dates
 */
export function recurrenceFrom(
  sent: unknown,
  { start, zone, isAllDay }: Pick<EventTimes, 'start' | 'zone' | 'isAllDay'>,
): Recurrence {
  const read = readRecurrence(sent, { start, zone, isAllDay })
  if (!isRecurrenceFault(read)) return read
  throw new Problem(codes[read.code], { faults: { [recurrenceParameter]: read } })
}

/** What the dates of a series may be now. */
interface SeriesBounds {
  readonly config: Pick<Config, 'seriesMonthsAhead' | 'seriesMostDates'>
  /** Whole seconds since 1970, UTC. */
  readonly at: number
  /** Dates until this local time exist already, and stay. */
  readonly madeUntil?: LocalDateTime
  /** The dates that the series has already, in order. */
  readonly known?: readonly { readonly recurrenceId: LocalDateTime }[]
}

/** Returns the local time until when the dates of a series without an end exist. */
export function horizonAt(config: SeriesBounds['config'], zone: Zone, at: number): LocalDateTime {
  return addMonths(localDateTimeAt(at, zone), config.seriesMonthsAhead)
}

/** Whether a date is still to come. Dates that have begun do not count, so that a series can continue for years. */
export function isToCome(
  { recurrenceId, zone }: { readonly recurrenceId: LocalDateTime; readonly zone: Zone },
  at: number,
): boolean {
  return recurrenceId >= localDateTimeAt(at, zone)
}

/** The dates that a series has now. */
export interface ExpandedSeries {
  readonly given: readonly GivenDate[]
  /** The number of dates that are new or still to come. */
  readonly counted: number
  /** The segments, cut if a rule without an end has lasted so long that it must be followed from a later date. */
  readonly segments: readonly SeriesSegment[]
  readonly madeUntil: LocalDateTime
  readonly isEndless: boolean
}

/**
 * Returns the dates that a series should have: all of them, or those within the horizon if it has no end. Later dates
 * that it has already stay if the rules give them.
 *
 * @throws series-too-many-dates, series-no-dates
 */
export function expandWithin(
  sent: readonly SeriesSegment[],
  { config, at, madeUntil, known = [] }: SeriesBounds,
): ExpandedSeries {
  const last = sent.at(-1)
  const hasNoEnd = isEndless(sent)
  const horizon = last === undefined ? endOfTime : later(horizonAt(config, last.zone, at), last.start)
  const through = !hasNoEnd ? endOfTime : madeUntil === undefined ? horizon : later(horizon, madeUntil)
  const segments = hasNoEnd ? withinReach(sent, through) : sent
  const { dates, isCut } = datesWithin(segments, { through, known })
  if (hasNoEnd ? isOutOfReach(segments, through) : isCut) throw tooLong(last)
  const days = new Set(known.map(({ recurrenceId }) => dayOf(recurrenceId)))
  const counted = dates.filter(({ recurrenceId, segment: { zone } }) => {
    return isToCome({ recurrenceId, zone }, at) || !days.has(dayOf(recurrenceId))
  })
  if (counted.length > config.seriesMostDates) throw tooManyDates(counted.length, config.seriesMostDates)
  if (dates.length === 0) throw new Problem('series-no-dates')
  const end = dates.at(-1)?.recurrenceId ?? horizon
  return { given: dates, counted: counted.length, segments, madeUntil: hasNoEnd ? through : end, isEndless: hasNoEnd }
}

function tooManyDates(number: number, limit: number): Problem {
  const values = { count: String(number), most: String(limit) }
  const facts = { number, limit }
  return new Problem('series-too-many-dates', {
    ...{ details: facts, extra: facts },
    faults: { [recurrenceParameter]: { text: 'fault.series.too-many', values } },
  })
}

/** A rule whose dates are followed for too few years. */
function tooLong(segment: SeriesSegment | undefined): Problem {
  const { rule } = segment?.recurrence ?? {}
  const part = rule?.count === undefined ? (rule ? ruleText(rule) : '') : `COUNT=${rule.count}`
  const values = { part, start: segment?.start ?? '', most: String(longestYears) }
  return new Problem('series-too-many-dates', {
    faults: { [recurrenceParameter]: { text: 'fault.recurrence.too-far', values } },
  })
}
