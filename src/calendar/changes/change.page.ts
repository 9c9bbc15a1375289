import type { ChangeCursor, ChangeKind } from '../changelog/change.log.ts'
import type { SetFilter } from '../index/set.selection.ts'

/** A request for a part of the feed of changes. */
export interface ChangeQuery {
  /** Undefined: from the beginning. */
  readonly after: ChangeCursor | undefined
  readonly kinds: readonly ChangeKind[]
  readonly language: string | undefined
  /** Filters of events. */
  readonly filters: readonly SetFilter[]
  /** Whether the feed repeats events whose venue, organizer or series changed. */
  readonly isLinked: boolean
  /** Whether events that a password protects count as deleted. */
  readonly isOfUnprotected: boolean
  readonly perPage: number
}

/** An item of the feed. */
export interface Change {
  readonly kind: ChangeKind
  readonly id: number
  readonly number: number
  /** The event among those of the row at `number`; 0 for the row itself. */
  readonly part: number
  readonly at: number
  readonly isDeleted: boolean
}

export interface ChangePage {
  readonly changes: readonly Change[]
  /** Where the next page begins. */
  readonly next: ChangeCursor
  readonly hasMore: boolean
}
