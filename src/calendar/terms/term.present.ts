import { type Addresses, pageUrl, routeUrl } from '../../access/http/addresses.ts'
import type { Method } from '../../access/http/call.ts'
import { presentTranslations } from '../translations/viewer.ts'
import { pluralOf, type Taxonomy, type Term, type TermWithAncestors, topLevel } from './term.ts'

/** How much of a term is shown. `embed` leaves out what a short mention does not need. */
export type TermView = 'view' | 'embed' | 'edit'

/** Returns a term as its own routes show it, with keys in the order of the contract (terms.md §2). */
export function presentTerm(term: TermWithAncestors, addresses: Addresses, view: TermView = 'view') {
  const { id, eventCount, description, name, slug, taxonomy, parentId } = term
  const shared = { name, slug, taxonomy: taxonomyWord(taxonomy, addresses) }
  const place = { url: termUrl(term, addresses), urls: presentUrls(term, addresses) }
  const versions = presentTranslations(addresses, term)
  if (view === 'embed') return { id, ...shared, ...place, ...versions }
  return {
    id,
    count: eventCount,
    description,
    ...shared,
    ...(taxonomy === 'category' ? { parent: parentId } : {}),
    meta: [],
    ...place,
    ...versions,
  }
}

/** How a single term is shown. */
interface SingleTermView {
  readonly allow: readonly Method[]
  readonly view?: TermView | undefined
}

/** Returns a single term with `_links`. */
export function presentSingleTerm(term: TermWithAncestors, addresses: Addresses, { allow, view }: SingleTermView) {
  const { self, collection, up } = presentUrls(term, addresses)
  return {
    ...presentTerm(term, addresses, view),
    _links: {
      self: [{ href: self, targetHints: { allow } }],
      collection: [{ href: collection }],
      ...(up === undefined ? {} : { up: [{ embeddable: true, href: up }] }),
    },
  }
}

/** Returns a term as an event shows it, which is a different shape (terms.md §2). */
export function presentEventTerm(term: Term, addresses: Addresses) {
  return {
    name: term.name,
    slug: term.slug,
    term_group: 0,
    term_taxonomy_id: term.id as number,
    taxonomy: taxonomyWord(term.taxonomy, addresses),
    description: term.description,
    // Contract: tags have it here too.
    parent: term.parentId,
    count: term.eventCount,
    filter: 'raw',
    id: term.id as number,
    urls: presentUrls(term, addresses),
    ...presentTranslations(addresses, term),
  }
}

/** Returns the address of the route of one term. */
export function termRouteUrl(addresses: Addresses, taxonomy: Taxonomy, id: number): string {
  return routeUrl(addresses, `/${pluralOf(taxonomy)}/${id}`)
}

function presentUrls({ id, taxonomy, parentId }: Term, addresses: Addresses) {
  return {
    self: termRouteUrl(addresses, taxonomy, id),
    collection: routeUrl(addresses, `/${pluralOf(taxonomy)}`),
    ...(parentId === topLevel ? {} : { up: termRouteUrl(addresses, taxonomy, parentId) }),
  }
}

export function termUrl({ taxonomy, slug, ancestorSlugs, language }: TermWithAncestors, addresses: Addresses): string {
  const path = taxonomy === 'category' ? `/events/category/${[...ancestorSlugs, slug].join('/')}/` : `/tag/${slug}/`
  return pageUrl(addresses, path, language)
}

function taxonomyWord(taxonomy: Taxonomy, { vendorWord }: Addresses): string {
  return taxonomy === 'category' ? `${vendorWord}_events_cat` : 'post_tag'
}
