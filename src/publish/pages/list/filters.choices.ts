import { mostChosen } from '../../../access/http/rules.ts'
import { listPreference } from '../../../base/languages/chain.ts'
import type { Language } from '../../../base/languages/language.ts'
import { decodeEntities, htmlToText } from '../../../base/text/escape.ts'
import { type SearchText, searchTextOf } from '../../../base/text/fold.ts'
import { listDirectoryEntries, listIdsByName } from '../../../calendar/directory/directory.repository.ts'
import { findIdBySlug } from '../../../calendar/records/record.versions.repository.ts'
import { listTerms, type TermSortKey } from '../../../calendar/terms/term.list.repository.ts'
import { termFilter } from '../../../calendar/terms/term.service.ts'
import type { Taxonomy } from '../../../calendar/terms/term.ts'
import { listVersionIds } from '../../../calendar/translations/group.repository.ts'
import type { ReadContext } from '../../../calendar/translations/viewer.ts'
import { venues } from '../../../calendar/venues/venue.directory.ts'
import type { PageCall } from '../page.ts'
import { termTitles, venueTitle } from './filters.titles.ts'

// What lists are narrowed by: names of categories, tags and venues to choose from, and what a text means by one.

/** Most choices of one kind. Where there are more, a name is typed. */
const mostChoices = 50
export interface Choice {
  readonly value: string
  readonly text: string
  readonly language: Language
}

/** Names to choose from, in order. */
export interface Choices {
  readonly items: readonly Choice[]
  /** Whether there are no others. */
  readonly isWhole: boolean
}

/** Terms that events have: all of them, or those that most have. */
export async function termChoices(call: PageCall, taxonomy: Taxonomy): Promise<Choices> {
  const { items, total } = await termsOf(call, taxonomy, { perPage: mostChoices, sortKey: 'event_count' })
  return inOrder(
    call,
    items.map(({ slug, name, language }) => ({ value: slug, text: decodeEntities(name), language })),
    total,
  )
}

/** Venues: all of them, or those that were added last. */
export async function venueChoices(call: PageCall): Promise<Choices> {
  const { deps, language } = call
  const { items, total } = await listDirectoryEntries(anyVersion(call), venues, {
    ...{ page: 1, perPage: mostChoices, status: undefined, words: undefined, eventIds: undefined },
    preference: listPreference(language, deps.config, deps.config.namesFallback),
    ...{ hasEvents: undefined, eventsFrom: undefined },
  })
  return inOrder(
    call,
    items.map(({ slug, titleHtml, language }) => ({ value: slug, text: htmlToText(titleHtml), language })),
    total,
  )
}

/** For the viewer of the page, without the translations of what is listed. */
function anyVersion({ deps: { storage }, viewer }: PageCall): ReadContext {
  return { db: storage.db, dialect: storage.dialect, viewer: { ...viewer, language: undefined } }
}

function inOrder({ language }: PageCall, items: readonly Choice[], total: number): Choices {
  return {
    items: items.toSorted((one, other) => one.text.localeCompare(other.text, language)),
    isWhole: total <= items.length,
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
  return listTerms(anyVersion(call), {
    ...{ taxonomy, page: 1, perPage, isUsed: true, search, sortKey, isDescending: sortKey === 'event_count' },
    preference: listPreference(language, deps.config, deps.config.namesFallback),
    ...{ include: undefined, exclude: undefined, parentIds: undefined, eventIds: undefined },
    ...{ slug: undefined, offset: undefined },
  })
}

/** What a text means. */
export interface ResolvedFilter {
  /** In all languages, of categories with all below them; empty where there is nothing of that name. */
  readonly ids: readonly number[]
  /** How the interface is asked for the same. */
  readonly asked: string
  /** What it is called in the language of the page; undefined where the text is no id, slug or whole name. */
  readonly title?: string | undefined
}

/** A term, by id, slug or whole name, else those that have the text in their names. */
export async function resolveTermFilter(call: PageCall, taxonomy: Taxonomy, text: string): Promise<ResolvedFilter> {
  const known = await termIds(call, taxonomy, text)
  if (known.length > 0) return { ids: known, asked: text, title: await termTitles(call, taxonomy, text) }
  const search = searchTextOf(text)
  // A text of marks alone is none once it is folded.
  if (!search) return { ids: [], asked: '' }
  // As many as the interface takes, which is asked for the same.
  const { items } = await termsOf(call, taxonomy, { perPage: mostChosen, sortKey: 'name_folded', search })
  const asked = items.map(({ id }) => id).join(',')
  return { ids: asked === '' ? [] : await termIds(call, taxonomy, asked), asked }
}

/** Ids of these terms and, of categories, of all below them, in all languages; empty where there is no such term. */
export async function termIds(call: PageCall, taxonomy: Taxonomy, text: string): Promise<readonly number[]> {
  const { deps, viewer, language, now } = call
  const reading = { config: deps.config, db: deps.storage.db, actor: viewer.actor, language, now }
  const outcome = await termFilter(taxonomy)(text, reading)
  return 'value' in outcome ? outcome.value : []
}

/** A venue, by slug, else those that have the text in their names. */
export async function resolveVenueFilter(call: PageCall, text: string): Promise<ResolvedFilter> {
  const { viewer } = call
  const { db, dialect } = call.deps.storage
  const id = await findIdBySlug(db, { kind: 'venue', slug: text }, viewer)
  const search = id === undefined ? searchTextOf(text) : undefined
  const named = search ? await listIdsByName({ db, dialect, viewer }, 'venue', { text: search, most: mostChosen }) : []
  const ids = id === undefined ? named : [id]
  const title = id === undefined ? undefined : await venueTitle(call, id)
  return { ids: await listVersionIds(db, 'records', ids), asked: ids.join(','), title }
}
