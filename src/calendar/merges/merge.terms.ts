import { chooseTranslation, fullLanguageChain } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import { fail, failParameter } from '../../base/problems.ts'
import type { Db, TermRow, Tx } from '../../storage/database/tables.ts'
import { listTermTranslations, recountEvents } from '../terms/term.event.repository.ts'
import { findTerm, listWithDescendants, makeTermsPublic, removeTerm } from '../terms/term.repository.ts'
import { uniqueTermSlug } from '../terms/term.slug.ts'
import { type Taxonomy, type Term, topLevel } from '../terms/term.ts'
import { countEventsWithTerms, insertTermRow, listChildren, listTermRows, moveChildren } from './merge.repository.ts'
import type { Mergeable, RemovedTerms } from './merge.ts'

const idsOf = (some: readonly { readonly id: number }[]) => some.map(({ id }) => id)

/** Translations count as one. */
const countOf = (children: readonly { readonly groupId: number }[]) => new Set(children.map((one) => one.groupId)).size

/** What a category or a tag is used for. @throws record-not-found */
export async function readTermUsage(
  db: Db,
  taxonomy: Taxonomy,
  id: number,
): Promise<{ readonly events: number; readonly children: number }> {
  const term = (await findTerm(db, taxonomy, id)) ?? fail('record-not-found')
  const ids = idsOf(await listTermTranslations(db, [term.id]))
  return { events: await countEventsWithTerms(db, ids), children: countOf(await listChildren(db, ids)) }
}

/** How categories or tags are merged: the merged one is removed, and what is below it moves below the other one. */
export function mergeableTerms(taxonomy: Taxonomy): Mergeable<Term> {
  return {
    kind: taxonomy,
    read: async (db, id) => (await findTerm(db, taxonomy, id)) ?? fail('record-not-found'),
    find: (db, id) => findTerm(db, taxonomy, id),
    listTranslationsInGroups: listTermTranslations,
    check: async (db, { from, into }) => {
      // What is below would become its own ancestor.
      const below = new Set(await listWithDescendants(db, idsOf(from)))
      if (into.some(({ id }) => below.has(id))) failParameter('into', 'fault.parent-loop')
    },
    tell: async (db, { from }) => ({ children: countOf(await listChildren(db, idsOf(from))) }),
    takeAway: async ({ tx, config }, { from, into, intoId }) => {
      const rows = await listTermRows(tx, idsOf(from))
      const children = (await listChildren(tx, idsOf(from))).map(({ id, language, parentId }) => {
        const parent = chooseTranslation(into, fullLanguageChain(language as Language, config))
        return { id, before: parentId, after: parent?.id ?? intoId }
      })
      await moveChildren(tx, children, 'after')
      for (const { id } of from) {
        const term = await findTerm(tx, taxonomy, id)
        if (term) await removeTerm(tx, term)
      }
      await makeTermsPublic(tx, idsOf(into))
      return { trashed: idsOf(from), terms: { rows, children } }
    },
    giveBack: async ({ tx }, { terms }) => {
      if (!terms) return
      const current = await listTermRows(tx, idsOf(terms.children))
      const children = terms.children.filter((child) =>
        current.some((row) => row.id === child.id && row.parent_id === child.after),
      )
      await addAgain(tx, taxonomy, { rows: terms.rows, children })
      await moveChildren(tx, children, 'before')
    },
    recount: recountEvents,
  }
}

/**
 * Adds the removed terms again. One whose slug another term has now gets another slug. One whose parent is gone, or is
 * now below its own children, is at the top.
 */
async function addAgain(tx: Tx, taxonomy: Taxonomy, { rows, children }: RemovedTerms): Promise<void> {
  const parents = await listTermRows(
    tx,
    rows.map((row) => row.parent_id),
  )
  const below = new Set(await listWithDescendants(tx, idsOf(children)))
  const versions = await listTermTranslations(tx, idsOf(parents))
  const mayHold = ({ parent_id: id }: TermRow) => {
    const parent = parents.find((one) => one.id === id)
    const group = parent?.group_id ?? parent?.id
    return parent !== undefined && !versions.some((one) => one.groupId === group && below.has(one.id))
  }
  for (const row of rows) {
    const parentId = mayHold(row) ? row.parent_id : topLevel
    const slug = await uniqueTermSlug(tx, { taxonomy, language: row.language as Language, parentId }, row.slug)
    await insertTermRow(tx, {
      ...row,
      ...{ slug, parent_id: parentId, event_count: 0, change_count: row.change_count + 1 },
    })
  }
}
