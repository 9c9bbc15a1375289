import type { Db, MergedKind, TermRow, Tx } from '../../storage/database/tables.ts'
import type { WriteContext } from '../records/write.context.ts'
import type { MovedName } from '../sources/source.repository.ts'
import type { StatedEvent } from '../undo/undo.ts'

// Merging one venue, organizer, category or tag into another: docs/decisions/0056-merges.md.

/** The maximum number of events that one merge moves. */
export const maxMergedEvents = 5000

/** A version of what is merged, as a merge needs it. */
export interface MergeTranslation {
  readonly id: number
  readonly groupId: number
  readonly language: string
  readonly slug: string
  /** Terms have none. */
  readonly status?: string
}

/** All versions of what is merged, and of what stays. */
interface MergePair<V extends MergeTranslation = MergeTranslation> {
  readonly from: readonly V[]
  readonly into: readonly V[]
  /** The original of what stays. */
  readonly intoId: number
}

/** How one kind of things is merged, besides its links. */
export interface Mergeable<V extends MergeTranslation = MergeTranslation> {
  readonly kind: MergedKind
  /** @throws if it is not there, or in the trash */
  readonly read: (db: Db, id: number) => Promise<V>
  /** Undefined if it is not there, or in the trash. */
  readonly find: (db: Db, id: number) => Promise<V | undefined>
  readonly listTranslationsInGroups: (db: Db, ids: readonly number[]) => Promise<readonly V[]>
  /** @throws rest_invalid_param if these may not be merged */
  readonly check: (db: Db, pair: MergePair<V>, of: { readonly merged: V; readonly target: V }) => Promise<void>
  /** What the answer tells besides the events. */
  readonly tell: (db: Db, pair: MergePair<V>) => Promise<object>
  /** Takes the merged one away, whose links have moved, and returns what the undo needs to know. */
  readonly takeAway: (write: WriteContext, pair: MergePair<V>) => Promise<Pick<Merge, 'trashed' | 'terms'>>
  /** Brings it back, before its links move back. */
  readonly giveBack: (write: WriteContext, merge: Merge) => Promise<void>
  /** Runs after links have moved, with the versions whose events changed. */
  readonly recount?: (tx: Tx, ids: readonly number[]) => Promise<void>
}

/** Categories or tags that a merge removed, so that it can be undone. */
export interface RemovedTerms {
  /** All versions of the merged term. */
  readonly rows: readonly TermRow[]
  /** The categories that were below them, with their parents before the merge and after it. */
  readonly children: readonly { readonly id: number; readonly before: number; readonly after: number }[]
}

/** What undoing a merge needs to know besides the links of events. */
export interface Merge {
  readonly intoId: number
  readonly trashed: readonly number[]
  readonly names: readonly MovedName[]
  readonly terms?: RemovedTerms | null
}

/** The links of an event before a merge and after it. */
export interface LinkChange {
  readonly before: readonly number[]
  readonly after: readonly number[]
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
  { before, after }: LinkChange,
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

/** Returns the first of the versions of each event outside the trash. */
export function firstOfEach(events: readonly StatedEvent[]): readonly StatedEvent[] {
  const groups = new Set<number>()
  return events.filter(
    ({ kind, status, groupId }) =>
      kind === 'event' && status !== 'trash' && !groups.has(groupId) && groups.add(groupId),
  )
}
