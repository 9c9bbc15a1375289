import { listPreference } from '../../../base/languages/chain.ts'
import type { Language } from '../../../base/languages/language.ts'
import { decodeEntities, htmlToText } from '../../../base/text/escape.ts'
import { type Html, html } from '../../../base/text/html.ts'
import { listNamedTerms } from '../../../calendar/terms/term.former.ts'
import { listTermsUncounted } from '../../../calendar/terms/term.list.repository.ts'
import { listMatchingTerms } from '../../../calendar/terms/term.lookup.repository.ts'
import { termUrl } from '../../../calendar/terms/term.present.ts'
import { withAncestors, withTranslations } from '../../../calendar/terms/term.repository.ts'
import type { Taxonomy, Term, TermWithAncestors } from '../../../calendar/terms/term.ts'
import { isTermVisibleTo } from '../../../calendar/terms/term.visibility.ts'
import { listTranslationsInGroups } from '../../../calendar/translations/group.repository.ts'
import { slugPreference } from '../../../calendar/translations/viewer.ts'
import { feedQuery, ofDays, ofFilters, ofPast } from '../feed.query.ts'
import type { Page, PageAnswer, PageCall } from '../frame/page.ts'
import { langAttribute } from '../frame/text.language.ts'
import { pathOf, withQuery } from '../page.addresses.ts'
import { notFoundPage } from '../problem.page.ts'
import { linksToTranslations } from '../record.lookup.ts'
import { termIds } from './filters.choices.ts'
import { filterForm } from './filters.form.ts'
import { filtersExcept, readFilters, sharedFilters } from './filters.ts'
import { eventsShown, readListWithOngoing } from './list.ongoing.ts'
import { listQuery, listResults, pastSwitch, statusOf } from './list.page.ts'

const maxBelow = 100

/**
 * Answers `/events/category/…/{slug}/` and `/tag/{slug}/`: the events of a category and its descendants, or of a tag.
 */
export async function termPage(call: PageCall, term: TermWithAncestors): Promise<PageAnswer> {
  const { addresses } = call
  const { taxonomy } = term
  const path = termUrl(term, addresses).slice(addresses.site.length)
  const fields = filtersExcept(taxonomy)
  const filters = await readFilters(call, fields)
  const ids = await termIds(call, taxonomy, String(term.id))
  const own = taxonomy === 'category' ? { categoryIds: ids } : { tagIds: ids }
  const list = await readListWithOngoing(call, { ...filters.eventFilter, ...own }, filters)
  if (!list) return notFoundPage(call, call.say('not-found.page'))
  const { say } = call
  const versions = await versionsOf(call, term)
  const title = decodeEntities(term.name)
  const description = htmlToText(term.description)
  const isPlain = !list.isPast && list.page === 1 && !filters.isActive
  return {
    kind: 'page',
    status: statusOf(filters),
    title,
    main: html`<header class="event-head"><p class="kind">${say(`${taxonomy}.kind`)}</p><h1${langAttribute(call, term)}>${title}</h1></header>
${description !== '' && html`<p class="term-description"${langAttribute(call, term)}>${description}</p>`}
${taxonomy === 'category' && (await below(call, term))}
<section class="section">
<div class="page-head"><h2>${say(list.isPast ? 'all-past-here' : 'events-here')}</h2>${pastSwitch(call, path, filters)}</div>
${await filterForm(call, filters, { action: pathOf(call, path), fields })}
${await listResults(call, list, { filters, path, isNarrowed: true })}
</section>`,
    meta: {
      path: withQuery(path, listQuery(list, filters)),
      description: description === '' ? title : description.slice(0, 200).toWellFormed(),
      isIndexed: !filters.isActive,
      events: eventsShown(list),
    },
    versions: isPlain ? versions : {},
    ...linksToTranslations(call, versions, term.language),
    filters: { ...sharedFilters(call), [taxonomy]: term.slug },
    feedQuery: feedQuery(
      [[taxonomy === 'category' ? 'categories' : 'tags', String(term.id)]],
      ofFilters(filters),
      list.isPast ? ofPast(call) : ofDays(call, filters.from, filters.to),
    ),
    freshUntil: list.freshUntil,
  }
}

/** Finds the term that has or had this slug, in the preferred language, with its ancestors and its versions. */
export async function findPlacedTerm(
  call: PageCall,
  taxonomy: Taxonomy,
  slug: string,
): Promise<TermWithAncestors | undefined> {
  if (slug === '') return undefined
  const { db } = call.deps.storage
  const preference = slugPreference(call.viewer)
  const { order } = preference
  const place = ({ language }: Term) => (order.includes(language) ? order.indexOf(language) : order.length)
  const wanted = [{ id: undefined, slug, name: undefined }]
  const { terms: found } = await listNamedTerms(db, { taxonomy, wanted }, preference)
  const shown = found.filter((term) => isTermVisibleTo(call.viewer.actor, term))
  const [term] = shown.toSorted((one, other) => place(one) - place(other))
  return term && (await withAncestors(db, await withTranslations(db, call.viewer, [term])))[0]
}

async function versionsOf(call: PageCall, term: Term): Promise<NonNullable<Page['versions']>> {
  const { db } = call.deps.storage
  const ids = (await listTranslationsInGroups(db, 'terms', [term.id])).map(({ id }) => id)
  if (ids.length < 2) return {}
  const terms = await withAncestors(db, await listMatchingTerms(db, term.taxonomy, { ids }))
  const { addresses } = call
  return Object.fromEntries(
    terms.map((one): [Language, string] => [one.language, termUrl(one, addresses).slice(addresses.site.length)]),
  )
}

/** Returns links to the direct subcategories that have events. */
async function below(call: PageCall, term: Term): Promise<Html | false> {
  const { deps, language, say, addresses, viewer } = call
  const { db, dialect } = deps.storage
  const parentIds = (await listTranslationsInGroups(db, 'terms', [term.id])).map(({ id }) => id)
  const items = await listTermsUncounted(
    { db, dialect, viewer: { ...viewer, language: undefined } },
    {
      ...{ taxonomy: 'category', page: 1, perPage: maxBelow, isUsed: true, parentIds },
      preference: listPreference(language, deps.config, deps.config.namesFallback),
      ...{ search: undefined, include: undefined, exclude: undefined, eventIds: undefined },
      ...{ slug: undefined, offset: undefined, sortKey: 'name_folded', isDescending: false },
    },
  )
  if (items.length === 0) return false
  return html`<nav class="below" aria-label="${say('subcategories')}"><ul class="terms">
${items.map((item) => html`<li><a href="${pathOf(call, termUrl(item, addresses))}"${langAttribute(call, item)}>${decodeEntities(item.name)}</a></li>`)}
</ul></nav>`
}
