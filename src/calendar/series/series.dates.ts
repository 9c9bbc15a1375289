import { addSeconds, dayOf, type LocalDateTime } from '../../base/time/local.date.time.ts'
import type { SeriesSegment } from '../occurrences/occurrence.ts'
import { datesOf } from '../recurrence/rule.dates.ts'

export interface GivenDate {
  readonly recurrenceId: LocalDateTime
  readonly segment: SeriesSegment
}

interface Wanted {
  readonly through: LocalDateTime
  readonly limit: number
  /** No date before this one. */
  readonly from?: LocalDateTime
}

/** Before every date. */
export const startOfTime = '0000-01-01 00:00:00' as LocalDateTime
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

/** Dates of a series that move from this one on, by seconds of the clock. */
export interface MovedDates {
  readonly at: LocalDateTime
  readonly seconds: number
}

const unmoved: MovedDates = { at: endOfTime, seconds: 0 }

/** A date of a rule such as the second Friday may move by a week more or less than the others. */
export const nearSeconds = 7 * 86_400

/**
 * Finds the dates of a series that the rules still give. A date that moves along with its series is the same date.
 * Others are found by their day, and by their place among the dates of that day. Both lists are in order.
 */
export function matchDates<D extends { readonly recurrenceId: LocalDateTime }>(
  known: readonly D[],
  given: readonly GivenDate[],
  moved: MovedDates = unmoved,
): DateMatch<D> {
  const open = known.map((one) => ({ known: one, recurrenceId: movedStart(one.recurrenceId, moved) }))
  const exact = paired(open, given, (dates) => dates.map((date) => [date.recurrenceId, date]))
  const ofDay = paired(exact.known, exact.given, withPlaces)
  const near = moved.seconds === 0 ? { ...ofDay, pairs: [] } : nearPairs(ofDay.known, ofDay.given)
  const pairs = [...exact.pairs, ...ofDay.pairs, ...near.pairs]
  return {
    kept: pairs.map((pair) => ({ known: pair.known.known, given: pair.given })),
    added: near.given,
    dropped: near.known.map((one) => one.known),
  }
}

/** Returns the local start of a date after its series has moved. */
export function movedStart(start: LocalDateTime, { at, seconds }: MovedDates): LocalDateTime {
  return start < at ? start : addSeconds(start, seconds)
}

/** What two lists of dates share, and the rest of both. */
interface Pairs<K, G> {
  readonly pairs: readonly { readonly known: K; readonly given: G }[]
  readonly known: readonly K[]
  readonly given: readonly G[]
}

interface Dated {
  readonly recurrenceId: LocalDateTime
}

/** Pairs the dates that have the same name in both lists. */
function paired<K extends Dated, G extends Dated>(
  known: readonly K[],
  given: readonly G[],
  named: <D extends Dated>(dates: readonly D[]) => readonly (readonly [string, D])[],
): Pairs<K, G> {
  // A date that moves may get the name of one that stays.
  const open = Map.groupBy(named(known), ([name]) => name)
  const found = new Set<K>()
  const pairs: { known: K; given: G }[] = []
  const rest: G[] = []
  for (const [name, one] of named(given)) {
    const [, date] = open.get(name)?.shift() ?? []
    if (date) {
      found.add(date)
      pairs.push({ known: date, given: one })
    } else rest.push(one)
  }
  return { pairs, known: known.filter((one) => !found.has(one)), given: rest }
}

/** Pairs the dates that are near each other, in order. */
function nearPairs<K extends Dated, G extends Dated>(known: readonly K[], given: readonly G[]): Pairs<K, G> {
  const pairs: { known: K; given: G }[] = []
  const [lost, open] = [[] as K[], [...given]]
  const added: G[] = []
  for (const one of known) {
    while (open[0] && open[0].recurrenceId < addSeconds(one.recurrenceId, -nearSeconds)) added.push(open.shift() as G)
    const isNear = open[0] && open[0].recurrenceId <= addSeconds(one.recurrenceId, nearSeconds)
    if (isNear) pairs.push({ known: one, given: open.shift() as G })
    else lost.push(one)
  }
  return { pairs, known: lost, given: [...added, ...open] }
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
function withPlaces<D extends Dated>(dates: readonly D[]): readonly (readonly [place: string, date: D])[] {
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
