import type { MessageKey } from '../../base/languages/catalogue.ts'
import type { ParameterFault } from '../../base/problems.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Zone } from '../../base/time/zone.ts'

export const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
export type Frequency = (typeof FREQUENCIES)[number]

/** The weekdays as in RFC 5545, in the order of `weekdayOf`. */
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** A weekday of a rule: `FR` is each Friday, `2FR` the second of the month or year, `-1FR` the last. */
export interface RuleDay {
  readonly day: Weekday
  readonly ordinal?: number
}

/** A rule of RFC 5545 (3.3.10). The lists are sorted and have no doubles. An empty list is a part that is not set. */
export interface RecurrenceRule {
  readonly frequency: Frequency
  readonly interval: number
  /** The number of dates, including the start. Never together with `until`. */
  readonly count?: number
  /** The end of the last day on which a date may start. */
  readonly until?: LocalDateTime
  readonly byDay: readonly RuleDay[]
  readonly byMonthDay: readonly number[]
  readonly byMonth: readonly number[]
  readonly bySetPos: readonly number[]
  readonly weekStart: Weekday
}

/** What repeats, in the local time of the event: a rule, further dates, and dates that are left out. All are starts. */
export interface Recurrence {
  readonly rule: RecurrenceRule | undefined
  readonly dates: readonly LocalDateTime[]
  readonly except: readonly LocalDateTime[]
}

/** The event that repeats: what is needed to read a recurrence in its local time. */
export interface RecurrenceContext {
  readonly zone: Zone
  /** The start of the event, which is the first date. */
  readonly start: LocalDateTime
}

/** Why a recurrence is refused. It can be shown as the fault of a parameter. */
export interface RecurrenceFault extends ParameterFault {
  readonly code: 'invalid-rule' | 'too-many-dates' | 'no-dates'
  readonly text: MessageKey
  readonly values: Readonly<Record<string, string>>
}

/** Returns whether reading a rule or a recurrence has failed. */
export function isRecurrenceFault<T extends object>(read: T | RecurrenceFault): read is RecurrenceFault {
  return 'code' in read
}

/** Returns the fault of a rule that cannot be used. */
export function invalidRule(text: MessageKey, values: RecurrenceFault['values'] = {}): RecurrenceFault {
  return { code: 'invalid-rule', text, values }
}
