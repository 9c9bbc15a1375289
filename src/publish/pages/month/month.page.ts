import { capitalised } from '../../../base/languages/dates.js'
import { type Html, html } from '../../../base/text/html.ts'
import { addMonths, endOfDay, isLocalDateTime, type LocalDateTime } from '../../../base/time/local.date.time.ts'
import { withLinks } from '../../../calendar/events/event.repository.ts'
import { listByDay } from '../../../calendar/events/list/days.repository.ts'
import type { IndexListPlan } from '../../../calendar/events/list/list.plan.ts'
import type { LinkedEvent, RenderedEvent } from '../../../calendar/events/model/event.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import { maxBars, maxLines } from '../assets/month.places.js'
import { dateLine, dateText, isSameDay, nightEnd, spanLine } from '../date.texts.ts'
import { badges, cardTitle, countText, isMasked, placeLine, timeElement } from '../event/event.card.ts'
import { eventsForStructuredData } from '../event/event.list.data.ts'
import { hasLeftVenue, isOff, struckIf } from '../event/event.states.ts'
import { feedQuery, ofDays, ofFilters } from '../feed.query.ts'
import { type PageAnswer, type PageCall, readContextOf } from '../frame/page.ts'
import { langAttribute } from '../frame/text.language.ts'
import { boundsOfDays, planFiltered, plannedFor, today, untilMidnight } from '../list/event.lists.ts'
import { filterForm } from '../list/filters.form.ts'
import { filterNote, filtersExcept, type PageFilters, readFilters, sharedFilters } from '../list/filters.ts'
import { noEventsUntil } from '../list/no.events.ts'
import { dayPath, inLanguage, monthPath, pathOf, pathsByTag, pathsInOthers, withQuery } from '../page.addresses.ts'
import { notFoundPage } from '../problem.page.ts'
import { dayCell } from './month.cell.ts'
import { gridOf, type MonthDay, type MonthEvents, type MonthGrid, monthOf } from './month.days.ts'

// The space on a landscape sheet of paper, measured in A4 and Letter pages that Chromium prints.

const linesOfRoomy = 46
const charactersOfRoomy = 24
const linesOfFull = 60
/** The date of a week and a bar each take more than one line. */
const headLines = 1.5
const barLines = 1.4
/** The minimum height of a week, except when each title has one line. */
const leastLines = 4.5
/** The width of the time before a title. */
const hourCharacters = 8
/** The width of the status of an event before its title. */
const stateCharacters = 12

/**
 * Returns the density at which a month fits on one sheet: whole titles, one line for each title, or smaller letters.
 */
function printDensity(days: readonly MonthDay[]): 'roomy' | 'full' | 'fullest' {
  const wrapped = ({ titleHtml, eventStatus }: RenderedEvent) =>
    Math.ceil(
      (titleHtml.length + hourCharacters + (eventStatus === 'scheduled' ? 0 : stateCharacters)) / charactersOfRoomy,
    )
  if (linesOf(days, wrapped, leastLines) <= linesOfRoomy) return 'roomy'
  return linesOf(days, () => 1, 0) <= linesOfFull ? 'full' : 'fullest'
}

function linesOf(days: readonly MonthDay[], linesOfTitle: (event: RenderedEvent) => number, least: number): number {
  const weeks = Map.groupBy(days, (_, place) => Math.floor(place / 7))
  const height = ({ lanes, lines, more }: MonthDay) =>
    lanes * barLines + lines.reduce((sum, event) => sum + linesOfTitle(event), 0) + Number(more > 0)
  return weeks.values().reduce((sum, week) => sum + Math.max(least, headLines + Math.max(...week.map(height))), 0)
}

/** The maximum number of events in the list of a day below a month. */
const maxInAgenda = maxBars + maxLines
/** The page sets its own days. */
const withoutDays = filtersExcept('from', 'to', 'occurrences')
const firstMonth = '0001-01-01 00:00:00'
const lastMonth = '9999-12-01 00:00:00'
/** The first month that the field offers. It keeps a partly typed year from being read as one of the first years. */
const firstOffered = '1970-01'

/** Answers `/events/month/` and `/events/month/YYYY-MM/`: a month, day by day. */
export async function monthPage(call: PageCall, named?: string): Promise<PageAnswer> {
  const { query } = call
  const chosen = query.month
  if (named === undefined && typeof chosen === 'string' && isLocalDateTime(`${chosen}-01 00:00:00`)) {
    const path = monthPath(call, `${chosen}-01 00:00:00` as LocalDateTime)
    return { kind: 'elsewhere', status: 302, url: pathOf(call, withQuery(path, sharedFilters(call))) }
  }
  const text = `${named ?? today(call).slice(0, 7)}-01 00:00:00`
  return isLocalDateTime(text) ? showMonth(call, text) : notFoundPage(call)
}

async function showMonth(call: PageCall, first: LocalDateTime): Promise<PageAnswer> {
  const { say, deps, textLanguage } = call
  const filters = await readFilters(call, withoutDays)
  const grid = gridOf(first, deps.config.weekStart)
  const plan = filters.isImpossible ? undefined : await planFiltered(call, filters.eventFilter)
  const month = await readMonth(call, grid, plan)
  const title = dateLine(textLanguage, 'month', first)
  const path = monthPath(call, first)
  return {
    kind: 'page',
    status: 200,
    title,
    view: 'month',
    main: html`${monthHead(call, filters, { first, title })}
${await filterForm(call, filters, { action: pathOf(call, path), fields: withoutDays })}
<div data-results>
<p data-count hidden>${title}, ${countText(call, month.total)}</p>
${filterNote(call, filters, path)}
${month.total === 0 ? await noEventsUntil(call, filters, { text: say('nothing-that-month'), days: { first: grid.month[0], last: endOfDay(grid.month[1]) }, plan }) : await monthView(call, grid, month)}
</div>
<p class="printed-address">${deps.config.siteName}, ${call.addresses.site}${path}</p>`,
    meta: {
      path: withQuery(path, sharedFilters(call)),
      description: `${say('feed', { site: deps.config.siteName })}, ${dateText(textLanguage, 'month', first)}`,
      // Search engines do not index months without events.
      isIndexed: month.total > 0 && !filters.isActive,
      events: await eventsForStructuredData(call, month.events),
    },
    versions: pathsByTag((language) => monthPath(call, first, language)),
    switchTo: pathsInOthers(call, (language) => monthPath(call, first, language)),
    filters: sharedFilters(call),
    feedQuery: feedQuery(ofFilters(filters), ofDays(call, ...grid.month)),
    freshUntil: untilMidnight(call),
  }
}

async function readMonth(call: PageCall, grid: MonthGrid, plan: IndexListPlan | undefined): Promise<MonthEvents> {
  const [from, last] = grid.shown
  const to = endOfDay(last)
  const perDay = { long: maxBars, short: maxLines }
  const bounds = boundsOfDays(from, to)
  const found = plan
    ? await listByDay(readContextOf(call), plannedFor(plan, { bounds }), { from, to, nightEnd, perDay })
    : { events: [], counts: [] }
  return monthOf(found, grid)
}

function monthHead(
  call: PageCall,
  { values }: PageFilters,
  { first, title }: { readonly first: LocalDateTime; readonly title: string },
): Html {
  const { say, textLanguage } = call
  const kept = sharedFilters(call)
  const to = (localDateTime: LocalDateTime) => pathOf(call, withQuery(monthPath(call, localDateTime), kept))
  const step = (localDateTime: LocalDateTime, rel: 'prev' | 'next') => {
    const [key, sign] = rel === 'prev' ? (['month.previous', '‹'] as const) : (['month.next', '›'] as const)
    return html`<a class="button quiet step" rel="${rel}" href="${to(localDateTime)}" data-swap aria-label="${say(key, { month: dateText(textLanguage, 'month', localDateTime) })}">${sign}</a>`
  }
  return html`<div class="page-head month-head" data-results><h1>${title}</h1>
<div class="steps">
${first > firstMonth && step(addMonths(first, -1), 'prev')}
<a class="button quiet" href="${to(today(call))}" data-swap data-today>${say('month.this')}</a>
${first < lastMonth && step(addMonths(first, 1), 'next')}
<form class="choose" method="get" action="${pathOf(call, inLanguage(call, '/events/month/'))}">
<label class="unseen" for="month">${say('month.choose')}</label>
<input type="month" id="month" name="month" value="${first.slice(0, 7)}" min="${earlier(first.slice(0, 7), firstOffered)}" max="9999-12" required>
${Object.entries(kept).map(([name, value]) => values[name as 'search'] !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
<button type="submit" class="quiet">${say('month.go')}</button>
</form></div></div>`
}

/** Returns the earlier of two months. The field must allow the month of the page, even if it is before 1970. */
function earlier(one: string, other: string): string {
  return one < other ? one : other
}

/** Returns the month day by day and, below it for narrow screens, the events of one day. */
async function monthView(call: PageCall, grid: MonthGrid, month: MonthEvents): Promise<Html> {
  const { days } = month
  const chosen = chosenDay(call, days)
  const events = await withLinks(readContextOf(call), chosen ? month.on(chosen.start).slice(0, maxInAgenda) : [])
  return html`${monthGrid(call, grid, { days, chosen })}
${chosen && dayAgenda(call, chosen, events)}`
}

/** Returns the requested day, or today, or the first day of the month that has events. */
function chosenDay(call: PageCall, days: readonly MonthDay[]): MonthDay | undefined {
  const { day } = call.query
  const now = today(call)
  const own = days.filter(({ isOutside }) => !isOutside)
  return (
    days.find(({ start }) => start.slice(0, 10) === day) ??
    own.find(({ start }) => start === now) ??
    own.find(({ total }) => total > 0)
  )
}

function monthGrid(
  call: PageCall,
  { month, before }: MonthGrid,
  { days, chosen }: { readonly days: readonly MonthDay[]; readonly chosen: MonthDay | undefined },
): Html {
  const { say, textLanguage, deps } = call
  const shift = deps.config.weekStart === 'monday' ? 0 : 1
  // 1 January 2024 was a Monday.
  const weekdays = Array.from(
    { length: 7 },
    (_, place) => `2024-01-0${1 + ((place + 7 - shift) % 7)} 00:00:00` as LocalDateTime,
  )
  const kinds = [printDensity(days), before > 0 && `after-${before}`].filter(Boolean).join(' ')
  return html`<div class="month" data-month="${month[0].slice(0, 7)}">
<div class="weekdays" aria-hidden="true">${weekdays.map((localDateTime) => html`<span>${dateLine(textLanguage, 'shortWeekday', localDateTime)}</span>`)}</div>
<ol class="days ${kinds}" data-days>
${days.map((one) => dayCell(call, one, one === chosen))}
</ol>
<p class="keys">${say('keys')}</p>
</div>`
}

/** Returns the events of one day. Narrow screens show it below the month, whose cells have no room for titles. */
function dayAgenda(call: PageCall, { start, total }: MonthDay, events: readonly LinkedEvent[]): Html {
  const { say, textLanguage } = call
  const more = total - events.length
  return html`<section class="agenda" data-agenda="${start.slice(0, 10)}">
<h2>${dateText(textLanguage, 'dayOfYear', start)}</h2>
${total === 0 ? html`<p>${say('nothing-that-day')}</p>` : html`<p class="count">${countText(call, total)}</p>`}
<ul>${events.map((event) => agendaItem(call, event, start))}</ul>
${more > 0 && html`<p><a href="${pathOf(call, dayPath(call, start))}">${say('day.more', { count: more })}</a></p>`}
</section>`
}

function agendaItem(call: PageCall, event: LinkedEvent, day: LocalDateTime): Html {
  const { say, textLanguage, addresses } = call
  const place = isMasked(event) ? '' : placeLine(event)
  const isWhole = event.isAllDay && isSameDay(event.start, event.end) && isSameDay(event.start, day)
  return html`<li>
<p class="card-when">${struckIf(isOff(event), timeElement(event, isWhole ? capitalised(say('all-day')) : spanLine(textLanguage, event)))}${badges(call, event)}</p>
<h3><a href="${pathOf(call, recordUrl(addresses, event))}"${langAttribute(call, event)}>${cardTitle(event)}</a></h3>
${place !== '' && html`<p class="card-place">${struckIf(hasLeftVenue(event), html`${place}`)}</p>`}
</li>`
}
