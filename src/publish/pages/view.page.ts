import { slugFrom } from '../../base/text/slug.ts'
import { dayOf } from '../../base/time/local.date.time.ts'
import { termUrl } from '../../calendar/terms/term.present.ts'
import type { Taxonomy, TermWithAncestors } from '../../calendar/terms/term.ts'
import type { PageAnswer, PageCall } from './frame/page.ts'
import { dayPage } from './list/day.page.ts'
import { today } from './list/event.lists.ts'
import { filterNames } from './list/filters.ts'
import { listPage } from './list/list.page.ts'
import { findPlacedTerm, termPage } from './list/term.page.ts'
import { mapPage } from './map/map.page.ts'
import { monthPage } from './month/month.page.ts'
import { inLanguage, pathOf, withQuery } from './page.addresses.ts'
import { notFoundPage } from './problem.page.ts'
import { normalizedQuery, parseViewPath, requestedDate, type ViewName, type ViewRequest } from './view.address.ts'

/** The events that a view shows: all, or those of a term. `line` is the path of stored slugs. */
export type ViewScope = { readonly taxonomy: undefined } | { readonly taxonomy: Taxonomy; readonly line: string }

/** Parameters of views besides the filters. */
const pagingNames = ['past', 'page'] as const

const shows: Readonly<Record<ViewName, (call: PageCall, named: string | undefined) => Promise<PageAnswer>>> = {
  list: (call) => listPage(call),
  month: (call, named) => monthPage(call, named),
  day: (call, named) => dayPage(call, named ?? dayOf(today(call))),
  map: (call) => mapPage(call),
}

/** Returns the view of the events that an address requests. */
export async function viewPage(call: PageCall, base: ViewScope, asked: ViewRequest): Promise<PageAnswer> {
  const { config } = call.deps
  const query = normalizedQuery(config, call.query, asked)
  const named = requestedDate(config, call.query, asked)
  if (base.taxonomy === undefined) {
    if (asked.isNearest && !call.format) return nearest(call, '/events/', { ...asked, query, named })
    return shows[asked.view]({ ...call, query }, named)
  }
  const { taxonomy, line } = base
  const slug = line.split('/').at(-1) ?? ''
  const term = await findPlacedTerm(call, taxonomy, slug)
  if (!term) return notFoundPage(call)
  if (term.slug !== slug) return renamedTerm(call, term, slug)
  const { [taxonomy]: _named, ...others } = query
  // Each category has a day view.
  if (asked.isNearest && asked.view !== 'day' && !call.format) {
    const path = taxonomy === 'category' ? `/events/category/${line}/` : `/tag/${line}/`
    return nearest(call, path, { ...asked, query: others, named })
  }
  if (asked.view === 'list' && !filterNames.some((name) => name !== taxonomy && others[name] !== undefined)) {
    return termRedirect(call, term, line) ?? termPage({ ...call, query: others }, term)
  }
  return shows[asked.view]({ ...call, query: { ...others, [taxonomy]: termParameter(term) } }, named)
}

/** Redirects from a former slug of a term to the same view or feed at its present one. */
function renamedTerm({ addresses, path, search }: PageCall, term: TermWithAncestors, slug: string): PageAnswer {
  const parts = path.split('/')
  const below = parts.slice(parts.findLastIndex((part) => slugFrom(part) === slug) + 1).join('/')
  const url = `${termUrl(term, addresses).slice(addresses.site.length)}${below}${search === '' ? '' : `?${search}`}`
  return { kind: 'elsewhere', status: 301, url: pathOf({ addresses }, url) }
}

/** Returns the value of a filter for a term: its slug, or its id if the slug looks like an id. */
function termParameter({ slug, id }: TermWithAncestors): string {
  return /^\d+$/.test(slug) ? String(id) : slug
}

/**
 * Redirects to the address of a term that is not at this one: below other categories, or in the other language. The
 * slug alone is enough (addresses.md). Machines get the address that includes its categories.
 */
function termRedirect(call: PageCall, term: TermWithAncestors, line: string): PageAnswer | undefined {
  const { addresses, search, format } = call
  const path = termUrl(term, addresses).slice(addresses.site.length)
  const isHere = path.startsWith(inLanguage(call, term.taxonomy === 'category' ? '/events/' : '/tag/'))
  const isWhole = line === [...term.ancestorSlugs, term.slug].join('/')
  if (format || (isHere && (isWhole || line === term.slug))) return undefined
  return { kind: 'elsewhere', status: 302, url: pathOf(call, search === '' ? path : `${path}?${search}`) }
}

/** Redirects to the nearest view if the service does not have the requested one. Filters and paging are kept. */
function nearest(
  call: PageCall,
  base: string,
  { view, query, named }: Pick<ViewRequest, 'view' | 'named'> & { readonly query: PageCall['query'] },
): PageAnswer {
  const below: Readonly<Record<ViewName, string>> = {
    list: '',
    month: named === undefined ? 'month/' : `month/${named}/`,
    day: named === undefined ? 'today/' : `${named}/`,
    map: 'map/',
  }
  const kept = [...filterNames, ...pagingNames].flatMap((name) => {
    const text = query[name]
    return typeof text === 'string' ? [[name, text] as const] : []
  })
  const path = inLanguage(call, `${base}${below[view]}`)
  return { kind: 'elsewhere', status: 302, url: pathOf(call, withQuery(path, Object.fromEntries(kept))) }
}

/**
 * Answers with a view below a category. The path mixes slugs and names of views. If the whole path is a category, that
 * category is shown. Otherwise the last parts name the view of the category before them.
 */
export async function categoryView(
  call: PageCall,
  parts: readonly string[],
  { slugs, asked }: { readonly slugs: number; readonly asked: ViewRequest },
): Promise<PageAnswer> {
  const lineOf = (some: readonly string[]) => some.map(slugFrom).join('/')
  const whole = parseViewPath([])
  if (whole && slugs < parts.length && !call.format) {
    const term = await findPlacedTerm(call, 'category', slugFrom(parts.at(-1) ?? ''))
    if (term && [...term.ancestorSlugs, term.slug].join('/') === lineOf(parts))
      return viewPage(call, { taxonomy: 'category', line: lineOf(parts) }, whole)
  }
  return viewPage(call, { taxonomy: 'category', line: lineOf(parts.slice(0, slugs)) }, asked)
}
