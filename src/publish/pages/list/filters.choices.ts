import { mayRead } from '../../../access/auth/policy.ts'
import { itemsOf, maxChosen } from '../../../access/http/arguments/argument.rules.ts'
import { chooseTranslation, fullLanguageChain, listPreference } from '../../../base/languages/chain.ts'
import type { Language } from '../../../base/languages/language.ts'
import { decodeEntities, htmlToText } from '../../../base/text/escape.ts'
import { type SearchText, searchTextOf } from '../../../base/text/fold.ts'
import {
  listEntriesUncounted,
  listEntryTranslations,
  listIdsByName,
} from '../../../calendar/directory/directory.repository.ts'
import { findIdByFormerSlug } from '../../../calendar/records/former.repository.ts'
import { findIdBySlug } from '../../../calendar/records/record.translations.repository.ts'
import { listNamedTerms } from '../../../calendar/terms/term.former.ts'
import { listTermsUncounted, type TermSortKey } from '../../../calendar/terms/term.list.repository.ts'
import { listMatchingTerms } from '../../../calendar/terms/term.lookup.repository.ts'
import { createTermMatcher, termReferenceFromText } from '../../../calendar/terms/term.match.ts'
import { termFilter } from '../../../calendar/terms/term.service.ts'
import type { Taxonomy, Term } from '../../../calendar/terms/term.ts'
import { isTermVisibleTo } from '../../../calendar/terms/term.visibility.ts'
import { listTranslationIds, listTranslationsInGroups } from '../../../calendar/translations/group.repository.ts'
import type { ReadContext } from '../../../calendar/translations/viewer.ts'
import { venues } from '../../../calendar/venues/venue.directory.ts'
import type { PageCall } from '../frame/page.ts'

// The choices of filters: names of categories, tags and venues, and the records that a text selects.

/** The maximum number of choices of one kind. If there are more, the visitor types a name. */
const maxChoices = 50
export interface Choice {
  readonly value: string
  readonly text: string
  readonly language: Language
}

/** Names to choose from, sorted. */
export interface Choices {
  readonly items: readonly Choice[]
  readonly isWhole: boolean
}

/** Returns the terms of events: all of them, or those with the most events. */
export async function termChoices(call: PageCall, taxonomy: Taxonomy): Promise<Choices> {
  const items = await termsOf(call, taxonomy, { perPage: maxChoices + 1, sortKey: 'event_count' })
  return choicesOf(
    call,
    items.map(({ slug, name, language }) => ({ value: slug, text: decodeEntities(name), language })),
  )
}

/** Returns the venues: all of them, or those that were added last. */
export async function venueChoices(call: PageCall): Promise<Choices> {
  const { deps, language } = call
  const items = await listEntriesUncounted(anyVersion(call), venues, {
    ...{ page: 1, perPage: maxChoices + 1, status: undefined, words: undefined, eventIds: undefined },
    preference: listPreference(language, deps.config, deps.config.namesFallback),
    ...{ hasEvents: undefined, eventsFrom: undefined },
  })
  return choicesOf(
    call,
    items.map(({ slug, titleHtml, language }) => ({ value: slug, text: htmlToText(titleHtml), language })),
  )
}

/** Returns a read context for the viewer of the page that does not load translations. */
function anyVersion({ deps: { storage }, viewer }: PageCall): ReadContext {
  return { db: storage.db, dialect: storage.dialect, viewer: { ...viewer, language: undefined } }
}

/** @param found One more than the maximum, if there are more: nobody needs their number, and each page would count them. */
function choicesOf({ language }: PageCall, found: readonly Choice[]): Choices {
  const items = found.slice(0, maxChoices)
  return {
    items: items.toSorted((one, other) => one.text.localeCompare(other.text, language)),
    isWhole: items.length === found.length,
  }
}

function termsOf(
  call: PageCall,
  taxonomy: Taxonomy,
  {
    perPage,
    sortKey,
    search,
  }: { readonly perPage: number; readonly sortKey: TermSortKey; readonly search?: SearchText },
) {
  const { deps, language } = call
  return listTermsUncounted(anyVersion(call), {
    ...{ taxonomy, page: 1, perPage, isUsed: true, search, sortKey, isDescending: sortKey === 'event_count' },
    preference: listPreference(language, deps.config, deps.config.namesFallback),
    ...{ include: undefined, exclude: undefined, parentIds: undefined, eventIds: undefined },
    ...{ slug: undefined, offset: undefined },
  })
}

/** The records that the text of a filter selects. */
export interface ResolvedFilter {
  /** Ids in all languages; for categories, also those of their descendants. Empty if no record has that name. */
  readonly ids: readonly number[]
  /** The value of the same filter in a request to the interface. */
  readonly asked: string
  /** The name in the language of the page; undefined if the text is not an id, a slug or a whole name. */
  readonly title?: string | undefined
}

/** Finds a term by id, slug or whole name, else the terms whose names contain the text. */
export async function resolveTermFilter(call: PageCall, taxonomy: Taxonomy, text: string): Promise<ResolvedFilter> {
  const known = await termIds(call, taxonomy, text)
  if (known.length > 0) return { ids: known, asked: text, title: await termTitles(call, taxonomy, text) }
  const search = searchTextOf(text)
  // A text of diacritics alone is empty once it is folded.
  if (!search) return { ids: [], asked: '' }
  // The limit is that of the interface, since feeds send the same filter to it.
  const items = await termsOf(call, taxonomy, { perPage: maxChosen, sortKey: 'name_folded', search })
  const asked = items.map(({ id }) => id).join(',')
  return { ids: asked === '' ? [] : await termIds(call, taxonomy, asked), asked }
}

/**
 * Returns the ids of these terms in all languages; for categories, also those of their descendants. Empty if no such
 * term exists.
 */
export async function termIds(call: PageCall, taxonomy: Taxonomy, text: string): Promise<readonly number[]> {
  const { deps, viewer, language, now } = call
  const reading = { config: deps.config, db: deps.storage.db, actor: viewer.actor, language, now }
  const outcome = await termFilter(taxonomy)(text, reading)
  return 'value' in outcome ? outcome.value : []
}

/** Finds a venue by slug, else the venues whose names contain the text. */
export async function resolveVenueFilter(call: PageCall, text: string): Promise<ResolvedFilter> {
  const { viewer } = call
  const { db, dialect } = call.deps.storage
  const id =
    (await findIdBySlug(db, { kind: 'venue', slug: text }, viewer)) ??
    (await findIdByFormerSlug(db, { kind: 'venue', slug: text }, viewer))
  const search = id === undefined ? searchTextOf(text) : undefined
  const named = search ? await listIdsByName({ db, dialect, viewer }, 'venue', { text: search, most: maxChosen }) : []
  const ids = id === undefined ? named : [id]
  const title = id === undefined ? undefined : await venueTitle(call, id)
  return { ids: await listTranslationIds(db, 'records', ids), asked: ids.join(','), title }
}

// Labels of filters on a page: the names of the records in the language of the page. Addresses contain slugs.

function preferenceOf({ language, deps }: PageCall) {
  return fullLanguageChain(language, deps.config)
}

/**
 * Returns the names of the terms of a filter, or undefined if a visitor may not see one of them. Takes three queries.
 */
async function termTitles(call: PageCall, taxonomy: Taxonomy, text: string): Promise<string | undefined> {
  const { db } = call.deps.storage
  const { actor } = call.viewer
  const items = itemsOf(text, maxChosen)
  if ('fault' in items) return undefined
  const preference = preferenceOf(call)
  const named = { taxonomy, wanted: items.value.flatMap((item) => termReferenceFromText(item) ?? []) }
  const { terms: sought, wanted } = await listNamedTerms(db, named, preference)
  const place = ({ language }: Term) => preference.order.indexOf(language)
  const known = sought.filter((term) => isTermVisibleTo(actor, term))
  const terms = createTermMatcher(known.toSorted((one, other) => place(one) - place(other)))
  const found = wanted.flatMap((one) => terms.find(one) ?? [])
  if (found.length === 0 || found.length < items.value.length) return undefined
  const versions = await listTranslationsInGroups(
    db,
    'terms',
    found.map(({ id }) => id),
  )
  const chosen = found.map((term) => {
    const own = versions.filter(({ groupId }) => groupId === term.groupId)
    return chooseTranslation(own, preference)?.id ?? term.id
  })
  const shown = (await listMatchingTerms(db, taxonomy, { ids: chosen })).filter((term) => isTermVisibleTo(actor, term))
  const names = found.map((term, index) => (shown.find(({ id }) => id === chosen[index]) ?? term).name)
  return [...new Set(names)].map(decodeEntities).join(', ')
}

/** Returns the name of a venue, or undefined if a visitor may not read it. Takes three queries. */
async function venueTitle(call: PageCall, id: number): Promise<string | undefined> {
  const versions = await listEntryTranslations(call.deps.storage.db, venues, [id])
  const shown = versions.filter((version) => version.status !== 'trash' && mayRead(call.viewer.actor, version))
  const venue = chooseTranslation(shown, preferenceOf(call))
  return venue && htmlToText(venue.titleHtml)
}
