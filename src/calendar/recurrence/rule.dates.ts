import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Recurrence } from './recurrence.ts'

/** Which dates of a recurrence are wanted. */
export interface DateOptions {
  readonly start: LocalDateTime
  /** No date after this one. */
  readonly through: LocalDateTime
  /** At most this many dates. */
  readonly limit: number
  /** No date before this one. */
  readonly from?: LocalDateTime
}

/** The dates of a recurrence, in order. `isCut`: the limit, or the most years, left out dates up to `through`. */
export interface RecurrenceDates {
  readonly dates: readonly LocalDateTime[]
  readonly isCut: boolean
}

export function datesOf(_recurrence: Recurrence, _options: DateOptions): RecurrenceDates {
  throw new Error('unfinished')
}
