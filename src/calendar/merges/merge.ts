import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { TermRow } from '../../storage/database/tables.ts'

// Merging one venue, organizer, category or tag into another: docs/decisions/0056-merges.md.

/** The maximum number of events that one merge moves. */
export const maxMergedEvents = 5000

/** How long a merge can be undone. */
export const mergeUndoDays = 30

/** Categories or tags that a merge removed, so that it can be undone. */
export interface RemovedTerms {
  /** All versions of the merged term. */
  readonly rows: readonly TermRow[]
  /** The categories that were below them, with their parents before the merge and after it. */
  readonly children: readonly { readonly id: number; readonly before: number; readonly after: number }[]
}

/** An event whose venues or organizers a merge changes. */
export interface LinkChange {
  readonly eventId: number
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/** An event, as the answer to a merge shows it. */
export interface MovedEvent {
  readonly id: number
  readonly groupId: number
  readonly language: string
  readonly status: string
  readonly titleHtml: string
  readonly start: LocalDateTime
  readonly timezone: string
}

/** The name that a source has for a record. */
export interface MovedName {
  readonly source: string
  readonly recordId: number
  readonly seenAt: number | null
}

/** A merge that was done. */
export interface Merge {
  readonly id: number
  readonly fromId: number
  readonly intoId: number
  readonly trashed: readonly number[]
  readonly names: readonly MovedName[]
  readonly terms?: RemovedTerms | undefined
}

/**
 * Returns the links after a merge: those of the merged record name the other one, once.
 *
 * @param from Ids of all versions of the merged record.
 * @param into Ids of all versions of the other one.
 */
export function mergedLinks(
  before: readonly number[],
  {
    from,
    into,
    intoId,
  }: { readonly from: ReadonlySet<number>; readonly into: ReadonlySet<number>; readonly intoId: number },
): readonly number[] {
  const named = before.map((id) => (from.has(id) ? intoId : id))
  const first = named.findIndex((id) => into.has(id))
  return named.filter((id, place) => !into.has(id) || place === first)
}

/**
 * Returns the links of an event after a merge is undone; undefined if the event no longer has what the merge gave it.
 * What was changed since stays.
 *
 * @param into Ids of all versions of the record that took over the events.
 */
export function unmergedLinks(
  current: readonly number[],
  { before, after }: Pick<LinkChange, 'before' | 'after'>,
  into: ReadonlySet<number>,
): readonly number[] | undefined {
  if (current.join() === after.join()) return before
  const place = current.findIndex((id) => into.has(id))
  if (place < 0) return undefined
  const restored = before.filter((id) => !after.includes(id) && !current.includes(id))
  if (restored.length === 0) return undefined
  // An event that had both keeps the other one.
  const hadBoth = before.some((id) => into.has(id))
  return [...current.slice(0, hadBoth ? place + 1 : place), ...restored, ...current.slice(place + 1)]
}

/** Returns the first of the versions of each event. */
export function firstOfEach(moved: readonly MovedEvent[]): readonly MovedEvent[] {
  const groups = new Set<number>()
  return moved.filter(({ groupId }) => !groups.has(groupId) && groups.add(groupId))
}
