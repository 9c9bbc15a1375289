import { dayOf, endOfDay, type LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Recurrence, RecurrenceRule } from './recurrence.ts'
import { horizonOf, periodsOf, startOfDayNumber } from './rule.periods.ts'

export interface DateOptions {
  readonly start: LocalDateTime
  /** No date after this one. */
  readonly through: LocalDateTime
  /** At most this many dates. */
  readonly limit: number
  /** No date before this one. */
  readonly from?: LocalDateTime
}

/** The dates of a recurrence, in order. */
export interface RecurrenceDates {
  readonly dates: readonly LocalDateTime[]
  /** Whether dates up to `through` are missing, because of the limit or because the rule continues for too many years. */
  readonly isCut: boolean
}

/**
 * Returns the dates of a recurrence, in order and without doubles. The start is the first one even if the rule leaves it
 * out, unless it is among the exceptions. It counts as the first of COUNT (RFC 5545, 3.3.10), and exceptions count too.
 *
 * A rule is followed for `longestYears` from the start, so that the work is bounded for all rules.
 */
export function datesOf({ rule, dates, except }: Recurrence, options: DateOptions): RecurrenceDates {
  const { start, through, limit, from = start } = options
  const leftOut = new Set(except)
  const isWanted = (date: LocalDateTime) => from <= date && date <= through && !leftOut.has(date)
  const wanted = new Set([start, ...dates.filter((date) => date > start)].filter(isWanted))

  // Further dates may be anywhere, so the rule alone must reach the limit before it is enough.
  let ofRule = 0
  let isUnfinished = false
  if (rule) {
    const followed = ruleDates(rule, start)
    let next = followed.next()
    for (; !next.done && next.value <= through && ofRule <= limit; next = followed.next()) {
      if (!isWanted(next.value)) continue
      wanted.add(next.value)
      ofRule += 1
    }
    isUnfinished = next.done === true && next.value === 'unfinished' && through > horizonOf(start)
  }
  const ordered = [...wanted].sort()
  return { dates: ordered.slice(0, limit), isCut: isUnfinished || ordered.length > limit }
}

/** Yields the dates of a rule after the start. Returns whether the rule has ended, or has been followed long enough. */
function* ruleDates(rule: RecurrenceRule, start: LocalDateTime): Generator<LocalDateTime, 'ended' | 'unfinished'> {
  const time = start.slice(10)
  let count = 1
  if (rule.count === 1) return 'ended'
  for (const days of periodsOf(rule, start)) {
    for (const day of days) {
      const date = `${dayOf(startOfDayNumber(day))}${time}` as LocalDateTime
      if (date <= start) continue
      if (rule.until !== undefined && date > rule.until) return 'ended'
      yield date
      count += 1
      if (count === rule.count) return 'ended'
    }
  }
  return rule.until !== undefined && rule.until <= endOfDay(horizonOf(start)) ? 'ended' : 'unfinished'
}
