import type { LocalDateTime } from '../../base/time/local.date.time.ts'

export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
export type Weekday = 'MO' | 'TU' | 'WE' | 'TH' | 'FR' | 'SA' | 'SU'

/** A rule of RFC 5545 in the accepted subset, parsed. */
export interface RecurrenceRule {
  readonly frequency: Frequency
  readonly interval: number
  readonly count?: number
  readonly until?: LocalDateTime
  readonly byDay: readonly { readonly day: Weekday; readonly ordinal?: number }[]
  readonly byMonthDay: readonly number[]
  readonly byMonth: readonly number[]
  readonly bySetPos: readonly number[]
  readonly weekStart: Weekday
}

/** What repeats: a rule or none, further dates, and dates that are left out, on the clock of the event. */
export interface Recurrence {
  readonly rule: RecurrenceRule | undefined
  readonly dates: readonly LocalDateTime[]
  readonly except: readonly LocalDateTime[]
}
