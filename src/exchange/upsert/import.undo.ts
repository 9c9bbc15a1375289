import type { Actor } from '../../access/auth/actor.ts'
import { mayEditOthers } from '../../access/auth/policy.ts'
import type { Deps } from '../../access/deps.ts'
import { fail, Problem } from '../../base/problems.ts'
import { countEventsByGroup } from '../../calendar/directory/directory.usage.repository.ts'
import { findTemplate } from '../../calendar/events/event.repository.ts'
import { type WriteContext, writeContext } from '../../calendar/records/write.context.ts'
import { trashSeries } from '../../calendar/series/series.trash.service.ts'
import { listNamed, listNamesOf, markGone } from '../../calendar/sources/source.repository.ts'
import { sourceKey } from '../../calendar/sources/source.ts'
import { changedFields } from '../../calendar/sources/standing.ts'
import {
  insertUndo,
  insertUndoItems,
  listCreatedSince,
  listUndoItems,
  listUndos,
  markUndone,
} from '../../calendar/undo/undo.repository.ts'
import { findUndoable, oldestUndoable } from '../../calendar/undo/undo.service.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import { type SourceRecordKind, sentKinds } from './source.kinds.ts'

/** An import under the name of a source, which can be undone as a whole. */
interface UndoneImport {
  readonly source: string
}

/** What is known of a record that an import has created. */
interface CreatedRecord {
  readonly kind: SourceRecordKind
}

/**
 * Notes what a transaction of an import has created.
 *
 * @param id Of the import; undefined if it has created nothing so far.
 * @returns the id of the import.
 */
export async function noteCreated(
  { tx, actor, now }: WriteContext,
  { id, source, kind }: UndoneImport & CreatedRecord & { readonly id: number | undefined },
  created: readonly number[],
): Promise<number | undefined> {
  const at = now()
  // A venue of the same name, which was here before, counts as created.
  const made = kind === 'event' ? [...new Set(created)] : await listCreatedSince(tx, created, at)
  const items = made.map((one) => ({ id: one, before: {}, after: { kind } satisfies CreatedRecord }))
  if (items.length === 0) return id
  if (id === undefined) return insertUndo(tx, { operation: 'import', at, actor, details: { source } }, items)
  await insertUndoItems(tx, id, items)
  return id
}

const maxListed = 20

/** Returns the last imports that this user can undo, the latest first. */
export async function listImports({ deps: { storage, now }, actor }: { readonly deps: Deps; readonly actor: Actor }) {
  if (actor.kind !== 'user') return []
  const userId = mayEditOthers(actor) ? undefined : actor.id
  return listUndos<UndoneImport>(storage.db, 'import', { userId, since: oldestUndoable(now()), limit: maxListed })
}

const isUndoableBy = (actor: Actor, userId: number | undefined) =>
  mayEditOthers(actor) || (actor.kind === 'user' && actor.id === userId)

/** The records of one transaction. More would delay other writes. */
const undoneAtOnce = 200

/**
 * Moves what an import has created to the trash: events, then venues and organizers without events. What was edited here
 * stays. The next import of the same calendar brings it back. Doing it again has no effect.
 *
 * @throws record-not-found
 */
export async function undoImport(
  { deps, actor }: { readonly deps: Deps; readonly actor: Actor },
  id: number,
): Promise<{ readonly removed: number; readonly kept: number }> {
  const { storage, now } = deps
  const found = await findUndoable<UndoneImport>({ db: storage.db, at: now() }, 'import', id)
  if (!found || !isUndoableBy(actor, found.userId)) return fail('record-not-found')
  const items = await listUndoItems<CreatedRecord>(storage.db, id)
  let [removed, kept] = [0, 0]
  for (const kind of ['event', 'venue', 'organizer'] as const) {
    const ids = items.filter(({ after }) => after.kind === kind).map((item) => item.id)
    for (let first = 0; first < ids.length; first += undoneAtOnce) {
      const some = ids.slice(first, first + undoneAtOnce)
      const gone = await storage.write(async (tx) => {
        const write = writeContext({ deps, actor }, tx)
        const undone = await trashCreated(write, { kind, name: found.details.source, dialect: storage.dialect }, some)
        await markUndone(tx, { id, recordIds: undone, at: now() })
        return undone
      })
      removed += gone.length
      kept += some.length - gone.length
    }
  }
  return { removed, kept }
}

/** Moves records to the trash that nobody has edited and no event needs. @returns those that are there now. */
async function trashCreated(
  write: WriteContext,
  { kind, name, dialect }: CreatedRecord & { readonly name: string; readonly dialect: Dialect },
  ids: readonly number[],
): Promise<readonly number[]> {
  const { tx, now } = write
  const sent = sentKinds[kind]
  const names = (await listNamesOf(tx, kind, ids)).filter(({ source }) =>
    source.startsWith(sourceKey({ name, externalId: '' })),
  )
  const known = await listNamed(
    tx,
    kind,
    names.map(({ source }) => source),
  )
  const standings = await sent.edits?.list(tx, ids)
  const used = kind === 'event' ? new Map() : await countEventsByGroup({ db: tx, dialect, isAll: true }, ids)
  const gone: string[] = []
  const undone: number[] = []
  for (const { source: key, recordId: id } of names) {
    if ((await sent.find(tx, id)).status === 'trash') {
      // Somebody has put it there, so that the next import leaves it alone.
      undone.push(id)
      continue
    }
    const isEdited = changedFields(known.get(key)?.standing ?? {}, standings?.get(id) ?? {}).size > 0
    if (isEdited || used.get(id)) continue
    try {
      if (await findTemplate(tx, id)) await trashSeries(write, id)
      else await sent.trash(write, id)
      gone.push(key)
      undone.push(id)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'rest_forbidden') throw error
    }
  }
  await markGone(tx, { kind, at: now() }, gone)
  return undone
}
