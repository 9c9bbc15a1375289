import type { Actor } from '../../access/auth/actor.ts'
import { mayEditOthers } from '../../access/auth/policy.ts'
import type { Deps } from '../../access/deps.ts'
import { fail } from '../../base/problems.ts'
import { countEventsByGroup } from '../../calendar/directory/directory.usage.repository.ts'
import { findTemplate } from '../../calendar/events/event.repository.ts'
import { type WriteContext, writeContext } from '../../calendar/records/write.context.ts'
import { listDates } from '../../calendar/series/series.repository.ts'
import { trashSeries } from '../../calendar/series/series.trash.service.ts'
import { isLive } from '../../calendar/series/series.ts'
import { forgetSent, listNamed, listNamesOf, markGone } from '../../calendar/sources/source.repository.ts'
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
import { batchesOf, writeInBatches } from './batches.ts'
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

type WrittenItem = UndoItem<Parts, WrittenRecord>

/** How records are before an import changes them. */
export interface StateBefore {
  readonly standings: ReadonlyMap<number, Standing>
  readonly parts: ReadonlyMap<number, Parts>
  readonly isInTrash: ReadonlySet<number>
}

/** Returns how these records are. Runs a few queries for each. */
export async function stateBefore(tx: Tx, kind: SourceRecordKind, ids: readonly number[]): Promise<StateBefore> {
  const sent = sentKinds[kind]
  const parts = new Map<number, Parts>()
  const isInTrash = new Set<number>()
  for (const id of ids) {
    parts.set(id, await sent.parts(tx, id))
    if ((await sent.find(tx, id)).status === 'trash') isInTrash.add(id)
  }
  return { parts, isInTrash, standings: await sent.edits.list(tx, ids) }
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
  const written = (wanted: UpsertResult['outcome']) => [
    ...new Set(done.flatMap(({ id: one, outcome }) => (outcome === wanted ? one : []))),
  ]
  const isKnown = (one: number) => before.parts.has(one)
  const created = written('created').filter((one) => !isKnown(one))
  // A venue of the same name, which was here before, counts as created.
  const made = kind === 'event' ? created : [...(await listCreatedSince(tx, created, at))]
  // What was in the trash is there again after an undo.
  const isBack = (one: number) => before.isInTrash.has(one)
  made.push(...written('changed').filter(isBack))
  const ids = [...written('created').filter(isKnown), ...written('changed').filter((one) => !isBack(one))]
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
  const items = await listUndoItems<Parts, WrittenRecord>(storage.db, id)
  const counts = { removed: 0, restored: 0, kept: 0 }
  for (const kind of ['event', 'venue', 'organizer'] as const) {
    const named = { kind, name: found.details.source, dialect: storage.dialect }
    const batches = batchesOf(storage, { size: undoneAtOnce, isDry: false })
    const of = items.filter(({ after }) => after.kind === kind)
    await writeInBatches<WrittenItem, keyof typeof counts>(batches, of, {
      write: async (tx, some) => {
        const write = writeContext({ deps, actor }, tx)
        const [made, changed] = [
          some.filter(({ after }) => !after.standing),
          some.filter(({ after }) => after.standing),
        ]
        const back = new Set(await putBackChanged(write, named, changed))
        const gone = new Set(await trashCreated(write, named, idsOf(made)))
        await markUndone(tx, { id, recordIds: [...back, ...gone], at: now() })
        return some.map((item) => (back.has(item.id) ? 'restored' : gone.has(item.id) ? 'removed' : 'kept'))
      },
      // What the user may not change is refused.
      settle: (_, outcome) => {
        counts['done' in outcome ? outcome.done : 'kept'] += 1
      },
    })
  }
  return counts
}

const idsOf = (items: readonly WrittenItem[]) => items.map(({ id }) => id)

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

/** Gives records the fields that nobody has edited since. @returns those of which any was. */
async function putBackChanged(
  write: WriteContext,
  named: NamedBySource,
  items: readonly WrittenItem[],
): Promise<readonly number[]> {
  if (items.length === 0) return []
  const { tx } = write
  const { kind } = named
  const sent = sentKinds[kind]
  const names = Map.groupBy(await namesOf(tx, named, idsOf(items)), ({ id }) => id)
  const back: number[] = []
  for (const { id, before, after } of items) {
    const standing = (await sent.edits.list(tx, [id])).get(id)
    if (!standing || (await sent.find(tx, id)).status === 'trash') continue
    const fields = Object.keys(before).filter((field) => standing[field] === after.standing?.[field])
    const parts = fields.map((field) => before[field] ?? {})
    if (parts.length === 0) continue
    await sent.putBack(write, id, parts)
    back.push(id)
    const restored = (await sent.edits.list(tx, [id])).get(id) ?? {}
    for (const { key, standing: known } of names.get(id) ?? []) {
      const others = new Set(Object.keys({ ...known, ...restored }).filter((field) => !fields.includes(field)))
      await forgetSent(tx, { kind, key }, rememberedStanding(known, restored, others))
    }
  }
  return back
}

/** Whether somebody has edited a date of a series: it has a value of its own that its source has not sent. */
async function hasEditedDate(tx: Tx, named: NamedBySource, seriesId: number): Promise<boolean> {
  const own = (await listDates(tx, seriesId)).filter((date) => isLive(date) && date.ownFields.length > 0)
  const ids = own.map(({ eventId }) => eventId)
  const sent = new Map((await namesOf(tx, named, ids)).map(({ id, standing }) => [id, standing]))
  const standings = await sentKinds.event.edits.list(tx, ids)
  return ids.some((id) => changedFields(sent.get(id) ?? {}, standings.get(id) ?? {}).size > 0)
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
    const { status, seriesId } = await sent.find(tx, id)
    if (status === 'trash') {
      // Somebody has put it there, so that the next import leaves it alone.
      undone.push(id)
      continue
    }
    // A date goes with its series, or stays with it.
    if (changedFields(standing, standings.get(id) ?? {}).size > 0 || used.get(id) || seriesId !== undefined) continue
    const isSeries = kind === 'event' && (await findTemplate(tx, id)) !== undefined
    if (isSeries && (await hasEditedDate(tx, named, id))) continue
    if (isSeries) await trashSeries(write, id)
    else await sent.trash(write, id)
    gone.push(key)
    undone.push(id)
  }
  await markGone(tx, { kind, at: now() }, gone)
  return undone
}
