import { type Html, html } from '../../../base/text/html.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import { timesField } from '../../../calendar/series/series.fields.ts'
import { dateLine, dateText, isSameDay, spanText, whenText } from '../date.texts.ts'
import { cardTitle, isMasked, placeElement, placeLine, timeElement } from '../event/event.card.ts'
import { isOff, stateBadges, struckIf } from '../event/event.states.ts'
import { feedQuery, ofDays } from '../feed.query.ts'
import type { PageCall } from '../frame/page.ts'
import { langAttribute } from '../frame/text.language.ts'
import { feedUrl, inLanguage, pathOf } from '../page.addresses.ts'
import { findSeriesOfDate, type PageSeries, seriesPath } from './series.lookup.ts'
import { findNearDates, type NearDate } from './series.repository.ts'
import { seriesWords } from './series.words.ts'

/** What the page of an event says of its series. */
export interface SeriesParts {
  readonly series: PageSeries
  /** Which date it is, if the address does not name one. */
  readonly kind?: string
  /** When the series takes place, in words, with a link to all dates. */
  readonly repeats: Html
  readonly others: Html | false
  /** The address of the calendar of all dates. */
  readonly calendar: string
}

/** Returns what the page of a date says of its series; undefined if a visitor does not see that it is one. */
export async function partsOfDate(call: PageCall, event: LinkedEvent): Promise<SeriesParts | undefined> {
  const series = isMasked(event) ? undefined : await findSeriesOfDate(call, event)
  if (!series?.shown) return undefined
  const near = await findNearDates(call.deps.storage.db, series, event)
  return {
    series,
    repeats: repeatsLine(call, event, series),
    others: nearNav(call, near),
    calendar: calendarOfSeries(call, series),
  }
}

export function seriesFeedQuery(call: PageCall, { seriesId }: PageSeries): string {
  return feedQuery([['series', String(seriesId)]], ofDays(call))
}

/** Returns the address of the calendar of a series. */
export function calendarOfSeries(call: PageCall, series: PageSeries): string {
  return feedUrl(call, 'ics', seriesFeedQuery(call, series))
}

/**
 * Returns the day from which a date was moved; '' if it is on its day. If the event says that it was rescheduled, its
 * status shows the former time.
 */
function insteadOf({ say, textLanguage }: PageCall, { membership, start, eventStatus }: LinkedEvent): string {
  if (
    !membership?.ownFields.includes(timesField) ||
    eventStatus === 'rescheduled' ||
    isSameDay(membership.recurrenceId, start)
  )
    return ''
  return say('series.instead', { date: dateText(textLanguage, 'day', membership.recurrenceId) })
}

/** Returns when the dates of a series are, in words, with a link to all of them. */
export function repeatsLine(call: PageCall, event: LinkedEvent, series: PageSeries): Html {
  const link = html`<a href="${pathOf(call, seriesPath(series, 'all/'))}">${call.say('series.all')}</a>`
  const words = seriesWords(call.textLanguage, event.membership, series)
  const instead = insteadOf(call, event)
  return html`<p class="event-repeats">${instead !== '' && html`<strong>${instead}</strong> · `}${words}${words !== '' && ' · '}${link}</p>`
}

function nearNav(
  call: PageCall,
  { previous, next }: { readonly previous: NearDate | undefined; readonly next: NearDate | undefined },
): Html | false {
  const { say } = call
  if (!previous && !next) return false
  return html`<nav class="neighbours" aria-label="${say('series.neighbours')}"><ul>
${previous && html`<li>${nearLink(call, previous, 'prev')}</li>`}
${next && html`<li class="next">${nearLink(call, next, 'next')}</li>`}
</ul></nav>`
}

function nearLink(call: PageCall, date: NearDate, rel: 'prev' | 'next'): Html {
  const { say, textLanguage } = call
  const when = struckIf(isOff(date), html`${dateText(textLanguage, 'shortDay', date.start)}`)
  return html`<a rel="${rel}" href="${pathOf(call, inLanguage(call, `/event/${date.path}/`))}"><span class="step-name">${say(rel === 'prev' ? 'series.previous' : 'series.next')}</span>
<span class="step-when">${when}${stateBadges(call, date)}</span></a>`
}

/**
 * Returns dates of a series as a list. Each is named by its day. Title and place are only shown if they are not those of
 * the series.
 */
export function dateList(call: PageCall, events: readonly LinkedEvent[], usual: UsualDate): Html {
  return html`<ul class="series-dates">
${events.map((event) => html`<li>${dateItem(call, event, usual)}</li>\n`)}
</ul>`
}

/** The title and the place of most dates of a series. */
export interface UsualDate {
  readonly titleHtml: string
  readonly place: string
}

function dateItem(call: PageCall, event: LinkedEvent, usual: UsualDate): Html {
  const { textLanguage, addresses, say } = call
  const hours = event.isAllDay ? say('all-day') : spanText(textLanguage, event)
  const when = isSameDay(event.start, event.end)
    ? `${dateLine(textLanguage, 'day', event.start)}, ${hours}`
    : whenText(textLanguage, event)
  const time = struckIf(isOff(event), timeElement(event, when))
  const link = html`<a href="${pathOf(call, recordUrl(addresses, event))}">${time}</a>`
  const instead = insteadOf(call, event)
  const place = placeLine(event) !== usual.place && placeElement(call, event)
  return html`${link}${stateBadges(call, event)}${instead !== '' && html` <span class="instead">${instead}</span>`}${event.titleHtml !== usual.titleHtml && html` <span class="own-title"${langAttribute(call, event)}>${cardTitle(event)}</span>`}${place && html` <span class="own-place">${place}</span>`}`
}
