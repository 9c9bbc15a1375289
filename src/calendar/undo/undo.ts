import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { EventRow, MergedKind, RecordRow } from '../../storage/database/tables.ts'

// What operations on many records at once have in common: docs/decisions/0049-many-at-once.md.

/** How long an operation can be undone. */
export const undoDays = 30

export type UndoOperation = 'cancel' | 'import' | `merge-${MergedKind}`

/** An operation that was done. */
export interface Undo<D> {
  readonly id: number
  readonly userId: number | undefined
  readonly isUndone: boolean
  /** What undoing it needs to know besides the records. */
  readonly details: D
}

/** What an operation did to a record. */
export interface UndoItem<Before, After = Before> {
  readonly id: number
  readonly before: Before
  readonly after: After
}

export type StateColumns = Pick<
  EventRow,
  'event_status' | 'status_reason' | 'status_at' | 'previous_starts' | 'attendance'
>

/** An event, as far as its state, its listing and the rights to it need it. */
export interface StatedEvent {
  readonly id: number
  readonly kind: RecordRow['kind']
  readonly groupId: number
  readonly language: string
  readonly authorId: number
  readonly status: string
  readonly titleHtml: string
  readonly start: LocalDateTime
  readonly end: LocalDateTime
  readonly timezone: string
  readonly startUtc: number
  readonly endUtc: number
  readonly state: StateColumns
}
