import type { Actor } from '../auth/actor.ts'
import { assertAllowed, mayManage } from '../auth/policy.ts'
import type { Language } from '../languages/language.ts'
import { fail, failParameter } from '../problems.ts'
import type { Tx } from '../storage/tables.ts'
import { sanitizeTermDescription, sanitizeTermName } from '../text/sanitize.ts'
import { slugFrom } from '../text/slug.ts'
import {
  findTerm,
  insertTerm,
  isSlugTaken,
  listPlaced,
  listSought,
  listWithDescendants,
  removeTerm,
  updateTerm,
} from './term.repository.ts'
import { freeSlug } from './term.slug.ts'
import { isSameName, isTooLong, type PlacedTerm, type Taxonomy, type Term, topLevel } from './term.ts'

/** What a caller sends to create or change a term; undefined is left as it is. */
export interface TermInput {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly slug?: string | undefined
  /** Id of the category above, or `topLevel`. */
  readonly parentId?: number | undefined
  /** Whether a parent was sent at all: a tag refuses any, whatever its value. */
  readonly hasParent: boolean
}

/**
 * Creates a category or a tag.
 *
 * @throws rest_forbidden, rest_taxonomy_not_hierarchical, empty_term_name, db_insert_error, term_exists,
 *   rest_invalid_param (parent)
 */
export async function createTerm(
  tx: Tx,
  actor: Actor,
  taxonomy: Taxonomy,
  input: TermInput,
  language: Language,
): Promise<PlacedTerm> {
  assertMayWrite(actor, taxonomy, input)
  const name = checkedName(input.name ?? '')
  const parentId = input.parentId ?? topLevel
  if (parentId !== topLevel) await findParent(tx, parentId)

  const slug = slugFrom(input.slug ?? '')
  const namesake = await findNamesake(tx, { taxonomy, name, parentId, language })
  // Contract: a name may come twice where it comes with a slug of its own (terms.md §4).
  if (namesake && (slug === '' || (await isSlugTaken(tx, slug, { taxonomy, language })))) {
    const { id } = namesake
    fail('term_exists', { details: { term_id: id }, extra: { additional_data: [id, id] } })
  }
  const description = sanitizeTermDescription(input.description ?? '')
  return placed(tx, await addTerm(tx, { taxonomy, name, slug, description, parentId, language }))
}

/**
 * Adds a term whose name was checked before.
 *
 * @param term With the slug that is wanted; empty: made from the name, or from the id where the name has no letters
 *   and digits. In either case it is made unique.
 */
export async function addTerm(tx: Tx, term: Omit<Term, 'id' | 'eventCount'>): Promise<Term> {
  const wanted = term.slug || slugFrom(term.name)
  const slug = wanted === '' ? '' : await freeSlug(tx, term, wanted)
  const id = await insertTerm(tx, { ...term, slug })
  const added: Term = { ...term, slug, id, eventCount: 0 }
  if (slug !== '') return added
  const named: Term = { ...added, slug: await freeSlug(tx, added, String(id)) }
  await updateTerm(tx, id, named)
  return named
}

/**
 * Changes what was sent and nothing else.
 *
 * @throws rest_forbidden, rest_taxonomy_not_hierarchical, empty_term_name, db_insert_error, duplicate_term_slug,
 *   rest_invalid_param (id, parent)
 */
export async function changeTerm(
  tx: Tx,
  actor: Actor,
  taxonomy: Taxonomy,
  id: number,
  input: TermInput,
): Promise<PlacedTerm> {
  assertMayWrite(actor, taxonomy, input)
  const term = await findOrFail(tx, taxonomy, id)
  const name = input.name === undefined ? term.name : checkedName(input.name)
  const parentId = input.parentId ?? term.parentId
  if (parentId !== term.parentId && parentId !== topLevel) await assertMayStandBelow(tx, term, parentId)
  const description = input.description === undefined ? term.description : sanitizeTermDescription(input.description)
  const slug = input.slug === undefined ? term.slug : await changedSlug(tx, { ...term, name, parentId }, input.slug)
  await updateTerm(tx, term.id, { name, slug, description, parentId })
  return placed(tx, { ...term, name, slug, description, parentId })
}

/**
 * Deletes a term for good, off every event; categories below it move to its parent.
 *
 * @returns the term as it was.
 * @throws rest_forbidden, rest_invalid_param (id)
 */
export async function deleteTerm(tx: Tx, actor: Actor, taxonomy: Taxonomy, id: number): Promise<PlacedTerm> {
  assertAllowed(actor, mayManage(actor, taxonomy))
  const term = await placed(tx, await findOrFail(tx, taxonomy, id))
  await removeTerm(tx, term)
  return term
}

function assertMayWrite(actor: Actor, taxonomy: Taxonomy, { hasParent }: TermInput): void {
  assertAllowed(actor, mayManage(actor, taxonomy))
  if (taxonomy === 'tag' && hasParent) fail('rest_taxonomy_not_hierarchical')
}

function checkedName(sent: string): string {
  const name = sanitizeTermName(sent)
  if (name === '') fail('empty_term_name')
  if (isTooLong(name)) fail('db_insert_error')
  return name
}

/** The term that a new one of this name would double: below the same parent, which for tags is the whole taxonomy. */
async function findNamesake(
  tx: Tx,
  of: Pick<Term, 'taxonomy' | 'name' | 'parentId' | 'language'>,
): Promise<Term | undefined> {
  const known = await listSought(tx, of.taxonomy, { names: [of.name] })
  return known.find(
    ({ name, parentId, language }) => isSameName(name, of.name) && parentId === of.parentId && language === of.language,
  )
}

async function changedSlug(tx: Tx, term: Term, sent: string): Promise<string> {
  const wanted = slugFrom(sent)
  if (wanted === '') return freeSlug(tx, term, slugFrom(term.name) || String(term.id))
  const { taxonomy, language, id: exceptId } = term
  if (await isSlugTaken(tx, wanted, { taxonomy, language, exceptId })) fail('duplicate_term_slug')
  return wanted
}

async function assertMayStandBelow(tx: Tx, { id }: Term, parentId: number): Promise<void> {
  await findParent(tx, parentId)
  if ((await listWithDescendants(tx, [id])).includes(parentId)) failParameter('parent', 'fault.parent-loop')
}

// Looked up once more: what the arguments were checked against may be gone by now.
async function findParent(tx: Tx, id: number): Promise<Term> {
  return (await findTerm(tx, 'category', id)) ?? failParameter('parent', 'fault.unknown-category')
}

async function findOrFail(tx: Tx, taxonomy: Taxonomy, id: number): Promise<Term> {
  return (await findTerm(tx, taxonomy, id)) ?? failParameter('id', `fault.unknown-${taxonomy}`)
}

async function placed(tx: Tx, term: Term): Promise<PlacedTerm> {
  const [found] = await listPlaced(tx, [term])
  return found ?? { ...term, ancestorSlugs: [] }
}
