import type { Actor } from '../../access/auth/actor.ts'
import { assertAllowed, mayManage } from '../../access/auth/policy.ts'
import { languageParameterNames } from '../../access/http/addresses.ts'
import { chooseTranslation, fullLanguageChain } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import { fail, failParameter } from '../../base/problems.ts'
import { sanitizeTermDescription, sanitizeTermName } from '../../base/text/sanitize.ts'
import { slugFrom } from '../../base/text/slug.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { reportSlugAdjustment } from '../records/record.adjustments.ts'
import type { WriteContext } from '../records/write.context.ts'
import {
  leaveTranslationGroup,
  listTranslationIds,
  listTranslationsInGroups,
} from '../translations/group.repository.ts'
import { assertTranslatable, joinTranslationGroup, type NewTranslation } from '../translations/group.service.ts'
import { copyEventCount, isOnAnyEvent, recountEvents } from './term.event.repository.ts'
import { listMatchingTerms } from './term.lookup.repository.ts'
import {
  adoptChildren,
  findTerm,
  findTermWithAncestors,
  insertTerm,
  isSlugTaken,
  listWithDescendants,
  makeTermsPublic,
  removeTerm,
  updateTerm,
  withAncestors,
} from './term.repository.ts'
import { type AssignSlug, uniqueTermSlug } from './term.slug.ts'
import {
  isSameName,
  isTermNameTooLong,
  type NewTerm,
  type Taxonomy,
  type Term,
  type TermWithAncestors,
  topLevel,
} from './term.ts'

/** The values of a new or changed term. Undefined values stay. */
export interface TermPatch {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly slug?: string | undefined
  /** Id of the parent category, or `topLevel`. */
  readonly parentId?: number | undefined
  /** Whether a parent was sent at all. A tag rejects any parent, regardless of its value. */
  readonly hasParent: boolean
}

/**
 * Creates a category or a tag.
 *
 * @throws rest_forbidden, rest_taxonomy_not_hierarchical, empty_term_name, db_insert_error, term_exists,
 * rest_invalid_param (parent, ml_translation_of), ml_translation_exists
 */
export async function createTerm(
  write: WriteContext,
  taxonomy: Taxonomy,
  { draft, language, of, keptId }: NewTranslation & Pick<NewTerm, 'keptId'> & { readonly draft: TermPatch },
): Promise<TermWithAncestors> {
  const { tx } = write
  assertMayWrite(write.actor, taxonomy, draft)
  const name = sanitizedName(draft.name ?? '')
  const original = of === undefined ? undefined : await findTranslationTarget(write, taxonomy, of)
  if (original) await assertTranslatable(tx, 'terms', { id: original.id, language })
  const sentParentId = draft.parentId ?? original?.parentId ?? topLevel
  const parentId = await parentVersionFor(write, sentParentId, language)

  const slug = slugFrom(draft.slug ?? '')
  const namesake = await findNamesake(tx, { taxonomy, name, parentId, language })
  // Contract: two terms may have the same name if the request sends a distinct slug (terms.md §4).
  if (namesake && (slug === '' || (await isSlugTaken(tx, slug, { taxonomy, language })))) {
    const { id } = namesake
    fail('term_exists', { details: { term_id: id }, extra: { additional_data: [id, id] } })
  }
  const description = sanitizeTermDescription(draft.description ?? original?.description ?? '')
  // If the caller may create terms, the terms that the request names become public.
  await makeTermsPublic(tx, [parentId, original?.id ?? parentId])
  const term = await addTerm(tx, { taxonomy, name, slug, description, parentId, language, keptId })
  if (original) await changeTermTranslationGroup(tx, term, original.id)
  if (original && draft.parentId !== undefined) await propagateParent(write, term)
  const created = await reloadWithAncestors(tx, await findTermOrFail(tx, taxonomy, term.id))
  reportSlugAdjustment(write.report, draft.slug, created.slug)
  return created
}

/**
 * Adds a term whose name was checked before.
 *
 * @param term The term with the wanted slug. If the slug is empty, it is made from the name, or from the id if the name
 * has no letters or digits. In both cases it is made unique.
 */
export async function addTerm(
  tx: Tx,
  term: NewTerm,
  giveSlug: AssignSlug = (wanted) => uniqueTermSlug(tx, term, wanted),
): Promise<Term> {
  const wanted = term.slug || slugFrom(term.name)
  const slug = wanted === '' ? '' : await giveSlug(wanted)
  const id = await insertTerm(tx, { ...term, slug })
  const added: Term = { ...term, slug, id, groupId: id, eventCount: 0, changeCount: 0 }
  if (slug !== '') return added
  const named: Term = { ...added, slug: await giveSlug(String(id)) }
  await updateTerm(tx, id, named)
  return { ...named, changeCount: 1 }
}

interface TermChange {
  readonly id: number
  readonly patch: TermPatch
  /**
   * Id of a term that this one becomes a translation of. 0 removes the term from its group. Undefined changes nothing.
   */
  readonly translationOf?: number | undefined
}

/**
 * Changes the values that were sent and no others.
 *
 * @throws rest_forbidden, rest_taxonomy_not_hierarchical, empty_term_name, db_insert_error, duplicate_term_slug,
 * rest_invalid_param (id, parent, ml_translation_of), ml_translation_exists
 */
export async function changeTerm(
  write: WriteContext,
  taxonomy: Taxonomy,
  { id, patch, translationOf }: TermChange,
): Promise<TermWithAncestors> {
  const { tx } = write
  assertMayWrite(write.actor, taxonomy, patch)
  const term = await findTermOrFail(tx, taxonomy, id)
  const name = patch.name === undefined ? term.name : sanitizedName(patch.name)
  const target = translationOf ? await findTranslationTarget(write, taxonomy, translationOf) : undefined
  const parentId =
    patch.parentId === undefined ? term.parentId : await parentVersionFor(write, patch.parentId, term.language)
  if (parentId !== term.parentId && parentId !== topLevel) await assertValidParent(tx, term, parentId)
  const description = patch.description === undefined ? term.description : sanitizeTermDescription(patch.description)
  const slug = patch.slug === undefined ? term.slug : await changedTermSlug(tx, { ...term, name, parentId }, patch.slug)
  await updateTerm(tx, term.id, { name, slug, description, parentId })
  await makeTermsPublic(tx, [term.id, parentId, target?.id ?? parentId])
  if (patch.parentId !== undefined) await propagateParent(write, { ...term, parentId })
  if (translationOf !== undefined) await changeTermTranslationGroup(tx, term, translationOf)
  if (target) await adoptParentOfGroup(write, term, target)
  const changed = await reloadWithAncestors(tx, await findTermOrFail(tx, taxonomy, term.id))
  reportSlugAdjustment(write.report, patch.slug, changed.slug)
  return changed
}

/**
 * Deletes a term permanently and removes it from every event. Its child categories move to its parent.
 *
 * @returns the term before its removal.
 * @throws rest_forbidden, rest_invalid_param (id)
 */
export async function deleteTerm(
  { tx, actor }: WriteContext,
  taxonomy: Taxonomy,
  { id, language }: { readonly id: number; readonly language: Language | undefined },
): Promise<TermWithAncestors> {
  assertAllowed(actor, mayManage(actor, taxonomy))
  const found = await findTermWithAncestors(tx, { taxonomy, id }, { language })
  const term = found ?? failParameter('id', `fault.unknown-${taxonomy}`)
  await removeTerm(tx, term)
  return term
}

function assertMayWrite(actor: Actor, taxonomy: Taxonomy, { hasParent }: TermPatch): void {
  assertAllowed(actor, mayManage(actor, taxonomy))
  if (taxonomy === 'tag' && hasParent) fail('rest_taxonomy_not_hierarchical')
}

function sanitizedName(sent: string): string {
  const name = sanitizeTermName(sent)
  if (name === '') fail('empty_term_name')
  if (isTermNameTooLong(name)) fail('db_insert_error')
  return name
}

/** Returns the term with the same name and the same parent as a new one. For tags the whole taxonomy counts. */
async function findNamesake(
  tx: Tx,
  of: Pick<Term, 'taxonomy' | 'name' | 'parentId' | 'language'>,
): Promise<Term | undefined> {
  const known = await listMatchingTerms(tx, of.taxonomy, { names: [of.name] })
  return known.find(
    ({ name, parentId, language }) => isSameName(name, of.name) && parentId === of.parentId && language === of.language,
  )
}

async function changedTermSlug(tx: Tx, term: Term, sent: string): Promise<string> {
  const wanted = slugFrom(sent)
  if (wanted === '') return uniqueTermSlug(tx, term, slugFrom(term.name) || String(term.id))
  const { taxonomy, language, id: exceptId } = term
  if (await isSlugTaken(tx, wanted, { taxonomy, language, exceptId })) fail('duplicate_term_slug')
  return wanted
}

async function assertValidParent(tx: Tx, { id }: Term, parentId: number): Promise<void> {
  await findParent(tx, parentId)
  const versions = await listTranslationIds(tx, 'terms', [id])
  if ((await listWithDescendants(tx, versions)).includes(parentId)) failParameter('parent', 'fault.parent-loop')
}

async function parentVersionFor({ tx, config }: WriteContext, id: number, language: Language): Promise<number> {
  if (id === topLevel) return topLevel
  const parent = await findParent(tx, id)
  return (
    chooseTranslation(await listTranslationsInGroups(tx, 'terms', [parent.id]), fullLanguageChain(language, config))
      ?.id ?? id
  )
}

/** Copies the parent of a category to its translations, because all languages share one tree. */
async function propagateParent(write: WriteContext, term: Pick<Term, 'id' | 'parentId'>): Promise<void> {
  const { tx, config } = write
  if (!config.sharesFields) return
  for (const { id, language } of await listTranslationsInGroups(tx, 'terms', [term.id])) {
    const other = id === term.id ? undefined : await findTerm(tx, 'category', id)
    if (!other) continue
    await updateTerm(tx, other.id, { ...other, parentId: await parentVersionFor(write, term.parentId, language) })
  }
}

/** Moves a category that has become a translation to the parent of its group, because all languages share one tree. */
async function adoptParentOfGroup(write: WriteContext, term: Term, target: Term): Promise<void> {
  const { tx, config } = write
  if (!config.sharesFields || term.taxonomy === 'tag') return
  const { parentId: targetParentId } = await findTermOrFail(tx, 'category', target.id)
  const parentId = await parentVersionFor(write, targetParentId, term.language)
  if (parentId !== topLevel) await assertValidParent(tx, term, parentId)
  await updateTerm(tx, term.id, { ...(await findTermOrFail(tx, 'category', term.id)), parentId })
}

/** Makes a term a translation of another. 0 removes it from its group. The event counts follow. */
async function changeTermTranslationGroup(
  tx: Tx,
  term: Pick<Term, 'id' | 'language'>,
  targetId: number,
): Promise<void> {
  const before = await listTranslationIds(tx, 'terms', [term.id])
  if (targetId === 0) await leaveTranslationGroup(tx, 'terms', term.id)
  else await joinTranslationGroup(tx, 'terms', { member: term, targetId })
  await adoptChildren(tx, term)
  // Usually the term is new. A recount of the events of the other versions may take long.
  const isNobodys = before.length === 1 && !(await isOnAnyEvent(tx, term.id))
  if (targetId !== 0 && isNobodys) await copyEventCount(tx, term.id, targetId)
  else await recountEvents(tx, [...before, term.id])
}

// Reads the target again, because it may have been deleted since the arguments were checked.
async function findTranslationTarget({ tx, config }: WriteContext, taxonomy: Taxonomy, id: number): Promise<Term> {
  const term = await findTerm(tx, taxonomy, id)
  return term ?? failParameter(languageParameterNames(config).translationOf, 'fault.translation-of')
}

async function findParent(tx: Tx, id: number): Promise<Term> {
  return (await findTerm(tx, 'category', id)) ?? failParameter('parent', 'fault.unknown-category')
}

async function findTermOrFail(tx: Tx, taxonomy: Taxonomy, id: number): Promise<Term> {
  return (await findTerm(tx, taxonomy, id)) ?? failParameter('id', `fault.unknown-${taxonomy}`)
}

async function reloadWithAncestors(tx: Tx, term: Term): Promise<TermWithAncestors> {
  const [found] = await withAncestors(tx, [term])
  return found ?? { ...term, ancestorSlugs: [] }
}
