import { mayManage } from '../../access/auth/policy.ts'
import type { Rule } from '../../access/http/argument.ts'
import { accepted, itemsOf, mostChosen, mostItems, refused } from '../../access/http/rules.ts'
import { chooseVersion, fullLanguageChain } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import { failParameter } from '../../base/problems.ts'
import { madeOnce } from '../../storage/database/kept.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { WriteContext } from '../records/write.context.ts'
import { listVersionIds } from '../translations/group.repository.ts'
import { distinctGroups, type LinkedGroups, translationIdsOf } from '../translations/linked.groups.ts'
import { linkPreference, type Viewer } from '../translations/viewer.ts'
import { addTerm } from './term.change.service.ts'
import {
  addToEventCounts,
  type EventCountsByTerm,
  insertEventTerms,
  listTermsOnEvent,
  replaceEventTerms,
} from './term.event.repository.ts'
import {
  createTermMatcher,
  lookupFor,
  type TermReference,
  termReferenceFrom,
  termReferenceFromText,
} from './term.match.ts'
import { listMatchingTerms, listWithDescendants, makeTermsPublic } from './term.repository.ts'
import { slugAssigner } from './term.slug.ts'
import { foldedName, isTermNameTooLong, pluralOf, type Taxonomy, type Term, topLevel } from './term.ts'
import { introducerFor, isTermVisibleTo } from './term.visibility.ts'

// What events do with terms.

/** The terms of an event, both by name. */
export interface EventTerms {
  readonly categories: readonly Term[]
  readonly tags: readonly Term[]
}

/**
 * Tells the terms of an event by the ids that it is linked to: of each the version that the viewer wants most, else one
 * in the language of the event.
 *
 * @param groups All versions of whatever will be asked for.
 */
export function linkedTermsReader(
  groups: LinkedGroups<Term>,
  viewer: Viewer,
): (linkedIds: readonly number[], own: Language) => EventTerms {
  return (linkedIds, own) => {
    const terms = distinctGroups(linkedIds, groups)
      .flatMap((members) => {
        const term = chooseVersion(members, linkPreference(viewer, own))
        if (!term) return []
        return viewer.language === undefined ? term : withTranslationIds(term, members)
      })
      .toSorted((a, b) => compareTexts(comparedName(a), comparedName(b)) || a.id - b.id)
    return {
      categories: terms.filter(({ taxonomy }) => taxonomy === 'category'),
      tags: terms.filter(({ taxonomy }) => taxonomy === 'tag'),
    }
  }
}

const comparedName = madeOnce((term: Term) => foldedName(term.name))

const withTranslationIds = madeOnce(
  (term: Term, members: readonly Term[]): Term => ({
    ...term,
    translations: translationIdsOf(members),
  }),
)

// By code units, as the database sorts.
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Makes these the categories and tags of the event, and no others. The counts are `applyCountChanges`’ matter. */
export async function setTermsOfEvent(tx: Tx, eventId: number, termIds: Iterable<number>): Promise<void> {
  await replaceEventTerms(tx, eventId, new Set(termIds))
}

/** Keeps the counts of published events true where some of them, which had these shares, have others now. */
export async function applyCountChanges(tx: Tx, before: EventCountsByTerm, after: EventCountsByTerm): Promise<void> {
  const step = (id: number) => (after.get(id) ?? 0) - (before.get(id) ?? 0)
  const changed = [...before, ...after].flatMap(([id]) => (step(id) === 0 ? [] : id))
  for (const [by, ids] of Map.groupBy(changed, step)) await addToEventCounts(tx, new Set(ids), by)
}

/** Gives events that are new their categories and tags, and counts those that are published. */
export async function setTermsOfNewEvents(
  tx: Tx,
  events: readonly {
    readonly eventId: number
    readonly isPublished: boolean
    /** Of each group of translations one. */
    readonly termIds: readonly number[]
  }[],
): Promise<void> {
  await insertEventTerms(tx, events)
  const carried = events.flatMap(({ isPublished, termIds }) => (isPublished ? termIds : []))
  const shares = [...Map.groupBy(carried, (id) => id)].map(([id, carriers]) => [id, carriers.length] as const)
  await applyCountChanges(tx, new Map(), new Map(shares))
}

/**
 * The ids of the terms that these items of an event stand for, each once. What is unknown is created where it is a
 * name, else passed over (events.md §3, §8 row 17; rulings.md 9).
 *
 * @param of.items Ids, slugs and names, or objects with one of them.
 * @throws rest_invalid_param, naming `categories` or `tags`, when an item is of another type
 */
export async function resolveTerms(
  write: WriteContext,
  taxonomy: Taxonomy,
  of: NamedBy & { readonly items: readonly unknown[] },
): Promise<readonly number[]> {
  const [ids = []] = await resolveTermsOfEach(write, taxonomy, { ...of, lists: [of.items] })
  return ids
}

/** By what events terms are named. */
interface NamedBy {
  /** That of the event: slugs and names are those of this language first, and what is created gets it. */
  readonly language: Language
  /** The event, where it is there already: what it carries may be named by anybody who may change it. */
  readonly eventId?: number | undefined
}

/**
 * The same of several events of one language. One query, and what is created. What is created by somebody who may not
 * make such terms is everybody’s only once a published event carries it, or somebody who may has named it.
 */
export async function resolveTermsOfEach(
  write: WriteContext,
  taxonomy: Taxonomy,
  { lists, language, eventId }: NamedBy & { readonly lists: readonly (readonly unknown[])[] },
): Promise<readonly (readonly number[])[]> {
  const { tx, actor, config, report } = write
  const refuse = () => failParameter(pluralOf(taxonomy), `fault.unknown-${taxonomy}`)
  if (lists.some((items) => items.length > mostItems)) refuse()
  const wanted = lists.map((items) => items.map((item) => termReferenceFrom(item) ?? refuse()))
  const found = await listMatchingTerms(tx, taxonomy, lookupFor(wanted.flat()))
  const known = await listReferableById(write, found, eventId)
  const { order } = fullLanguageChain(language, config.defaultLanguage)
  // In the language of the event first, then in those that stand in for it (languages.md §5).
  const place = (term: Term) => (order.includes(term.language) ? order.indexOf(term.language) : order.length)
  const terms = createTermMatcher(
    found.toSorted((one, other) => place(one) - place(other)),
    known,
  )

  const giveSlug = slugAssigner(tx, { taxonomy, language })
  const idFor = async (item: unknown, one: TermReference): Promise<number | undefined> => {
    const term = terms.find(one)
    // What is translated is linked as its original.
    if (term) {
      if (term.introducedBy !== undefined && mayManage(actor, taxonomy)) await makeTermsPublic(tx, [term.id])
      return term.groupId
    }
    // A JSON number names nothing new (rulings.md 9).
    if (typeof item === 'number' || !isNewName(one)) return undefined
    const { name } = one
    const introducedBy = introducerFor(actor, taxonomy)
    const added = await addTerm(
      tx,
      { taxonomy, name, slug: '', description: '', parentId: topLevel, language, introducedBy },
      giveSlug,
    )
    // The next item may be the same name once more.
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

/** Those that may be named by their id: what is not for the caller is named by whoever knows its name, or keeps it. */
async function listReferableById(
  { tx, actor }: WriteContext,
  found: readonly Term[],
  eventId = 0,
): Promise<readonly Term[]> {
  const foreign = found.filter((term) => !isTermVisibleTo(actor, term)).map((term) => term.id)
  const carried = await listTermsOnEvent(tx, eventId, foreign)
  return found.filter((term) => isTermVisibleTo(actor, term) || carried.has(term.id))
}

/** Whether a term that was not found is to be created. Contract: digits are ids, known or not, and never names. */
function isNewName(wanted: TermReference): wanted is TermReference & { readonly name: string } {
  const { name } = wanted
  return name !== undefined && name !== '' && !/^\d+$/.test(name) && !isTermNameTooLong(name)
}

/**
 * Reads a filter of the list of events: a CSV text or a list of ids, slugs or names, all of which must be known.
 *
 * @returns the ids, those of all categories below included.
 */
export function termFilter(taxonomy: Taxonomy): Rule<readonly number[]> {
  return async (raw, { db, config, language, actor }) => {
    const refusal = refused(`fault.unknown-${taxonomy}`)
    const list = itemsOf(raw, mostChosen)
    if ('fault' in list) return list
    const items = list.value
    if (items.length === 0) return refusal
    const wanted = items.flatMap((item) => termReferenceFromText(item) ?? [])
    const sought = await listMatchingTerms(db, taxonomy, lookupFor(wanted))
    const known = sought.filter((term) => isTermVisibleTo(actor, term))
    // Contract: a slug that is named is told of, whomever the term is for (docs/decisions/0026); its id and name are not.
    const bySlug = ({ slug }: TermReference) => sought.find((term) => slug !== undefined && term.slug === slug)
    // Where two languages have the slug or name, the one asked for comes first, else that of the site.
    const wantedLanguage = language ?? config.defaultLanguage
    const isForeign = (term: Term) => Number(term.language !== wantedLanguage)
    const terms = createTermMatcher(known.toSorted((one, other) => isForeign(one) - isForeign(other)))
    const found = wanted.flatMap((one) => (terms.find(one) ?? bySlug(one))?.id ?? [])
    if (found.length < items.length) return refusal
    const ids = await listVersionIds(db, 'terms', [...new Set<number>(found)])
    if (taxonomy === 'tag') return accepted(ids)
    return accepted(await listVersionIds(db, 'terms', await listWithDescendants(db, ids)))
  }
}
