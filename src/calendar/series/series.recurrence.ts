import type { Config } from '../../base/config/config.ts'
import { Problem, type ProblemCode } from '../../base/problems.ts'
import { addMonths, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { localDateTimeAt, type Zone } from '../../base/time/zone.ts'
import type { EventTimes } from '../events/event.ts'
import type { SeriesSegment } from '../occurrences/occurrence.ts'
import { readRecurrence } from '../recurrence/recurrence.text.ts'
import { isRecurrenceFault, type Recurrence } from '../recurrence/recurrence.ts'
import { endOfTime, expandSeries, type GivenDate, isEndless, later } from './series.dates.ts'

/** The parameter that says what repeats. */
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
}

/** Returns the local time until when the dates of a series without an end exist. */
export function horizonAt(config: SeriesBounds['config'], zone: Zone, at: number): LocalDateTime {
  return addMonths(localDateTimeAt(at, zone), config.seriesMonthsAhead)
}

/** The dates that a series has now. */
export interface ExpandedSeries {
  readonly given: readonly GivenDate[]
  readonly madeUntil: LocalDateTime
  readonly isEndless: boolean
}

/**
 * Returns the dates that a series should have: all of them, or those within the horizon if it has no end.
 *
 * @throws series-too-many-dates, series-no-dates
 */
export function expandWithin(
  segments: readonly SeriesSegment[],
  { config, at, madeUntil }: SeriesBounds,
): ExpandedSeries {
  const last = segments.at(-1)
  const hasNoEnd = isEndless(segments)
  const horizon = last === undefined ? endOfTime : later(horizonAt(config, last.zone, at), last.start)
  const through = !hasNoEnd ? endOfTime : madeUntil === undefined ? horizon : later(horizon, madeUntil)
  const limit = config.seriesMostDates
  const { dates, isCut } = expandSeries(segments, { through, limit: mostCounted })
  if (dates.length > limit || isCut) throw tooManyDates(dates.length, limit)
  if (dates.length === 0) throw new Problem('series-no-dates')
  const end = dates.at(-1)?.recurrenceId ?? horizon
  return { given: dates, madeUntil: hasNoEnd ? through : end, isEndless: hasNoEnd }
}

/** More dates are not counted. */
const mostCounted = 4000

function tooManyDates(number: number, limit: number): Problem {
  const values = { count: number >= mostCounted ? `${mostCounted}+` : String(number), most: String(limit) }
  const facts = { number, limit }
  return new Problem('series-too-many-dates', {
    ...{ details: facts, extra: facts },
    faults: { [recurrenceParameter]: { text: 'fault.series.too-many', values } },
  })
}
