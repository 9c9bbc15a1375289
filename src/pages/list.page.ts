import type { Wall } from '../time/wall.ts'
import { dateLine } from './dates.ts'
import { countText, eventCards } from './event.card.ts'
import { type EventList, isPastAsked, readEventList, today, untilMidnight } from './event.lists.ts'
import { feedQuery, ofDays, ofFilters, ofPast } from './feed.query.ts'
import { filterForm } from './filters.form.ts'
import { type Filters, keptFilters, readFilters } from './filters.ts'
import { type Html, html } from './html.ts'
import { inLanguage, pathOf, withQuery } from './page.addresses.ts'
import type { Page, PageCall } from './page.ts'
import { notFoundPage } from './problem.page.ts'

const listPath = '/events/'

/** `/events/`: all events from today on, or those that are over, the nearest first. */
export async function listPage(call: PageCall): Promise<Page> {
  const { say } = call
  const filters = await readFilters(call)
  const hasFaults = Object.keys(filters.faults).length > 0
  const list =
    filters.isImpossible || hasFaults ? nothing : await readEventList(call, filters.narrowing, filters.bounds)
  if (!list) return notFoundPage(call, say('not-found.page'))
  const path = inLanguage(call, listPath)
  const query = { ...filters.values, past: list.isPast ? '1' : undefined }
  const title = list.isPast ? say('past') : filters.bounds ? say('events') : say('upcoming')
  return {
    kind: 'page',
    status: hasFaults ? 400 : 200,
    title,
    view: 'list',
    main: html`<div class="page-head"><h1>${title}</h1>${pastSwitch(call, path, filters.values)}</div>
${await filterForm(call, pathOf(call, path), filters)}
<div data-results>
${filters.isActive && html`<p class="filter-note">${filters.values.featured !== undefined && html`<strong>${say('featured')}</strong> `}<a href="${pathOf(call, path)}" data-swap>${say('clear-filters')}</a></p>`}
${listSection(call, list, { path, query, empty: emptyText(call, filters, list) })}
</div>`,
    meta: {
      path: withQuery(path, { ...query, page: list.page === 1 ? undefined : list.page }),
      description: say('feed', { site: call.deps.config.siteName }),
      isIndexed: !filters.isActive,
      events: list.events,
    },
    ...(filters.isActive || list.isPast || list.page > 1 ? {} : { versions: bothVersions(call, listPath) }),
    filters: keptFilters(call),
    feedQuery: feedQuery(ofFilters(filters), list.isPast ? ofPast(call) : ofDays(filters.from, filters.to)),
    freshUntil: untilMidnight(call),
  }
}

const nothing: EventList = { events: [], total: 0, page: 1, pages: 1, isPast: false }

/** The addresses of a page that stands in both languages alike. */
export function bothVersions(call: PageCall, path: string): NonNullable<Page['versions']> {
  return { en: inLanguage(call, path, 'en'), 'fr-CA': inLanguage(call, path, 'fr') }
}

function emptyText({ say }: PageCall, { isActive, faults }: Filters, { isPast }: EventList): string {
  const [fault] = Object.values(faults)
  if (fault !== undefined) return fault
  return isActive ? say('nothing-found') : isPast ? say('nothing-past') : say('nothing-upcoming')
}

/** The way from what is to come to what is over, and back. */
export function pastSwitch(call: PageCall, path: string, values: Readonly<Record<string, string | undefined>>): Html {
  const isPast = isPastAsked(call)
  const { from: _from, to: _to, ...others } = values
  const address = withQuery(path, { ...others, past: isPast ? undefined : '1' })
  return html`<a class="quiet" href="${pathOf(call, address)}" data-swap>${call.say(isPast ? 'show-upcoming' : 'show-past')}</a>`
}

interface ListFrame {
  readonly path: string
  readonly query: Readonly<Record<string, string | undefined>>
  /** What stands where there are no events. */
  readonly empty: string
}

/** How many there are, the events month by month, and the way to more of them. */
export function listSection(call: PageCall, list: EventList, frame: ListFrame): Html {
  if (list.events.length === 0) return html`<p class="empty">${frame.empty}</p>`
  const months = Map.groupBy(list.events, ({ start }) => shownDay(call, start, list).slice(0, 7))
  return html`<p class="count" data-count>${countText(call, list.total)}</p>
${[...months].map(
  ([month, events], place) => html`<section class="month-group">
<h2>${dateLine(call.textLanguage, 'month', `${month}-01 00:00:00` as Wall)}</h2>
${eventCards(call, events, { isFirst: place === 0 })}
</section>`,
)}
${list.pages > 1 && pager(call, list, frame)}`
}

/** The day under which an event stands: what began earlier and lasts is listed among what is on today. */
function shownDay(call: PageCall, start: Wall, { isPast }: EventList): Wall {
  const now = today(call)
  return !isPast && start < now ? now : start
}

/** The way to the pages before and after. */
export function pager(call: PageCall, { page, pages }: EventList, { path, query }: Omit<ListFrame, 'empty'>): Html {
  const { say } = call
  const to = (number: number) => pathOf(call, withQuery(path, { ...query, page: number === 1 ? undefined : number }))
  return html`<nav class="pager" aria-label="${say('pages')}">
${page > 1 && html`<a rel="prev" href="${to(page - 1)}" data-swap>${say('previous')}</a>`}
<span>${say('page-of', { page, pages })}</span>
${page < pages && html`<a rel="next" href="${to(page + 1)}" data-swap>${say('next')}</a>`}
</nav>`
}
