import { type Html, html } from '../../../base/text/html.ts'
import { addSeconds, endOfDay, isLocalDateTime, type LocalDateTime } from '../../../base/time/local.date.time.ts'
import { dateLine, dateText, lastDayOf } from '../date.texts.ts'
import { trailNav } from '../event/event.around.ts'
import { countText, eventCards } from '../event/event.card.ts'
import { feedQuery, ofDays, ofFilters } from '../feed.query.ts'
import type { Page, PageCall } from '../frame/page.ts'
import { dayPath, pathOf, pathsByTag, pathsInOthers, withQuery } from '../page.addresses.ts'
import { notFoundPage } from '../problem.page.ts'
import { boundsOfDays, planFiltered, readEventList, today, untilMidnight } from './event.lists.ts'
import { filterForm } from './filters.form.ts'
import { filterNote, filtersExcept, readFilters, sharedFilters } from './filters.ts'
import { pager } from './list.page.ts'
import { noEventsUntil } from './no.events.ts'

const daySeconds = 86_400
/** The page sets its own day. */
const withoutDays = filtersExcept('from', 'to', 'occurrences')

/** Answers `/events/YYYY-MM-DD/`: all events on this day, including those that began earlier. */
export async function dayPage(call: PageCall, named: string): Promise<Page> {
  const { say, textLanguage } = call
  const day = `${named} 00:00:00`
  if (!isLocalDateTime(day)) return notFoundPage(call)
  const filters = await readFilters(call, withoutDays)
  const bounds = boundsOfDays(day, endOfDay(day))
  const plan = filters.isImpossible ? undefined : await planFiltered(call, filters.eventFilter)
  const list = plan
    ? await readEventList(call, plan, bounds)
    : { events: [], total: 0, page: 1, pages: 1, isPast: false }
  if (!list) return notFoundPage(call, say('not-found.page'))
  // An event that ended at the midnight before the day belongs to the previous day.
  const events = list.events.filter((event) => lastDayOf(event) >= day)
  const path = dayPath(call, day)
  const title = dateLine(textLanguage, 'day', day)
  const kept = sharedFilters(call)
  return {
    kind: 'page',
    status: 200,
    title,
    view: 'month',
    main: html`${dayHead(call, day, { title, kept })}
${await filterForm(call, filters, { action: pathOf(call, path), fields: withoutDays })}
<div data-results>
${filterNote(call, filters, path)}
${
  events.length === 0
    ? await noEventsUntil(call, filters, {
        text: say('nothing-that-day'),
        days: { first: day, last: endOfDay(day) },
        plan,
      })
    : html`<h2 class="count" data-count>${countText(call, list.pages > 1 ? list.total : events.length)}</h2>
${eventCards(call, events, { day })}`
}
${list.pages > 1 && pager(call, list, { path, query: kept })}
</div>`,
    meta: {
      path: withQuery(path, { ...kept, page: list.page === 1 ? undefined : list.page }),
      description: `${say('feed', { site: call.deps.config.siteName })}, ${dateText(textLanguage, 'day', day)}`,
      isIndexed: events.length > 0 && !filters.isActive,
      events,
    },
    versions: list.page > 1 ? {} : pathsByTag((language) => dayPath(call, day, language)),
    switchTo: pathsInOthers(call, (language) => dayPath(call, day, language)),
    filters: kept,
    feedQuery: feedQuery(ofFilters(filters), ofDays(call, day, day)),
    freshUntil: untilMidnight(call),
  }
}

function dayHead(
  call: PageCall,
  day: LocalDateTime,
  { title, kept }: { readonly title: string; readonly kept: Readonly<Record<string, string>> },
): Html {
  const { say } = call
  const to = (localDateTime: LocalDateTime) => pathOf(call, withQuery(dayPath(call, localDateTime), kept))
  const [before, after] = [addSeconds(day, -daySeconds), addSeconds(day, daySeconds)]
  const step = (localDateTime: LocalDateTime, rel: 'prev' | 'next') => {
    const [key, sign] = rel === 'prev' ? (['day.previous', '‹'] as const) : (['day.next', '›'] as const)
    return html`<a class="button quiet step" rel="${rel}" href="${to(localDateTime)}" data-swap aria-label="${say(key)}">${sign}</a>`
  }
  return html`${trailNav(call, day)}
<div class="page-head" data-results><h1>${title}</h1><div class="steps">
${before < day && isWhole(before) && step(before, 'prev')}
<a class="button quiet" href="${to(today(call))}" data-swap data-today>${say('today')}</a>
${after > day && isWhole(after) && step(after, 'next')}
</div></div>`
}

/**
 * Reports if a local date and time is the start of a day. At the limits of the years, `addDays` returns one that is
 * not.
 */
function isWhole(localDateTime: LocalDateTime): boolean {
  return localDateTime.endsWith('00:00:00')
}
