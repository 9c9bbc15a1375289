import { addSeconds, dayOf, type LocalDateTime } from '../../base/time/local.date.time.ts'
import type { SeriesSegment } from '../occurrences/occurrence.ts'
import { datesOf } from '../recurrence/rule.dates.ts'

/** A date that the rules of a series give. */
export interface GivenDate {
  readonly recurrenceId: LocalDateTime
  readonly segment: SeriesSegment
}

/** Which dates of a series are wanted. */
interface Wanted {
  readonly through: LocalDateTime
  readonly limit: number
  /** No date before this one. */
  readonly from?: LocalDateTime
}

/** The last local time that can be written. */
export const endOfTime = '9999-12-31 23:59:59' as LocalDateTime

/** Returns the dates of a series, in order. `isCut`: there are more until `through`. */
export function expandSeries(
  segments: readonly SeriesSegment[],
  { through, limit, from }: Wanted,
): { readonly dates: readonly GivenDate[]; readonly isCut: boolean } {
  const dates: GivenDate[] = []
  let isCut = false
  for (const [place, segment] of segments.entries()) {
    const next = segments[place + 1]
    const last = next === undefined ? through : earlier(through, addSeconds(next.from, -1))
    const first = from === undefined ? segment.from : later(from, segment.from)
    if (first > last) continue
    const { recurrence, start } = segment
    const given = datesOf(recurrence, { start, through: last, limit: limit + 1, from: first })
    dates.push(...given.dates.map((recurrenceId) => ({ recurrenceId, segment })))
    isCut ||= given.isCut
  }
  return { dates: dates.slice(0, limit), isCut: isCut || dates.length > limit }
}

/** When the dates of a series exist. */
interface Existing {
  /** Dates until this local time exist. */
  readonly through: LocalDateTime
  /** Dates that exist already, also later ones. */
  readonly known: readonly { readonly recurrenceId: LocalDateTime }[]
}

/** Returns the dates that a series without an end has now: those of the time that is given, and later ones that it knows. */
export function datesWithin(
  segments: readonly SeriesSegment[],
  { through, known }: Existing,
): { readonly dates: readonly GivenDate[]; readonly isCut: boolean } {
  const { dates, isCut } = expandSeries(segments, { through: endOfTime, limit: Number.POSITIVE_INFINITY })
  const later = dates.filter((date) => date.recurrenceId > through && isMade(date, through))
  // On these days a date of the rule is known, besides those that somebody has added.
  const [knownOn, addedOn] = [known, later].map((some) => Map.groupBy(some, ({ recurrenceId }) => dayOf(recurrenceId)))
  const isKnown = (day: string) => (knownOn?.get(day)?.length ?? 0) > (addedOn?.get(day)?.length ?? 0)
  return { dates: dates.filter((date) => isMade(date, through) || isKnown(dayOf(date.recurrenceId))), isCut }
}

/** Whether a date must exist: it is of the time for which dates exist, or somebody has added it. */
export function isMade({ recurrenceId, segment }: GivenDate, through: LocalDateTime): boolean {
  return recurrenceId <= through || segment.recurrence.dates.includes(recurrenceId)
}

/** Whether a series has no end. */
export function isEndless(segments: readonly SeriesSegment[]): boolean {
  const rule = segments.at(-1)?.recurrence.rule
  return rule !== undefined && rule.count === undefined && rule.until === undefined
}

/** The result of comparing the dates that a series has with those that its rules give. */
export interface DateMatch<D> {
  readonly kept: readonly { readonly known: D; readonly given: GivenDate }[]
  readonly added: readonly GivenDate[]
  readonly dropped: readonly D[]
}

/**
 * Finds the dates of a series that the rules still give. A date is found by its day, and by its place among the dates
 * of that day, so it survives another time of day. Both lists are in order.
 */
export function matchDates<D extends { readonly recurrenceId: LocalDateTime }>(
  known: readonly D[],
  given: readonly GivenDate[],
): DateMatch<D> {
  const byPlace = new Map(withPlaces(known))
  const kept: { known: D; given: GivenDate }[] = []
  const added: GivenDate[] = []
  for (const [place, one] of withPlaces(given)) {
    const found = byPlace.get(place)
    byPlace.delete(place)
    if (found) kept.push({ known: found, given: one })
    else added.push(one)
  }
  return { kept, added, dropped: [...byPlace.values()] }
}

/** Finds the dates of a series that the rules still give at the same local start. */
export function matchExactly<D extends { readonly recurrenceId: LocalDateTime }>(
  known: readonly D[],
  given: readonly GivenDate[],
): DateMatch<D> {
  const byStart = new Map(known.map((one) => [one.recurrenceId, one]))
  const isGiven = new Set(given.map(({ recurrenceId }) => recurrenceId))
  return {
    kept: given.flatMap((one) => {
      const found = byStart.get(one.recurrenceId)
      return found ? [{ known: found, given: one }] : []
    }),
    added: given.filter(({ recurrenceId }) => !byStart.has(recurrenceId)),
    dropped: known.filter(({ recurrenceId }) => !isGiven.has(recurrenceId)),
  }
}

/** Returns each date with its day and its place in the day. */
function withPlaces<D extends { readonly recurrenceId: LocalDateTime }>(
  dates: readonly D[],
): readonly (readonly [place: string, date: D])[] {
  const numbers = new Map<string, number>()
  return dates.map((date) => {
    const day = dayOf(date.recurrenceId)
    const number = (numbers.get(day) ?? 0) + 1
    numbers.set(day, number)
    return [`${day} ${number}`, date] as const
  })
}

export function earlier(one: LocalDateTime, other: LocalDateTime): LocalDateTime {
  return one < other ? one : other
}

export function later(one: LocalDateTime, other: LocalDateTime): LocalDateTime {
  return one > other ? one : other
}
