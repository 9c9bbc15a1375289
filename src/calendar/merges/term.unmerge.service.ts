import type { Deps } from '../../access/deps.ts'
import type { Language } from '../../base/languages/language.ts'
import { fail } from '../../base/problems.ts'
import type { Db, TermRow, Tx } from '../../storage/database/tables.ts'
import { touchRecords } from '../records/record.version.repository.ts'
import { listTermVersions, recountEvents } from '../terms/term.event.repository.ts'
import { listWithDescendants } from '../terms/term.repository.ts'
import { uniqueTermSlug } from '../terms/term.slug.ts'
import { type Taxonomy, topLevel } from '../terms/term.ts'
import { findMerge, listMergedEvents, listMovedEvents, markMergeUndone } from './merge.repository.ts'
import { oldestUndoable, type UnmergeResult } from './merge.service.ts'
import { firstOfEach, type RemovedTerms } from './merge.ts'
import {
  insertTermRows,
  listTermRows,
  listTermsOf,
  replaceTerms,
  returnChildren,
  returnTermNames,
} from './term.unmerge.repository.ts'

interface Asking {
  readonly deps: Deps
  readonly taxonomy: Taxonomy
}

/**
 * Undoes a merge of categories or tags, or only tells what would move back: the term and its translations come back,
 * and the events and categories that still have the other one get it back. Doing it again has no effect.
 *
 * @throws merge-not-found
 */
export async function undoTermMerge({ deps, taxonomy }: Asking, id: number, isDry: boolean): Promise<UnmergeResult> {
  const { storage, now } = deps
  if (isDry) {
    const { events, skipped } = await planUndo(storage.db, { deps, taxonomy }, id)
    return { events, skipped }
  }
  return storage.write(async (tx) => {
    const { merge, changes, children, intoIds, events, skipped } = await planUndo(tx, { deps, taxonomy }, id)
    if (!merge?.terms) return { events, skipped }
    const { dialect } = storage
    const at = now()
    await addAgain(tx, { deps, taxonomy }, { rows: merge.terms.rows, children })
    await returnChildren(tx, dialect, children)
    await replaceTerms(tx, dialect, changes)
    await touchRecords(tx, dialect, { ids: changes.map(({ eventId }) => eventId), at })
    await returnTermNames(tx, dialect, { taxonomy, names: merge.names, heldBy: merge.intoId })
    await recountEvents(tx, [...merge.trashed, ...intoIds])
    await markMergeUndone(tx, id, at)
    return { events, skipped }
  })
}

async function planUndo(db: Db, { deps, taxonomy }: Asking, id: number) {
  const { dialect } = deps.storage
  const merge = await findMerge(db, { id, kind: taxonomy, since: oldestUndoable(deps.now()) })
  if (!merge?.terms) return fail('merge-not-found')
  const none = { changes: [], children: [], intoIds: [], events: [], skipped: [] }
  if (merge.isUndone) return { merge: undefined, ...none }
  const merged = await listMergedEvents(db, id)
  const intoIds = (await listTermVersions(db, [merge.intoId])).map((one) => one.id)
  const eventIds = merged.map(({ eventId }) => eventId)
  const held = await listTermsOf(db, dialect, { eventIds, termIds: intoIds })
  const skipped: number[] = []
  const changes = merged.flatMap(({ eventId, before, after }) => {
    const current = held.get(eventId) ?? []
    if (current.length === 0) {
      skipped.push(eventId)
      return []
    }
    // An event that had both keeps the other one.
    const hadBoth = before.some((one) => after.includes(one))
    return [{ eventId, removed: hadBoth ? [] : current, added: before.filter((one) => merge.trashed.includes(one)) }]
  })
  const current = await listTermRows(
    db,
    dialect,
    merge.terms.children.map((child) => child.id),
  )
  const children = merge.terms.children.filter((child) =>
    current.some((row) => row.id === child.id && row.parent_id === child.after),
  )
  const moved = await listMovedEvents(
    db,
    dialect,
    changes.map(({ eventId }) => eventId),
  )
  return { merge, changes, children, intoIds, events: firstOfEach(moved), skipped }
}

/**
 * Adds the removed terms again. One whose slug another term has now gets another slug. One whose parent is gone, or is
 * now below its own children, is at the top.
 */
async function addAgain(tx: Tx, { deps, taxonomy }: Asking, { rows, children }: RemovedTerms): Promise<void> {
  const { dialect } = deps.storage
  const parents = await listTermRows(
    tx,
    dialect,
    rows.map((row) => row.parent_id),
  )
  const below = new Set(
    await listWithDescendants(
      tx,
      children.map(({ id }) => id),
    ),
  )
  const versions = await listTermVersions(
    tx,
    parents.map(({ id }) => id),
  )
  const mayHold = ({ parent_id: id }: TermRow) => {
    const parent = parents.find((one) => one.id === id)
    const group = parent?.group_id ?? parent?.id
    return parent !== undefined && !versions.some((one) => one.groupId === group && below.has(one.id))
  }
  for (const row of rows) {
    const parentId = mayHold(row) ? row.parent_id : topLevel
    const slug = await uniqueTermSlug(tx, { taxonomy, language: row.language as Language, parentId }, row.slug)
    const back = { ...row, slug, parent_id: parentId, event_count: 0, change_count: row.change_count + 1 }
    await insertTermRows(tx, [back])
  }
}
