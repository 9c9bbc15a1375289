import type { Actor } from '../../access/auth/actor.ts'
import { mayEditOthers } from '../../access/auth/policy.ts'
import type { Deps } from '../../access/deps.ts'
import { fail, Problem } from '../../base/problems.ts'
import { countEventsByGroup } from '../../calendar/directory/directory.usage.repository.ts'
import { findTemplate } from '../../calendar/events/event.repository.ts'
import { type WriteContext, writeContext } from '../../calendar/records/write.context.ts'
import { trashSeries } from '../../calendar/series/series.trash.service.ts'
import { listNamed, listNamesOf, markGone, saveNames } from '../../calendar/sources/source.repository.ts'
import { sourceKey } from '../../calendar/sources/source.ts'
import { changedFields, rememberedStanding, type Standing } from '../../calendar/sources/standing.ts'
import {
  insertUndo,
  insertUndoItems,
  listCreatedSince,
  listUndoItems,
  listUndos,
  markUndone,
} from '../../calendar/undo/undo.repository.ts'
import { findUndoable, oldestUndoable } from '../../calendar/undo/undo.service.ts'
import type { UndoItem } from '../../calendar/undo/undo.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { type SourceRecordKind, sentKinds } from './source.kinds.ts'
import type { Parts } from './upsert.kind.ts'
import type { UpsertResult } from './upsert.service.ts'

/** An import under the name of a source, which can be undone as a whole. */
interface UndoneImport {
  readonly source: string
}

/** What is known of a record that an import has created or changed. */
interface WrittenRecord {
  readonly kind: SourceRecordKind
  /** How it stood afterwards, if it was changed. */
  readonly standing?: Standing
}

type WrittenItem = UndoItem<Parts & WrittenRecord>

/** How records are before an import changes them. */
export interface StateBefore {
  readonly standings: ReadonlyMap<number, Standing>
  readonly parts: ReadonlyMap<number, Parts>
}

/** Returns how these records are. Runs a few queries for each. */
export async function stateBefore(tx: Tx, kind: SourceRecordKind, ids: readonly number[]): Promise<StateBefore> {
  const sent = sentKinds[kind]
  const parts = new Map<number, Parts>()
  for (const id of ids) parts.set(id, await sent.parts(tx, id))
  return { parts, standings: await sent.edits.list(tx, ids) }
}

/**
 * Notes what a transaction of an import has created and changed.
 *
 * @param id Of the import; undefined if it has written nothing so far.
 * @returns the id of the import.
 */
export async function noteWritten(
  { tx, actor, now }: WriteContext,
  { id, source, kind }: UndoneImport & { readonly kind: SourceRecordKind; readonly id: number | undefined },
  { done, before }: { readonly done: readonly UpsertResult[]; readonly before: StateBefore },
): Promise<number | undefined> {
  const at = now()
  const idsOf = (wanted: UpsertResult['outcome']) =>
    done.flatMap(({ id: one, outcome }) => (outcome === wanted ? one : []))
  const created = idsOf('created')
  // A venue of the same name, which was here before, counts as created.
  const made = kind === 'event' ? [...new Set(created)] : await listCreatedSince(tx, created, at)
  const ids = idsOf('changed')
  const standings = await sentKinds[kind].edits.list(tx, ids)
  const changed = ids.flatMap((one) => {
    // An event that became a series has another id now.
    const [parts = {}, standing = {}] = [before.parts.get(one), standings.get(one)]
    const fields = [...changedFields(before.standings.get(one) ?? {}, standing)].filter((field) => parts[field])
    const was = Object.fromEntries(fields.map((field) => [field, parts[field]]))
    return fields.length > 0 ? [{ id: one, before: was, after: { kind, standing } }] : []
  })
  const items = [...made.map((one) => ({ id: one, before: {}, after: { kind } })), ...changed]
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
 * Puts back what an import has changed, and moves what it has created to the trash: events, then venues and organizers
 * without events. What was edited here stays. The next import of the same calendar does it all again. Doing it again has
 * no effect.
 *
 * @throws record-not-found
 */
export async function undoImport(
  { deps, actor }: { readonly deps: Deps; readonly actor: Actor },
  id: number,
): Promise<{ readonly removed: number; readonly restored: number; readonly kept: number }> {
  const { storage, now } = deps
  const found = await findUndoable<UndoneImport>({ db: storage.db, at: now() }, 'import', id)
  if (!found || !isUndoableBy(actor, found.userId)) return fail('record-not-found')
  const items = await listUndoItems<Parts & WrittenRecord>(storage.db, id)
  let [removed, restored, kept] = [0, 0, 0]
  for (const kind of ['event', 'venue', 'organizer'] as const) {
    const of = items.filter(({ after }) => after.kind === kind)
    for (let first = 0; first < of.length; first += undoneAtOnce) {
      const some = of.slice(first, first + undoneAtOnce)
      const [made, changed] = [some.filter(({ after }) => !after.standing), some.filter(({ after }) => after.standing)]
      const done = await storage.write(async (tx) => {
        const write = writeContext({ deps, actor }, tx)
        const named = { kind, name: found.details.source, dialect: storage.dialect }
        const back = await putBackChanged(write, named, changed)
        const gone = await trashCreated(
          write,
          named,
          made.map((item) => item.id),
        )
        await markUndone(tx, { id, recordIds: [...back, ...gone], at: now() })
        return { back, gone }
      })
      removed += done.gone.length
      restored += done.back.length
      kept += some.length - done.gone.length - done.back.length
    }
  }
  return { removed, restored, kept }
}

interface NamedBySource {
  readonly kind: SourceRecordKind
  readonly name: string
  readonly dialect: Dialect
}

/** Returns what a source calls these records, and what it knows of them, by id. */
async function namesOf(tx: Tx, { kind, name }: NamedBySource, ids: readonly number[]) {
  const names = (await listNamesOf(tx, kind, ids)).filter(({ source }) =>
    source.startsWith(sourceKey({ name, externalId: '' })),
  )
  const known = await listNamed(
    tx,
    kind,
    names.map(({ source }) => source),
  )
  return names.flatMap(({ source, recordId: id }) => {
    const named = known.get(source)
    return named ? [{ ...named, id }] : []
  })
}

/** Whether this was done. It was not if the user may not change the record, or if a value is refused by now. */
async function isDone(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return false
    throw error
  }
}

/** Gives records the fields that nobody has edited since. @returns those of which any was. */
async function putBackChanged(
  write: WriteContext,
  named: NamedBySource,
  items: readonly WrittenItem[],
): Promise<readonly number[]> {
  if (items.length === 0) return []
  const { tx, now } = write
  const { kind, name } = named
  const sent = sentKinds[kind]
  const names = new Map(
    (
      await namesOf(
        tx,
        named,
        items.map(({ id }) => id),
      )
    ).map((one) => [one.id, one]),
  )
  const back: number[] = []
  for (const { id, before, after } of items) {
    const standing = (await sent.edits.list(tx, [id])).get(id)
    if (!standing || (await sent.find(tx, id)).status === 'trash') continue
    const fields = Object.keys(before).filter((field) => standing[field] === after.standing?.[field])
    const parts = fields.map((field) => before[field] ?? {})
    if (parts.length === 0 || !(await isDone(() => sent.putBack(write, id, parts)))) continue
    back.push(id)
    const one = names.get(id)
    if (!one) continue
    const restored = (await sent.edits.list(tx, [id])).get(id) ?? {}
    const others = new Set(Object.keys({ ...one.standing, ...restored }).filter((field) => !fields.includes(field)))
    // Without a digest, the next import writes it again.
    const row = { ...one, digest: '', standing: rememberedStanding(one.standing, restored, others) }
    await saveNames(tx, { kind, name, at: now() }, [row])
  }
  return back
}

/** Moves records to the trash that nobody has edited and no event needs. @returns those that are there now. */
async function trashCreated(
  write: WriteContext,
  named: NamedBySource,
  ids: readonly number[],
): Promise<readonly number[]> {
  if (ids.length === 0) return []
  const { tx, now } = write
  const { kind, dialect } = named
  const sent = sentKinds[kind]
  const standings = await sent.edits.list(tx, ids)
  const used = kind === 'event' ? new Map() : await countEventsByGroup({ db: tx, dialect, isAll: true }, ids)
  const gone: string[] = []
  const undone: number[] = []
  for (const { key, id, standing } of await namesOf(tx, named, ids)) {
    if ((await sent.find(tx, id)).status === 'trash') {
      // Somebody has put it there, so that the next import leaves it alone.
      undone.push(id)
      continue
    }
    if (changedFields(standing, standings.get(id) ?? {}).size > 0 || used.get(id)) continue
    const trash = async () => ((await findTemplate(tx, id)) ? trashSeries(write, id) : sent.trash(write, id))
    if (!(await isDone(trash))) continue
    gone.push(key)
    undone.push(id)
  }
  await markGone(tx, { kind, at: now() }, gone)
  return undone
}
