import type { Actor } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import { fail, failParameter, Problem } from '../../base/problems.ts'
import type { Db } from '../../storage/database/tables.ts'
import { findEntry, listEntryVersions } from '../directory/directory.repository.ts'
import { restoreEntry, trashEntry } from '../directory/directory.service.ts'
import type { Directory, DirectoryEntry, Fields } from '../directory/directory.ts'
import { rememberMerge } from '../records/former.repository.ts'
import { touchRecords } from '../records/record.version.repository.ts'
import type { WriteContext } from '../records/write.context.ts'
import {
  countLinkedEvents,
  findMerge,
  hasMergeBefore,
  insertMerge,
  listLinksOf,
  listLinksOfEventsWith,
  listMergedEvents,
  listMovedEvents,
  listNamesOf,
  markMergeUndone,
  moveNames,
  removeMergesBefore,
  replaceLinks,
} from './merge.repository.ts'
import {
  firstOfEach,
  type LinkChange,
  type Merge,
  type MovedEvent,
  maxMergedEvents,
  mergedLinks,
  mergeUndoDays,
  unmergedLinks,
} from './merge.ts'

/** Who asks. */
interface Asking<F extends Fields> {
  readonly deps: Deps
  readonly actor: Actor
  readonly directory: Directory<F>
}

/** What a merge changes. */
interface MergePlan<F extends Fields> {
  readonly from: readonly DirectoryEntry<F>[]
  readonly into: readonly DirectoryEntry<F>[]
  readonly intoId: number
  readonly changes: readonly LinkChange[]
  /** The events outside the trash whose links change, the earliest first, each in its first version. */
  readonly events: readonly MovedEvent[]
  /** Languages in which only the merged record has texts. */
  readonly lostLanguages: readonly string[]
}

/** The result of a merge: its id if it was carried out. */
export interface MergeResult extends Pick<MergePlan<Fields>, 'events' | 'lostLanguages' | 'intoId'> {
  readonly id: number | undefined
}

/** The result of undoing a merge. */
export interface UnmergeResult {
  readonly events: readonly MovedEvent[]
  /** Ids of events that no longer have the record into which the other one was merged. */
  readonly skipped: readonly number[]
}

const daySeconds = 86_400
const removedAtOnce = 10

/**
 * Moves all events of a venue or an organizer to another one, and the record with its translations to the trash, in one
 * transaction; or only tells what would move. Events keep their other venues, and their order. Names that sources have
 * for the record mean the other one from now on.
 *
 * @throws record-not-found, venue-is-in-trash, organizer-is-in-trash, rest_invalid_param
 */
export async function mergeEntries<F extends Fields>(
  { deps, actor, directory }: Asking<F>,
  order: { readonly fromId: number; readonly intoId: number },
  isDry: boolean,
): Promise<MergeResult> {
  const { storage, config, now } = deps
  const { kind } = directory
  if (isDry) {
    const { events, lostLanguages, intoId } = await planMerge(storage.db, { deps, directory }, order)
    return { id: undefined, events, lostLanguages, intoId }
  }
  return storage.write(async (tx) => {
    const { from, into, intoId, changes, events, lostLanguages } = await planMerge(tx, { deps, directory }, order)
    const links = { tx, dialect: storage.dialect, kind }
    const at = now()
    await replaceLinks(
      links,
      changes.map(({ eventId, after }) => ({ eventId, ids: after })),
    )
    await touchRecords(tx, storage.dialect, { ids: changes.map(({ eventId }) => eventId), at })
    const fromIds = from.map(({ id }) => id)
    const names = await listNamesOf(tx, storage.dialect, fromIds)
    // Not seen there: a sweep of the source must not take the other record away.
    const moved = names.map((name) => ({ ...name, recordId: intoId, seenAt: null }))
    await moveNames(tx, { dialect: storage.dialect, kind, held: undefined }, moved)
    const write: WriteContext = { tx, actor, config, now }
    const trashed = fromIds.filter((id) => from.some((one) => one.id === id && one.status !== 'trash'))
    for (const id of trashed) await trashEntry(write, directory, id)
    await rememberMerge(
      tx,
      { kind, dialect: storage.dialect },
      { from: from.filter(({ id }) => trashed.includes(id)), into, intoId },
    )
    const userId = actor.kind === 'user' ? actor.id : undefined
    const id = await insertMerge(tx, { at, userId, kind, fromId: order.fromId, intoId, trashed, names }, changes)
    return { id, events, lostLanguages, intoId }
  })
}

async function planMerge<F extends Fields>(
  db: Db,
  { deps, directory }: Omit<Asking<F>, 'actor'>,
  { fromId, intoId }: { readonly fromId: number; readonly intoId: number },
): Promise<MergePlan<F>> {
  const { kind } = directory
  const links = { db, dialect: deps.storage.dialect, kind }
  const merged = (await findEntry(db, directory, fromId)) ?? fail('record-not-found')
  if (merged.status === 'trash') fail(`${kind}-is-in-trash`)
  const target = await findEntry(db, directory, intoId)
  if (!target || target.status === 'trash') return failParameter('into', `fault.unknown-${kind}`)
  if (target.groupId === merged.groupId) return failParameter('into', 'fault.merge-itself')
  // Public events would lose their place or organizer.
  if (merged.status === 'publish' && target.status !== 'publish') failParameter('into', 'fault.merge-unpublished')
  const from = await listEntryVersions(db, directory, [fromId])
  const into = await listEntryVersions(db, directory, [intoId])
  const fromIds = from.map(({ id }) => id)
  const count = await countLinkedEvents(links, fromIds)
  if (count > maxMergedEvents) {
    const values = { most: String(maxMergedEvents), count: String(count) }
    throw new Problem('rest_invalid_param', { faults: { id: { text: 'fault.too-many-events', values } } })
  }
  const ids = { from: new Set(fromIds), into: new Set(into.map(({ id }) => id)), intoId: target.groupId }
  const changes = [...(await listLinksOfEventsWith(links, fromIds))].map(([eventId, before]) => ({
    ...{ eventId, before, after: mergedLinks(before, ids) },
  }))
  const kept = new Set(into.filter(({ status }) => status !== 'trash').map(({ language }) => language))
  const lostLanguages = from.flatMap(({ language, status }) =>
    status === 'trash' || kept.has(language) ? [] : [language],
  )
  const events = await firstVersions(db, deps, changes)
  return { from, into, intoId: target.groupId, changes, events, lostLanguages }
}

/** Returns one version of each event outside the trash that changes. */
async function firstVersions(
  db: Db,
  { storage }: Deps,
  changes: readonly { readonly eventId: number }[],
): Promise<readonly MovedEvent[]> {
  const moved = await listMovedEvents(
    db,
    storage.dialect,
    changes.map(({ eventId }) => eventId),
  )
  return firstOfEach(moved)
}

/**
 * Undoes a merge, or only tells what would move back: the record leaves the trash, and the events that still have the
 * other one get it back. Doing it again has no effect.
 *
 * @throws merge-not-found
 */
export async function undoMerge<F extends Fields>(
  { deps, actor, directory }: Asking<F>,
  id: number,
  isDry: boolean,
): Promise<UnmergeResult> {
  const { storage, config, now } = deps
  if (isDry) {
    const { events, skipped } = await planUndo(storage.db, { deps, directory }, id)
    return { events, skipped }
  }
  return storage.write(async (tx) => {
    const { merge, changes, events, skipped } = await planUndo(tx, { deps, directory }, id)
    if (!merge) return { events, skipped }
    const at = now()
    const write: WriteContext = { tx, actor, config, now }
    for (const one of await listEntryVersions(tx, directory, merge.trashed)) {
      if (one.status === 'trash' && merge.trashed.includes(one.id)) await restoreEntry(write, directory, one.id)
    }
    await replaceLinks({ tx, dialect: storage.dialect, kind: directory.kind }, changes)
    await touchRecords(tx, storage.dialect, { ids: changes.map(({ eventId }) => eventId), at })
    await moveNames(tx, { dialect: storage.dialect, kind: directory.kind, held: merge.intoId }, merge.names)
    await markMergeUndone(tx, id, at)
    return { events, skipped }
  })
}

async function planUndo<F extends Fields>(db: Db, { deps, directory }: Omit<Asking<F>, 'actor'>, id: number) {
  const { kind } = directory
  const since = oldestUndoable(deps.now())
  const merge: (Merge & { readonly isUndone: boolean }) | undefined = await findMerge(db, { id, kind, since })
  if (!merge) return fail('merge-not-found')
  const none: { readonly eventId: number; readonly ids: readonly number[] }[] = []
  if (merge.isUndone) return { merge: undefined, changes: none, events: [], skipped: [] }
  const merged = await listMergedEvents(db, id)
  const links = await listLinksOf(
    { db, dialect: deps.storage.dialect, kind },
    merged.map(({ eventId }) => eventId),
  )
  const into = new Set((await listEntryVersions(db, directory, [merge.intoId])).map((one) => one.id))
  const skipped: number[] = []
  const changes = merged.flatMap((one) => {
    const ids = unmergedLinks(links.get(one.eventId) ?? [], one, into)
    if (ids) return [{ eventId: one.eventId, ids }]
    skipped.push(one.eventId)
    return []
  })
  return { merge, changes, events: await firstVersions(db, deps, changes), skipped }
}

/** Returns the second since which merges can be undone. */
export function oldestUndoable(at: number): number {
  return at - mergeUndoDays * daySeconds
}

/** Whether there are merges that can no longer be undone. */
export async function hasOldMerges({ storage, now }: Deps): Promise<boolean> {
  return hasMergeBefore(storage.db, oldestUndoable(now()))
}

/** Removes a limited number of merges that can no longer be undone. @returns whether there may be more. */
export async function removeOldMerges({ storage, now }: Deps): Promise<boolean> {
  const removed = await storage.write((tx) => removeMergesBefore(tx, oldestUndoable(now()), removedAtOnce))
  return removed === removedAtOnce
}
