import { listByDay } from '../events/event.days.repository.ts'
import { listEventsUncounted } from '../events/event.list.repository.ts'
import { recordUrl } from '../records/record.present.ts'
import { addMonths, addSeconds, isWall, type Wall } from '../time/wall.ts'
import { dateLine, dateText } from './dates.ts'
import { titleOf } from './event.card.ts'
import { eventsToTell } from './event.list.data.ts'
import { boundsOfDays, today, untilMidnight, upcomingBounds, visitorQuery } from './event.lists.ts'
import { feedQuery, ofDays, ofFilters } from './feed.query.ts'
import { type Filters, filterNote, keptFilters, readFilters } from './filters.ts'
import { type Html, html } from './html.ts'
import { dayCell } from './month.cell.ts'
import { type Day, daysOf } from './month.days.ts'
import { inLanguage, monthPath, pathOf, withQuery } from './page.addresses.ts'
import type { PageAnswer, PageCall } from './page.ts'
import { notFoundPage } from './problem.page.ts'

/** Events of a day that a month shows by name. */
const perDay = 5
const firstMonth = '0001-01-01 00:00:00'
const lastMonth = '9999-12-01 00:00:00'

/** `/events/month/` and `/events/month/YYYY-MM/`: a month, day by day. */
export async function monthPage(call: PageCall, named?: string): Promise<PageAnswer> {
  const { query } = call
  const chosen = query.month
  if (named === undefined && typeof chosen === 'string' && isWall(`${chosen}-01 00:00:00`)) {
    const path = monthPath(call, `${chosen}-01 00:00:00` as Wall)
    return { kind: 'elsewhere', status: 302, url: pathOf(call, withQuery(path, keptFilters(call))) }
  }
  const text = `${named ?? today(call).slice(0, 7)}-01 00:00:00`
  return isWall(text) ? showMonth(call, text) : notFoundPage(call)
}

async function showMonth(call: PageCall, first: Wall): Promise<PageAnswer> {
  const { say, deps, textLanguage } = call
  const { db, dialect } = deps.storage
  const filters = await readFilters(call)
  const last = first === lastMonth ? ('9999-12-31 23:59:59' as Wall) : addSeconds(addMonths(first, 1), -1)
  const asked = visitorQuery(call, boundsOfDays(first, last), { page: 1, perPage: perDay }, filters.narrowing)
  const entries = filters.isImpossible ? [] : await listByDay(db, dialect, call.viewer, asked, { from: first, perDay })
  const days = daysOf(entries, { first, last })
  const title = dateLine(textLanguage, 'month', first)
  const path = monthPath(call, first)
  return {
    kind: 'page',
    status: 200,
    title,
    view: 'month',
    main: html`${monthHead(call, first, title, filters)}
${filterNote(call, filters, path)}
${entries.length === 0 ? await emptyMonth(call, last, filters) : monthGrid(call, first, days)}`,
    meta: {
      path: withQuery(path, keptFilters(call)),
      description: `${say('feed', { site: deps.config.siteName })}, ${title}`,
      // Nobody need find the months in which nothing is.
      isIndexed: entries.length > 0 && !filters.isActive,
      events: await eventsToTell(
        call,
        entries.map(({ event }) => event),
      ),
    },
    versions: { en: monthPath(call, first, 'en'), 'fr-CA': monthPath(call, first, 'fr') },
    switchTo: withQuery(monthPath(call, first, textLanguage === 'fr' ? 'en' : 'fr'), {}),
    filters: keptFilters(call),
    feedQuery: feedQuery(ofFilters(filters), ofDays(first, last)),
    freshUntil: untilMidnight(call),
  }
}

function monthHead(call: PageCall, first: Wall, title: string, { values }: Filters): Html {
  const { say, textLanguage } = call
  const kept = keptFilters(call)
  const to = (wall: Wall) => pathOf(call, withQuery(monthPath(call, wall), kept))
  const step = (wall: Wall, key: 'month.previous' | 'month.next', rel: 'prev' | 'next', sign: string) =>
    html`<a class="button quiet step" rel="${rel}" href="${to(wall)}" data-swap aria-label="${say(key, { month: dateText(textLanguage, 'month', wall) })}">${sign}</a>`
  return html`<div class="page-head month-head"><h1>${title}</h1>
<div class="steps">
${first > firstMonth && step(addMonths(first, -1), 'month.previous', 'prev', '‹')}
<a class="button quiet" href="${to(today(call))}" data-swap data-today>${say('month.this')}</a>
${first < lastMonth && step(addMonths(first, 1), 'month.next', 'next', '›')}
<form class="choose" method="get" action="${pathOf(call, inLanguage(call, '/events/month/'))}">
<label class="unseen" for="month">${say('month.choose')}</label>
<input type="month" id="month" name="month" value="${first.slice(0, 7)}" min="0001-01" max="9999-12" required>
${Object.entries(kept).map(([name, value]) => values[name as 'search'] !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
<button type="submit" class="quiet">${say('month.go')}</button>
</form></div></div>`
}

function monthGrid(call: PageCall, first: Wall, days: readonly Day[]): Html {
  const { say, textLanguage, deps } = call
  const shift = deps.config.weekStart === 'monday' ? 0 : 1
  // 1 January 2024 was a Monday.
  const weekdays = Array.from({ length: 7 }, (_, place) => `2024-01-0${1 + ((place + 7 - shift) % 7)} 00:00:00` as Wall)
  const [day] = days
  const column = day ? ((day.weekday + shift) % 7) + 1 : 1
  return html`<div class="month" data-month="${first.slice(0, 7)}">
<div class="weekdays" aria-hidden="true">${weekdays.map((wall) => html`<span>${dateLine(textLanguage, 'shortWeekday', wall)}</span>`)}</div>
<ol class="days starts-${column}" data-days>
${days.map((one) => dayCell(call, one))}
</ol>
<p class="keys">${say('keys')}</p>
</div>`
}

/** Says that a month is empty, and what comes after it. */
async function emptyMonth(call: PageCall, last: Wall, { isImpossible, narrowing, isActive }: Filters): Promise<Html> {
  const { say, deps, textLanguage } = call
  const { db, dialect } = deps.storage
  const [bound] = upcomingBounds(call)
  const after = [...(bound ? [bound] : []), { edge: 'start', operator: '>', wall: last } as const]
  const asked = visitorQuery(call, after, { page: 1, perPage: 1 }, narrowing)
  const [next] = isImpossible ? [] : await listEventsUncounted(db, dialect, call.viewer, asked)
  const link = next && {
    url: pathOf(call, recordUrl(call.addresses, next)),
    text: say('nothing.next', { title: titleOf(next), date: dateText(textLanguage, 'day', next.start) }),
  }
  return html`<div class="empty"><p>${isActive ? say('nothing-found') : say('nothing-that-month')}</p>
${link && html`<p><a href="${link.url}">${link.text}</a></p>`}</div>`
}
