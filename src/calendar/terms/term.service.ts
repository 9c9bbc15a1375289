import { mayManage } from '../../access/auth/policy.ts'
import { accepted, itemsOf, maxChosen, maxItems, refused } from '../../access/http/arguments/argument.rules.ts'
import type { ArgumentRule } from '../../access/http/arguments/argument.ts'
import { chooseTranslation, fullLanguageChain } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import { failParameter } from '../../base/problems.ts'
import { memoizePerObject } from '../../storage/database/derived.values.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { WriteContext } from '../records/write.context.ts'
import { listTranslationIds } from '../translations/group.repository.ts'
import { distinctGroups, type LinkedGroups, translationIdsOf } from '../translations/linked.groups.ts'
import { linkPreferences, type Viewer } from '../translations/viewer.ts'
import { addTerm } from './term.change.service.ts'
import {
  addToEventCounts,
  type EventCountsByTerm,
  insertEventTerms,
  listTermsOnEvent,
  replaceEventTerms,
} from './term.event.repository.ts'
import { listNamedTerms } from './term.former.ts'
import { listMatchingTerms, listMatchingTermsOf } from './term.lookup.repository.ts'
import {
  createTermMatcher,
  lookupFor,
  type TermReference,
  termReferenceFrom,
  termReferenceFromText,
} from './term.match.ts'
import { listWithDescendants, makeTermsPublic } from './term.repository.ts'
import { slugAssigner } from './term.slug.ts'
import { foldedName, isTermNameTooLong, pluralOf, type Taxonomy, type Term, topLevel } from './term.ts'
import { introducerFor, isTermVisibleTo } from './term.visibility.ts'

// The terms of events.

/** The terms of an event, both lists by name. */
export interface EventTerms {
  readonly categories: readonly Term[]
  readonly tags: readonly Term[]
}

/**
 * Returns a function that finds the terms of an event by the linked ids. Of each term, it returns the version that the
 * viewer prefers most, or else one in the language of the event.
 *
 * @param groups All versions of every term that the function will be asked for.
 */
export function linkedTermsReader(
  groups: LinkedGroups<Term>,
  viewer: Viewer,
): (linkedIds: readonly number[], own: Language) => EventTerms {
  const preferenceOf = linkPreferences(viewer)
  return (linkedIds, own) => {
    const preference = preferenceOf(own)
    const lists: Readonly<Record<Taxonomy, Term[]>> = { category: [], tag: [] }
    for (const members of distinctGroups(linkedIds, groups)) {
      const term = chooseTranslation(members, preference)
      if (term) lists[term.taxonomy].push(viewer.language === undefined ? term : withTranslationIds(term, members))
    }
    return { categories: sortByName(lists.category), tags: sortByName(lists.tag) }
  }
}

/** Sorts terms. Most lists have only one. */
function sortByName(terms: Term[]): readonly Term[] {
  if (terms.length < 2) return terms
  return terms.sort((one, other) => compareTexts(comparedName(one), comparedName(other)) || one.id - other.id)
}

const comparedName = memoizePerObject((term: Term) => foldedName(term.name))

const withTranslationIds = memoizePerObject(
  (term: Term, members: readonly Term[]): Term => ({
    ...term,
    translations: translationIdsOf(members),
  }),
)

// Compares UTF-16 code units, as the database sorts.
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Sets exactly these categories and tags on the event. `applyCountChanges` updates the counts. */
export async function setTermsOfEvent(tx: Tx, eventId: number, termIds: Iterable<number>): Promise<void> {
  await replaceEventTerms(tx, eventId, new Set(termIds))
}

/** Corrects the counts of published events after a change from the shares `before` to the shares `after`. */
export async function applyCountChanges(tx: Tx, before: EventCountsByTerm, after: EventCountsByTerm): Promise<void> {
  const step = (id: number) => (after.get(id) ?? 0) - (before.get(id) ?? 0)
  const changed = [...before, ...after].flatMap(([id]) => (step(id) === 0 ? [] : id))
  for (const [by, ids] of Map.groupBy(changed, step)) await addToEventCounts(tx, new Set(ids), by)
}

/** Sets the categories and tags of new events, and counts the published ones. */
export async function setTermsOfNewEvents(
  tx: Tx,
  events: readonly {
    readonly eventId: number
    readonly isPublished: boolean
    /** One of each translation group. */
    readonly termIds: readonly number[]
  }[],
): Promise<void> {
  await insertEventTerms(tx, events)
  const carried = events.flatMap(({ isPublished, termIds }) => (isPublished ? termIds : []))
  const shares = [...Map.groupBy(carried, (id) => id)].map(([id, carriers]) => [id, carriers.length] as const)
  await applyCountChanges(tx, new Map(), new Map(shares))
}

/**
 * Returns the distinct ids of the terms that these items of an event refer to. An unknown item becomes a new term if it
 * is a name. Otherwise it is ignored (events.md §3, §8 row 17; rulings.md 9).
 *
 * @param of.items Ids, slugs and names, or objects with one of them.
 * @throws rest_invalid_param, naming `categories` or `tags`, when an item is of another type
 */
export async function resolveTerms(
  write: WriteContext,
  taxonomy: Taxonomy,
  of: NamedBy & { readonly items: readonly unknown[] },
): Promise<readonly number[]> {
  const wanted = referencesIn(taxonomy, [of.items])
  const found = await listMatchingTerms(write.tx, taxonomy, lookupFor(wanted.flat()))
  const [ids = []] = await resolveFoundTerms(write, taxonomy, { ...of, lists: [of.items], wanted, found })
  return ids
}

/** The events that refer to the terms. */
interface NamedBy {
  /** The language of the event. Slugs and names in this language take precedence, and new terms get it. */
  readonly language: Language
  /** The event, if it is stored. Anyone who may change it may refer to its terms. */
  readonly eventId?: number | undefined
}

/**
 * Does the same for categories and tags of several events of one language. Runs one query, and more for new terms. A new term of an actor who
 * may not create terms becomes public only when a published event has it, or when an actor who may create terms refers
 * to it.
 */
export async function resolveTermsOfEach(
  write: WriteContext,
  listsOf: Readonly<Record<Taxonomy, readonly (readonly unknown[])[]>>,
  language: Language,
): Promise<Readonly<Record<Taxonomy, readonly (readonly number[])[]>>> {
  const wantedOf = {
    category: referencesIn('category', listsOf.category),
    tag: referencesIn('tag', listsOf.tag),
  }
  const isEmpty = (lists: readonly (readonly unknown[])[]) => lists.every((items) => items.length === 0)
  // The usual form of an event from another program.
  if (isEmpty(listsOf.category) && isEmpty(listsOf.tag)) {
    return { category: listsOf.category.map(() => []), tag: listsOf.tag.map(() => []) }
  }
  const found = await listMatchingTermsOf(write.tx, {
    category: lookupFor(wantedOf.category.flat()),
    tag: lookupFor(wantedOf.tag.flat()),
  })
  const resolve = (of: Taxonomy) =>
    resolveFoundTerms(write, of, {
      ...{ lists: listsOf[of], wanted: wantedOf[of], language },
      found: found.filter(({ taxonomy }) => taxonomy === of),
    })
  const category = await resolve('category')
  return { category, tag: await resolve('tag') }
}

/** @throws rest_invalid_param */
function referencesIn(
  taxonomy: Taxonomy,
  lists: readonly (readonly unknown[])[],
): readonly (readonly TermReference[])[] {
  const refuse = () => failParameter(pluralOf(taxonomy), `fault.unknown-${taxonomy}`)
  if (lists.some((items) => items.length > maxItems)) refuse()
  return lists.map((items) => items.map((item) => termReferenceFrom(item) ?? refuse()))
}

/** References to terms, and the terms that were found for them. */
interface SoughtTerms extends NamedBy {
  readonly lists: readonly (readonly unknown[])[]
  readonly wanted: readonly (readonly TermReference[])[]
  readonly found: readonly Term[]
}

async function resolveFoundTerms(
  write: WriteContext,
  taxonomy: Taxonomy,
  { lists, wanted, found, language, eventId }: SoughtTerms,
): Promise<readonly (readonly number[])[]> {
  const { tx, actor, config, report } = write
  const known = await listReferableById(write, found, eventId)
  const { order } = fullLanguageChain(language, config)
  // In the language of the event first, then in its fallback languages (languages.md §5).
  const place = (term: Term) => (order.includes(term.language) ? order.indexOf(term.language) : order.length)
  const terms = createTermMatcher(
    found.toSorted((one, other) => place(one) - place(other)),
    known,
  )

  const giveSlug = slugAssigner(tx, { taxonomy, language })
  const idFor = async (item: unknown, one: TermReference): Promise<number | undefined> => {
    const term = terms.find(one)
    // A link to a translated term names its original.
    if (term) {
      if (term.introducedBy !== undefined && mayManage(actor, taxonomy)) await makeTermsPublic(tx, [term.id])
      return term.groupId
    }
    // A JSON number never creates a term (rulings.md 9).
    if (typeof item === 'number' || !isNewName(one)) return undefined
    const { name } = one
    const introducedBy = introducerFor(actor, taxonomy)
    const added = await addTerm(
      tx,
      { taxonomy, name, slug: '', description: '', parentId: topLevel, language, introducedBy },
      giveSlug,
    )
    // The next item may be the same name again.
    terms.add(added)
    return added.groupId
  }
  const ofEach: (readonly number[])[] = []
  for (const [event, list] of wanted.entries()) {
    const ids = new Set<number>()
    for (const [item, one] of list.entries()) {
      const id = await idFor(lists[event]?.[item], one)
      if (id === undefined) report?.adjust(pluralOf(taxonomy), 'partly')
      else ids.add(id)
    }
    ofEach.push([...ids])
  }
  return ofEach
}

/**
 * Returns the terms that the actor may refer to by id. A term that is not visible to the actor must be named, unless
 * the event already has it.
 */
async function listReferableById(
  { tx, actor }: WriteContext,
  found: readonly Term[],
  eventId = 0,
): Promise<readonly Term[]> {
  const foreign = found.filter((term) => !isTermVisibleTo(actor, term)).map((term) => term.id)
  const carried = await listTermsOnEvent(tx, eventId, foreign)
  return found.filter((term) => isTermVisibleTo(actor, term) || carried.has(term.id))
}

/** Whether an unknown reference becomes a new term. Contract: digits are always ids, known or not, and never names. */
function isNewName(wanted: TermReference): wanted is TermReference & { readonly name: string } {
  const { name } = wanted
  return name !== undefined && name !== '' && !/^\d+$/.test(name) && !isTermNameTooLong(name)
}

/**
 * Reads a filter of the list of events: a CSV text or a list of ids, slugs or names. All of them must be known.
 *
 * @returns the ids, including those of all descendant categories.
 */
export function termFilter(taxonomy: Taxonomy): ArgumentRule<readonly number[]> {
  return async (raw, { db, config, language, actor }) => {
    const refusal = refused(`fault.unknown-${taxonomy}`)
    const list = itemsOf(raw, maxChosen)
    if ('fault' in list) return list
    const items = list.value
    if (items.length === 0) return refusal
    const named = { taxonomy, wanted: items.flatMap((item) => termReferenceFromText(item) ?? []) }
    const preference = fullLanguageChain(language ?? config.defaultLanguage, config)
    const { terms: sought, wanted } = await listNamedTerms(db, named, preference)
    const known = sought.filter((term) => isTermVisibleTo(actor, term))
    // Contract: a slug finds a term regardless of its visibility (docs/decisions/0026). An id or a name does not.
    const bySlug = ({ slug }: TermReference) => sought.find((term) => slug !== undefined && term.slug === slug)
    // If two languages have the slug or name, the requested language takes precedence, otherwise that of the site.
    const wantedLanguage = language ?? config.defaultLanguage
    const isForeign = (term: Term) => Number(term.language !== wantedLanguage)
    const terms = createTermMatcher(known.toSorted((one, other) => isForeign(one) - isForeign(other)))
    const found = wanted.flatMap((one) => (terms.find(one) ?? bySlug(one))?.id ?? [])
    if (found.length < items.length) return refusal
    const ids = await listTranslationIds(db, 'terms', [...new Set<number>(found)])
    if (taxonomy === 'tag') return accepted(ids)
    const withDescendants = await listWithDescendants(db, ids)
    // Categories without descendants: these are all versions already.
    if (withDescendants.length === ids.length) return accepted(ids)
    return accepted(await listTranslationIds(db, 'terms', withDescendants))
  }
}
