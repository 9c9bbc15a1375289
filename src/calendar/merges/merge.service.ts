import type { Actor } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import { fail, failParameter } from '../../base/problems.ts'
import type { Db } from '../../storage/database/tables.ts'
import { rememberMerge } from '../records/former.repository.ts'
import { touchRecords } from '../records/record.validators.repository.ts'
import { writeContext } from '../records/write.context.ts'
import { listNamesOf, moveNames } from '../sources/source.repository.ts'
import { insertUndo, listStatedEvents, listUndoItems, markUndone } from '../undo/undo.repository.ts'
import { assertFew, findUndoable, planned } from '../undo/undo.service.ts'
import type { StatedEvent } from '../undo/undo.ts'
import { countLinkedEvents, listLinksOf, listLinksOfEventsWith, replaceLinks } from './merge.repository.ts'
import {
  firstOfEach,
  type Merge,
  type Mergeable,
  type MergeTranslation,
  maxMergedEvents,
  mergedLinks,
  unmergedLinks,
} from './merge.ts'

interface Asking<V extends MergeTranslation> {
  readonly deps: Deps
  readonly actor: Actor
  readonly mergeable: Mergeable<V>
}

export interface MergeResult {
  /** The events outside the trash whose links change, the earliest first, each in its first version. */
  readonly events: readonly StatedEvent[]
  /** What else its answer tells. */
  readonly told: object
  /** Undefined if it was not carried out. */
  readonly id?: number
}

export interface UnmergeResult {
  readonly events: readonly StatedEvent[]
  /** Ids of events that no longer have the one into which the other one was merged. */
  readonly skipped: readonly number[]
}

/**
 * Moves all events of a venue, an organizer, a category or a tag to another one, and takes it away with its
 * translations, in one transaction; or only tells what would move. Events keep their other links, and their order. Names
 * that sources have for it mean the other one from now on.
 *
 * @throws record-not-found, venue-is-in-trash, organizer-is-in-trash, rest_invalid_param
 */
export async function merge<V extends MergeTranslation>(
  asking: Asking<V>,
  order: { readonly fromId: number; readonly intoId: number },
  isDry: boolean,
): Promise<MergeResult> {
  const { deps, actor, mergeable } = asking
  const { kind } = mergeable
  return planned(deps, isDry, {
    plan: (db) => planMerge(db, mergeable, order),
    carryOut: async (tx, { from, into, intoId, items }) => {
      const { dialect } = deps.storage
      const at = deps.now()
      const names = await listNamesOf(
        tx,
        kind,
        from.map(({ id }) => id),
      )
      await replaceLinks(
        tx,
        kind,
        items.map(({ id, after }) => ({ id, links: after })),
      )
      await touchRecords(tx, dialect, { ids: items.map(({ id }) => id), at })
      // Not seen there: a sweep of the source must not take the other record away.
      const moved = names.map((name) => ({ ...name, recordId: intoId, seenAt: null }))
      await moveNames(tx, { kind }, moved)
      const taken = await mergeable.takeAway(writeContext({ deps, actor }, tx), { from, into, intoId })
      const gone = from.filter(({ id }) => taken.trashed.includes(id))
      await rememberMerge(tx, { kind, dialect }, { from: gone, into, intoId })
      await mergeable.recount?.(
        tx,
        into.map(({ id }) => id),
      )
      const details: Merge = { intoId, names, ...taken }
      const id = await insertUndo(
        tx,
        { operation: `merge-${kind}`, at, actor, subjectId: order.fromId, details },
        items,
      )
      return { id }
    },
  })
}

async function planMerge<V extends MergeTranslation>(
  db: Db,
  mergeable: Mergeable<V>,
  order: { readonly fromId: number; readonly intoId: number },
) {
  const { kind } = mergeable
  const merged = await mergeable.read(db, order.fromId)
  const target = (await mergeable.find(db, order.intoId)) ?? failParameter('into', `fault.unknown-${kind}`)
  if (target.groupId === merged.groupId) return failParameter('into', 'fault.merge-itself')
  const from = await mergeable.listTranslationsInGroups(db, [merged.id])
  const into = await mergeable.listTranslationsInGroups(db, [target.id])
  const pair = { from, into, intoId: target.groupId }
  await mergeable.check(db, pair, { merged, target })
  const fromIds = from.map(({ id }) => id)
  assertFew('id', await countLinkedEvents(db, kind, fromIds), maxMergedEvents)
  const ids = { from: new Set(fromIds), into: new Set(into.map(({ id }) => id)), intoId: pair.intoId }
  const links = await listLinksOfEventsWith(db, kind, fromIds)
  const items = [...links].map(([id, before]) => ({ id, before, after: mergedLinks(before, ids) }))
  const events = firstOfEach(await listStatedEvents(db, [...links.keys()]))
  return { ...pair, items, events, told: await mergeable.tell(db, pair) }
}

/**
 * Undoes a merge, or only tells what would move back: what was merged comes back, and the events that still have the
 * other one get it back. Doing it again has no effect.
 *
 * @throws merge-not-found
 */
export async function undoMerge<V extends MergeTranslation>(
  { deps, actor, mergeable }: Asking<V>,
  id: number,
  isDry: boolean,
): Promise<UnmergeResult> {
  const { kind } = mergeable
  return planned(deps, isDry, {
    plan: (db) => planUndo(db, { deps, mergeable }, id),
    carryOut: async (tx, { merge, items }) => {
      if (!merge) return {}
      const { id: undoId, details } = merge
      const at = deps.now()
      const ids = items.map((item) => item.id)
      await mergeable.giveBack(writeContext({ deps, actor }, tx), details)
      await replaceLinks(tx, kind, items)
      await touchRecords(tx, deps.storage.dialect, { ids, at })
      await moveNames(tx, { kind, held: details.intoId }, details.names)
      await mergeable.recount?.(tx, [...details.trashed, details.intoId])
      await markUndone(tx, { id: undoId, recordIds: ids, at })
      return {}
    },
  })
}

async function planUndo<V extends MergeTranslation>(
  db: Db,
  { deps, mergeable }: Pick<Asking<V>, 'deps' | 'mergeable'>,
  id: number,
) {
  const { kind } = mergeable
  const undo = await findUndoable<Merge>({ db, at: deps.now() }, `merge-${kind}`, id)
  const merge = undo ?? fail('merge-not-found')
  if (merge.isUndone) return { merge: undefined, items: [], events: [], skipped: [] }
  const merged = await listUndoItems<readonly number[]>(db, merge.id)
  const current = await listLinksOf(
    db,
    kind,
    merged.map((one) => one.id),
  )
  const into = new Set((await mergeable.listTranslationsInGroups(db, [merge.details.intoId])).map((one) => one.id))
  const skipped: number[] = []
  const items = merged.flatMap((one) => {
    const links = unmergedLinks(current.get(one.id) ?? [], one, into)
    if (links) return [{ id: one.id, links }]
    skipped.push(one.id)
    return []
  })
  const events = await listStatedEvents(
    db,
    items.map((one) => one.id),
  )
  return { merge, items, events: firstOfEach(events), skipped }
}
