import type { PageKey } from '../../../base/languages/catalogue.ts'
import { type Html, html } from '../../../base/text/html.ts'
import { dayOf, type LocalDateTime } from '../../../base/time/local.date.time.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import { dateLine } from '../date.texts.ts'
import { countText, eventCards } from '../event/event.card.ts'
import { folded } from '../event/event.repeats.ts'
import { nextEvents } from '../event/event.rows.ts'
import { feedQuery, ofDays, ofFilters, ofPast } from '../feed.query.ts'
import type { Page, PageCall } from '../frame/page.ts'
import { inLanguage, pathOf, pathsByTag, withQuery } from '../page.addresses.ts'
import { notFoundPage } from '../problem.page.ts'
import { type EventListPage, isPastRequested } from './event.lists.ts'
import { filterForm } from './filters.form.ts'
import { type PageFilters, readFilters, sharedFilters } from './filters.ts'
import { datesNav } from './list.dates.ts'
import { eventsShown, type ListWithOngoing, ongoingSection, readListWithOngoing } from './list.ongoing.ts'
import { eventsElsewhere } from './no.events.ts'

const listPath = '/events/'

/** Answers `/events/`: all events from today on, or past ones, nearest first. */
export async function listPage(call: PageCall): Promise<Page> {
  const { say } = call
  const filters = await readFilters(call)
  const list = await readListWithOngoing(call, filters.eventFilter, filters)
  if (!list) return notFoundPage(call, say('not-found.page'))
  const path = inLanguage(call, listPath)
  const title = list.isPast ? say('past') : filters.bounds ? say('events') : say('upcoming')
  return {
    kind: 'page',
    status: statusOf(filters),
    title: filters.values.search === undefined ? title : foundText(call, list, filters),
    view: 'list',
    main: html`<div class="page-head"><h1>${title}</h1>${pastSwitch(call, path, filters)}</div>
${await filterForm(call, filters, { action: pathOf(call, path) })}
${await listResults(call, list, { filters, path, isNarrowed: filters.isActive })}`,
    meta: {
      path: withQuery(path, listQuery(list, filters)),
      description: say('feed', { site: call.deps.config.siteName }),
      isIndexed: !filters.isActive,
      events: eventsShown(list),
    },
    ...(filters.isActive || list.isPast || list.page > 1 ? {} : { versions: listVersions(call, listPath) }),
    filters: sharedFilters(call),
    feedQuery: feedQuery(ofFilters(filters), list.isPast ? ofPast(call) : ofDays(call, filters.from, filters.to)),
    freshUntil: list.freshUntil,
  }
}

/** Returns the status of a page: 400 if a filter is invalid. */
export function statusOf({ faults }: Pick<PageFilters, 'faults'>): 200 | 400 {
  return Object.keys(faults).length > 0 ? 400 : 200
}

/** Returns the query of a page of a list in its canonical address. */
export function listQuery(
  { isPast, page }: EventListPage,
  { values }: Pick<PageFilters, 'values'>,
): Readonly<Record<string, string | number | undefined>> {
  return { ...values, past: isPast ? '1' : undefined, page: page === 1 ? undefined : page }
}

/** Returns the addresses of a page that has the same path in every language of texts. */
export function listVersions(call: PageCall, path: string): NonNullable<Page['versions']> {
  return pathsByTag((language) => inLanguage(call, path, language))
}

interface ListFrame {
  readonly filters: PageFilters
  /** The path of the list, in the language of the page. */
  readonly path: string
  /** Whether the calendar may have events that this list leaves out. */
  readonly isNarrowed: boolean
}

/**
 * Returns the part below the form of filters: one line with date shortcuts, what the list shows and a link that lets go of
 * its filters, and then the events. Scripts replace it as a whole.
 */
export async function listResults(
  call: PageCall,
  list: ListWithOngoing,
  { filters, path, isNarrowed }: ListFrame,
): Promise<Html> {
  const { say } = call
  return html`<div data-results>
<div class="results-line">
${!list.isPast && datesNav(call, path, filters)}
${list.total > 0 && html`<p class="count" data-count>${foundText(call, list, filters)}</p>`}
${hasOwnFilters(filters) && html`<p class="filter-note">${filters.values.featured !== undefined && html`<strong>${say('featured')}</strong> `}<a href="${pathOf(call, path)}" data-swap>${say('clear-filters')}</a></p>`}
${seriesSwitch(call, list, { filters, path })}
</div>
${
  list.total > 0
    ? listSections(call, list, { filters, path })
    : html`<div class="empty"><p>${emptyText(call, filters, list)}</p>${!isNarrowed && !list.isPast && (await eventsElsewhere(call))}</div>
${isNarrowed && !list.isPast && statusOf(filters) === 200 && (await nextEvents(call))}`
}
</div>`
}

/** Returns how many events a list has, and for which words. */
function foundText(call: PageCall, { total }: EventListPage, { values: { search } }: PageFilters): string {
  return search === undefined ? countText(call, total) : call.say('events-found.search', { count: total, search })
}

/** Reports if a list leaves out events. A list that shows each series once has all of them. */
function hasOwnFilters({ values }: PageFilters): boolean {
  return Object.keys(values).some((name) => name !== 'occurrences')
}

function emptyText({ say }: PageCall, { isActive, faults }: PageFilters, { isPast }: EventListPage): string {
  const [fault] = Object.values(faults)
  if (fault !== undefined) return fault
  return isActive ? say('nothing-found') : isPast ? say('nothing-past') : say('nothing-upcoming')
}

/** Returns the link from upcoming to past events, or back. */
export function pastSwitch(
  call: PageCall,
  path: string,
  {
    values = {},
    texts = { past: 'show-past', upcoming: 'show-upcoming' },
  }: {
    readonly values?: Readonly<Record<string, string | undefined>>
    readonly texts?: Readonly<Record<'past' | 'upcoming', PageKey>>
  },
): Html {
  const isPast = isPastRequested(call)
  const { from: _from, to: _to, ...others } = values
  const address = withQuery(path, { ...others, past: isPast ? undefined : '1' })
  return html`<a class="quiet" href="${pathOf(call, address)}" data-swap data-past>${call.say(texts[isPast ? 'upcoming' : 'past'])}</a>`
}

/** Returns the ongoing events, the events by day, and the links to further pages. */
function listSections(
  call: PageCall,
  list: ListWithOngoing,
  { filters, path }: Pick<ListFrame, 'filters' | 'path'>,
): Html {
  const { events: shown, repeats } = folded(list.events)
  const days = Map.groupBy(shown, ({ start }) => dayOf(start))
  return html`${ongoingSection(call, list)}
${[...days].map(
  ([day, events]) => html`<section class="day-group">
<h2>${dateLine(call.textLanguage, 'day', `${day} 00:00:00` as LocalDateTime)}</h2>
${eventCards(call, events, { before: shown.indexOf(events[0] as LinkedEvent), repeats, dateCounts: list.dateCounts })}
</section>`,
)}
${list.pages > 1 && pager(call, list, { path, query: { ...listQuery(list, filters), page: undefined } })}`
}

/** Returns the link to a list with only the next date of each series, or back, if the list has series. */
function seriesSwitch(
  call: PageCall,
  list: ListWithOngoing,
  { filters, path }: Pick<ListFrame, 'filters' | 'path'>,
): Html | false {
  const { eventFilter, values } = filters
  if (list.isPast || !eventsShown(list).some(({ seriesId }) => seriesId !== undefined)) return false
  const isFolded = eventFilter.isNextOnly === true
  // A value that is the usual one of the page is left out of its address.
  const isChosen = values.occurrences !== undefined
  const occurrences = isChosen ? undefined : isFolded ? 'each' : 'next'
  const address = withQuery(path, { ...values, occurrences })
  return html`<a class="quiet" href="${pathOf(call, address)}" data-swap>${call.say(isFolded ? 'series.unfold' : 'series.fold')}</a>`
}

interface Paged {
  readonly path: string
  readonly query: Readonly<Record<string, string | number | undefined>>
}

/** Returns the links to the previous and the next page. */
export function pager(call: PageCall, { page, pages }: EventListPage, { path, query }: Paged): Html {
  const { say } = call
  const to = (number: number) => pathOf(call, withQuery(path, { ...query, page: number === 1 ? undefined : number }))
  return html`<nav class="pager" aria-label="${say('pages')}">
${page > 1 && html`<a rel="prev" href="${to(page - 1)}" data-swap>${say('previous')}</a>`}
<span>${say('page-of', { page, pages })}</span>
${page < pages && html`<a rel="next" href="${to(page + 1)}" data-swap>${say('next')}</a>`}
</nav>`
}
