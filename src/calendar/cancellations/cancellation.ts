import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { StateColumns, StatedEvent } from '../undo/undo.ts'

// Canceling or postponing many events at once: docs/decisions/0049-many-at-once.md.

/** The maximum number of events that one request changes. */
export const maxEvents = 2000

/** The maximum number of events that a request may name by their ids. */
export const maxNamed = 200

/** The maximum number of events among which a request finds them. */
export const maxCandidates = 5000

/** Events of these statuses take place. Drafts and pending events are not announced. */
export const ANNOUNCED = ['publish', 'future', 'private'] as const

/** The maximum number of days on which the events of one request begin. */
export const maxDays = 366

/** What may happen to many events at once. */
export const CANCELLATION_STATUSES = ['canceled', 'postponed'] as const
export type CancellationStatus = (typeof CANCELLATION_STATUSES)[number]

/** Which events a request means: those that begin at these times and meet every other condition. */
export interface Affected {
  /** Local times of each event, in its own zone. */
  readonly from: LocalDateTime
  readonly to: LocalDateTime
  /** Whether events that are over count too. */
  readonly hasPast: boolean
  /** Ids of events. Undefined: any. */
  readonly eventIds?: readonly number[] | undefined
  /** Ids of all versions. Undefined: any. */
  readonly venueIds: readonly number[] | undefined
  readonly organizerIds: readonly number[] | undefined
  readonly categoryIds: readonly number[] | undefined
  readonly tagIds: readonly number[] | undefined
}

/** The reason for all events, or by language. */
export type Reasons = string | Readonly<Record<string, string>>

/** An event, and its state after a request. */
export interface StateChange {
  readonly event: StatedEvent
  readonly after: StateColumns
}

/** What a request would change. */
export interface CancellationPlan {
  readonly changes: readonly StateChange[]
  /** The number of events that have the status already. */
  readonly unchanged: number
  /** The number of events that the caller may not change. */
  readonly leftOut: number
}

/** What undoing a request would change. */
export interface UndoPlan {
  readonly changes: readonly StateChange[]
  /** Ids of events whose state has changed since. */
  readonly skipped: readonly number[]
  readonly leftOut: number
}

/** Whether two states are the same. */
export function isSameState(one: StateColumns, other: StateColumns): boolean {
  return one.status_reason === other.status_reason && isSameSharedState(one, other)
}

/** Whether two states are the same, except for the reason, which each language has for itself. */
export function isSameSharedState(one: StateColumns, other: StateColumns): boolean {
  return (
    one.event_status === other.event_status &&
    one.status_at === other.status_at &&
    one.previous_starts === other.previous_starts &&
    one.attendance === other.attendance
  )
}
