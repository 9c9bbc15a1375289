import type { ChangeCursor, ChangeKind } from '../changelog/change.log.ts'
import type { FacetFilter } from '../index/event.index.ts'

/** A request for a part of the feed of changes. */
export interface ChangeQuery {
  /** Undefined: from the beginning. */
  readonly after: ChangeCursor | undefined
  readonly kinds: readonly ChangeKind[]
  readonly language: string | undefined
  readonly filters: readonly FacetFilter[]
  /** Whether the feed repeats events whose venue, organizer or series changed. */
  readonly isLinked: boolean
  /** Whether events that a password protects count as deleted. */
  readonly isOfUnprotected: boolean
  readonly perPage: number
}

/** The kinds of items that events show. */
export const LINKED_KINDS = ['venue', 'organizer', 'series'] as const satisfies readonly ChangeKind[]
export type LinkedKind = (typeof LINKED_KINDS)[number]

/** Whether events show items of this kind. */
export function isLinkedKind(kind: ChangeKind): kind is LinkedKind {
  return LINKED_KINDS.some((linked) => linked === kind)
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

/** Returns the place after a change. The events of a row may follow the row itself. */
export function placeAfter(
  { kind, number, part }: Pick<Change, 'kind' | 'number' | 'part'>,
  isLinked: boolean,
): Pick<ChangeCursor, 'number' | 'part'> {
  return { number, part: isLinked && (part > 0 || isLinkedKind(kind)) ? part : undefined }
}

export interface ChangePage {
  readonly changes: readonly Change[]
  /** Where the next page begins. */
  readonly next: ChangeCursor
  readonly hasMore: boolean
}
