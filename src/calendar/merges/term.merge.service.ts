import type { Actor } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import { chooseVersion, fullLanguageChain } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import { fail, failParameter, Problem } from '../../base/problems.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { rememberMerge } from '../records/former.repository.ts'
import { touchRecords } from '../records/record.version.repository.ts'
import { listTermVersions, recountEvents } from '../terms/term.event.repository.ts'
import { findTerm, listWithDescendants, makeTermsPublic, removeTerm } from '../terms/term.repository.ts'
import { type Taxonomy, type Term, topLevel } from '../terms/term.ts'
import { insertMerge, listMovedEvents } from './merge.repository.ts'
import { firstOfEach, type LinkChange, type MovedEvent, maxMergedEvents, type RemovedTerms } from './merge.ts'
import {
  countEventsWithTerms,
  listChildren,
  listEventsWithTerms,
  moveChildren,
  moveEventTerms,
  moveTermNames,
} from './term.merge.repository.ts'
import { listTermNames, listTermRows, listTermsOf } from './term.unmerge.repository.ts'

interface Asking {
  readonly deps: Deps
  readonly actor: Actor
  readonly taxonomy: Taxonomy
}

/** What a merge of terms did, or would do. */
export interface TermMerge {
  readonly events: readonly MovedEvent[]
  /** The number of categories that move below the other one. Translations count as one. */
  readonly children: number
  /** Undefined if nothing was done. */
  readonly id?: number
}

/** What a category or a tag is used for. @throws record-not-found */
export async function readTermUsage(
  { storage: { db, dialect } }: Deps,
  taxonomy: Taxonomy,
  id: number,
): Promise<{ readonly events: number; readonly children: number }> {
  const term = (await findTerm(db, taxonomy, id)) ?? fail('record-not-found')
  const ids = (await listTermVersions(db, [term.id])).map((version) => version.id)
  const children = await listChildren({ db, dialect, ids })
  return {
    events: await countEventsWithTerms({ db, dialect, ids }),
    children: new Set(children.map(({ groupId }) => groupId)).size,
  }
}

/**
 * Gives the events and the categories below a term to another one, and removes the term with its translations, in one
 * transaction; or only tells what would move.
 *
 * @throws record-not-found, rest_invalid_param
 */
export async function mergeTerms(
  { deps, actor, taxonomy }: Asking,
  order: { readonly fromId: number; readonly intoId: number },
  isDry: boolean,
): Promise<TermMerge> {
  const { storage } = deps
  if (isDry) return await planMerge(storage.db, { deps, taxonomy }, order)
  return storage.write(async (tx) => {
    const plan = await planMerge(tx, { deps, taxonomy }, order)
    const id = await carryOut(tx, { deps, actor, taxonomy }, { plan, order })
    return { ...plan, id }
  })
}

type Plan = Awaited<ReturnType<typeof planMerge>>

async function planMerge(
  db: Db,
  { deps, taxonomy }: Omit<Asking, 'actor'>,
  { fromId, intoId }: { readonly fromId: number; readonly intoId: number },
) {
  const { dialect } = deps.storage
  const merged = (await findTerm(db, taxonomy, fromId)) ?? fail('record-not-found')
  const target = (await findTerm(db, taxonomy, intoId)) ?? failParameter('into', `fault.unknown-${taxonomy}`)
  if (target.groupId === merged.groupId) return failParameter('into', 'fault.merge-itself')
  const from = await listTermVersions(db, [merged.id])
  const into = await listTermVersions(db, [target.id])
  const ids = from.map(({ id }) => id)
  // What is below would become its own ancestor.
  const below = new Set(await listWithDescendants(db, ids))
  if (into.some(({ id }) => below.has(id))) return failParameter('into', 'fault.parent-loop')
  const eventIds = await listEventsWithTerms({ db, dialect, ids }, maxMergedEvents + 1)
  if (eventIds.length > maxMergedEvents) {
    const values = { most: String(maxMergedEvents), count: String(eventIds.length) }
    throw new Problem('rest_invalid_param', { faults: { id: { text: 'fault.too-many-events', values } } })
  }
  const moving = taxonomy === 'category' ? await listChildren({ db, dialect, ids }) : []
  const events = firstOfEach(await listMovedEvents(db, dialect, eventIds))
  const children = new Set(moving.map(({ groupId }) => groupId)).size
  return { from, into, eventIds, moving, events, children }
}

async function carryOut(
  tx: Tx,
  { deps, actor, taxonomy }: Asking,
  {
    plan: { from, into, eventIds, moving },
    order,
  }: { readonly plan: Plan; readonly order: { readonly fromId: number } },
): Promise<number> {
  const { storage, config, now } = deps
  const { dialect } = storage
  const fromIds = from.map(({ id }) => id)
  const intoIds = into.map(({ id }) => id)
  const intoId = into[0]?.groupId ?? topLevel
  const at = now()
  const rows = await listTermRows(tx, dialect, fromIds)
  const names = await listTermNames(tx, dialect, { taxonomy, ids: fromIds })
  const held = await listTermsOf(tx, dialect, { eventIds, termIds: [...fromIds, ...intoIds] })
  const changes = eventIds.map((eventId): LinkChange => {
    const before = held.get(eventId) ?? []
    const kept = before.filter((id) => into.some((one) => one.id === id))
    return { eventId, before, after: kept.length > 0 ? kept : [intoId] }
  })
  const children: RemovedTerms['children'][number][] = []
  await moveEventTerms(tx, dialect, { from: fromIds, into: intoIds, intoId })
  await touchRecords(tx, dialect, { ids: eventIds, at })
  for (const [language, some] of Map.groupBy(moving, (child) => child.language)) {
    const parent = chooseVersion(into, fullLanguageChain(language as Language, config))
    const after = parent?.id ?? intoId
    await moveChildren(tx, dialect, { ids: some.map(({ id }) => id), parentId: after })
    children.push(...some.map(({ id, parentId }) => ({ id, before: parentId, after })))
  }
  await moveTermNames(tx, dialect, { taxonomy, from: fromIds, intoId })
  for (const { id } of from) {
    const term: Term | undefined = await findTerm(tx, taxonomy, id)
    if (term) await removeTerm(tx, term)
  }
  await rememberMerge(tx, { kind: taxonomy, dialect }, { from, into, intoId })
  await makeTermsPublic(tx, intoIds)
  await recountEvents(tx, intoIds)
  const userId = actor.kind === 'user' ? actor.id : undefined
  const merge = { at, userId, kind: taxonomy, fromId: order.fromId, intoId, trashed: fromIds, names }
  return insertMerge(tx, { ...merge, terms: { rows, children } }, changes)
}
