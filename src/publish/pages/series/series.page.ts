import { totalPages } from '../../../access/http/arguments/paging.ts'
import { htmlToText } from '../../../base/text/escape.ts'
import { type Html, html } from '../../../base/text/html.ts'
import type { LocalDateTime } from '../../../base/time/local.date.time.ts'
import { findEvent, withLinks } from '../../../calendar/events/event.repository.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import { dateLine, dateText } from '../date.texts.ts'
import { placeLine } from '../event/event.card.ts'
import { articleMeta, freshUntil, openMain } from '../event/event.page.ts'
import { statedTitle } from '../event/event.states.ts'
import { type Page, type PageAnswer, type PageCall, readContextOf } from '../frame/page.ts'
import { langAttribute } from '../frame/text.language.ts'
import { isPastRequested, pageNumber, today, untilMidnight } from '../list/event.lists.ts'
import { pager, pastSwitch } from '../list/list.page.ts'
import { pathOf, withQuery } from '../page.addresses.ts'
import { gonePage, notFoundPage } from '../problem.page.ts'
import { linksToTranslations } from '../record.lookup.ts'
import { maxDescribedDates, seriesData } from './series.data.ts'
import { findSeries, type PageSeries, seriesPath } from './series.lookup.ts'
import { calendarOfSeries, dateList, repeatsLine, seriesFeedQuery } from './series.parts.ts'
import { countDates, findNextDate, listDates } from './series.repository.ts'
import { seriesWords } from './series.words.ts'

/** The maximum number of other dates on the page of the next one. */
const maxOthers = 24
const datesPerPage = 50

/** A series with the date that its page shows: the next one, or the last one if it is over. */
interface ShownSeries {
  readonly series: PageSeries
  readonly event: LinkedEvent
}

/** Answers `/event/{base}/`: the next date of a series, with the others below it. */
export async function seriesPage(call: PageCall, slug: string): Promise<PageAnswer> {
  const found = await readSeries(call, slug, '')
  if ('kind' in found) return found
  const { series, event } = found
  const { say, now } = call
  const isOver = event.endUtc < now
  const dates = await datesAround(call, series, isOver)
  const others = dates.filter(({ id }) => id !== event.id).slice(0, maxOthers)
  const count = (series.shown?.count ?? 0) - 1
  const main = await openMain(call, event, {
    series,
    kind: say(isOver ? 'series.last' : 'series.next'),
    repeats: repeatsLine(call, event, series),
    others:
      others.length > 0 &&
      html`<section class="section"><h2>${say(isOver ? 'series.earlier' : 'series.coming')}</h2>
${dateList(call, others, usualOf(event))}
${count > others.length && allLink(call, series)}
</section>`,
    calendar: calendarOfSeries(call, series),
  })
  return {
    ...sharedParts(call, series, { part: '', isFirst: true }),
    title: statedTitle(call, event),
    main,
    meta: {
      path: seriesPath(series),
      ...articleMeta(call, event),
      data: seriesData(call, {
        ...{ series, event, isEndless: event.membership?.madeUntil !== undefined },
        dates: dates.slice(0, maxDescribedDates),
      }),
    },
    freshUntil: Math.min(freshUntil(call, event), untilMidnight(call)),
  }
}

/** Answers `/event/{base}/all/`: all dates of a series, those to come first. */
export async function allDatesPage(call: PageCall, slug: string): Promise<PageAnswer> {
  const found = await readSeries(call, slug, 'all/')
  if ('kind' in found) return found
  const { series, event } = found
  const { say } = call
  const page = pageNumber(call)
  const isOver =
    (await countDates(call.deps.storage.db, { ...series, ends: { operator: '>=', at: today(call) } })) === 0
  const isPast = isOver || isPastRequested(call)
  const ends = { operator: isPast ? '<' : '>=', at: today(call) } as const
  const total = await countDates(call.deps.storage.db, { ...series, ends })
  const pages = Math.max(1, totalPages(total, datesPerPage))
  if (page === undefined || page > pages) return notFoundPage(call, say('not-found.page'))
  const query = { ...series, ends, isLatestFirst: isPast, limit: datesPerPage, offset: (page - 1) * datesPerPage }
  const dates = await listDates(readContextOf(call), query)
  const path = seriesPath(series, 'all/')
  const isFirst = page === 1 && (isOver || !isPast)
  const asked = { past: isPast && !isOver ? '1' : undefined }
  const list = { events: dates, total, page, pages, isPast }
  const title = htmlToText(series.titleHtml ?? event.titleHtml)
  const words = seriesWords(call.textLanguage, event.membership, series)
  return {
    ...sharedParts(call, series, { part: 'all/', isFirst }),
    title: `${title}${say('colon')} ${say('series.dates').toLocaleLowerCase()}`,
    main: html`<header class="event-head"><p class="kind">${say('series.dates')}</p><h1${langAttribute(call, series)}>${title}</h1>
${words !== '' && html`<p class="event-repeats">${words}</p>`}
</header>
<div class="event-actions"><a class="button" href="${pathOf(call, seriesPath(series))}">${say(isOver ? 'series.last' : 'series.next')}${say('colon')} ${dateText(call.textLanguage, 'day', event.start)}</a> <a class="button quiet" href="${calendarOfSeries(call, series)}">${say('add.file')}</a></div>
<section class="section" data-results>
<div class="page-head"><h2>${say(isPast ? 'series.count-past' : 'series.count-coming', { count: total })}</h2>${!isOver && pastSwitch(call, path, { texts: { past: 'series.show-past', upcoming: 'series.show-coming' } })}</div>
${dates.length === 0 ? html`<p class="empty">${say('series.nothing-past')}</p>` : datesByMonth(call, dates, event)}
${pages > 1 && pager(call, list, { path, query: asked })}
</section>`,
    meta: {
      path: withQuery(path, { ...asked, page: page === 1 ? undefined : page }),
      description: [title, words].filter((text) => text !== '').join(' – '),
      ...(isFirst
        ? { data: seriesData(call, { series, event, dates, isEndless: event.membership?.madeUntil !== undefined }) }
        : {}),
    },
    freshUntil: Math.min(freshUntil(call, event), untilMidnight(call)),
  }
}

/** Answers `/series/{base}/`: the address of a series in the reference. */
export async function seriesRedirect(call: PageCall, slug: string): Promise<PageAnswer> {
  const found = await findSeries(call, slug, 'all/')
  if (found.kind === 'elsewhere') return found
  if (found.kind === 'gone') return gonePage(call)
  if (found.kind === 'missing' || !found.series.shown) return notFoundPage(call)
  return { kind: 'elsewhere', status: 301, url: pathOf(call, seriesPath(found.series, 'all/')) }
}

/** Returns the page for an address below a series at which there is no date. */
export async function noDatePage(call: PageCall, slug: string): Promise<Page> {
  const found = await findSeries(call, slug, 'all/')
  if (found.kind === 'gone') return gonePage(call)
  const isShown = found.kind === 'elsewhere' || (found.kind === 'series' && found.series.shown !== undefined)
  if (!isShown) return notFoundPage(call)
  const url = found.kind === 'elsewhere' ? found.url : pathOf(call, seriesPath(found.series, 'all/'))
  return notFoundPage(call, call.say('series.no-date'), { url, text: call.say('series.all') })
}

/** Returns a series with its next date, or the answer if there is none to show. */
async function readSeries(call: PageCall, slug: string, part: '' | 'all/'): Promise<ShownSeries | PageAnswer> {
  const found = await findSeries(call, slug, part)
  if (found.kind === 'elsewhere') return found
  if (found.kind === 'gone') return gonePage(call)
  if (found.kind === 'missing') return notFoundPage(call)
  const { series } = found
  const { db } = call.deps.storage
  const id = await findNextDate(db, series, call.now)
  const record = id === undefined ? undefined : await findEvent(db, id)
  const [event] = record ? await withLinks(readContextOf(call), [record]) : []
  if (!event) return notFoundPage(call)
  // Visitors see no list of protected and hidden dates. The page of the next one is as that of any such event.
  if (!series.shown) return { kind: 'elsewhere', status: 302, url: pathOf(call, recordUrl(call.addresses, event)) }
  return { series, event }
}

/** Returns the dates from today on, or the last ones if the series is over. One more than the page shows. */
function datesAround(call: PageCall, series: PageSeries, isOver: boolean): Promise<readonly LinkedEvent[]> {
  const ends = isOver ? {} : { ends: { operator: '>=', at: today(call) } as const }
  return listDates(readContextOf(call), { ...series, ...ends, isLatestFirst: isOver, limit: maxOthers + 1 })
}

/** Returns what both pages of a series have in common. */
function sharedParts(
  call: PageCall,
  series: PageSeries,
  { part, isFirst }: { readonly part: '' | 'all/'; readonly isFirst: boolean },
) {
  const versions = Object.fromEntries(
    Object.entries(series.bases).map(([language, base]) => [language, seriesPath({ base, language }, part)]),
  )
  return {
    kind: 'page' as const,
    status: 200 as const,
    versions: isFirst ? versions : {},
    ...linksToTranslations(call, versions, series.language),
    feedQuery: seriesFeedQuery(call, series),
  }
}

function usualOf(event: LinkedEvent) {
  return { titleHtml: event.titleHtml, place: placeLine(event) }
}

function allLink(call: PageCall, series: PageSeries): Html {
  return html`<p><a href="${pathOf(call, seriesPath(series, 'all/'))}">${call.say('series.all')}</a></p>`
}

function datesByMonth(call: PageCall, dates: readonly LinkedEvent[], event: LinkedEvent): readonly Html[] {
  const months = Map.groupBy(dates, ({ start }) => start.slice(0, 7))
  return [...months].map(
    ([
      month,
      some,
    ]) => html`<section class="month-group"><h3>${dateLine(call.textLanguage, 'month', `${month}-01 00:00:00` as LocalDateTime)}</h3>
${dateList(call, some, usualOf(event))}
</section>`,
  )
}
