import { shortHour } from '../../../base/languages/dates.js'
import { htmlToText } from '../../../base/text/escape.ts'
import { type Html, html, raw } from '../../../base/text/html.ts'
import { dayOf } from '../../../base/time/local.date.time.ts'
import type { RenderedEvent } from '../../../calendar/events/model/event.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import type { Bar } from '../assets/month.places.js'
import { dateLine, dateText } from '../date.texts.ts'
import { countText, untilDay } from '../event/event.card.ts'
import { isOff, stateMark, struckIf } from '../event/event.states.ts'
import type { PageCall } from '../frame/page.ts'
import { langAttribute } from '../frame/text.language.ts'
import { today } from '../list/event.lists.ts'
import { dayPath, pathOf } from '../page.addresses.ts'
import type { MonthDay } from './month.days.ts'

/** The style hides text that does not fit. This limit bounds the size of the page, since titles may be very long. */
const longestTitle = 300
/** The maximum number of dots that represent the events of a day on narrow screens. */
const maxDots = 3

/** Returns a day of a month: its number with a link to the day, the bars that begin on it, and its own events. */
export function dayCell(call: PageCall, day: MonthDay, isChosen: boolean): Html {
  const { say, textLanguage } = call
  const { start, bars, passing, lanes, lines, inCell, total, more, isOutside } = day
  const rest = lines.slice(inCell)
  const isToday = start === today(call)
  const path = pathOf(call, dayPath(call, start))
  const full = dateLine(textLanguage, 'dayOfYear', start)
  const moreLink =
    more > 0 &&
    html`<a class="more" href="${path}">${say('day.more', { count: more })}<span class="unseen">${say('colon')} ${full}</span></a>`
  const kinds = [
    ...[total === 0 && 'bare', isOutside && 'outside', isToday && 'today', isChosen && 'chosen'],
    ...[lanes > 0 && `lanes-${lanes}`, total > 0 && `dots-${Math.min(total, maxDots)}`],
  ]
  const link = html`<a class="day-link" href="${path}"${isToday && raw(' aria-current="date"')}><span class="number" aria-hidden="true">${Number(start.slice(8, 10))}</span><span class="unseen"><time datetime="${dayOf(start)}">${full}</time>, ${countText(call, total)}</span></a>`
  return html`<li${classesOf(kinds)}>
${total > 0 ? html`<h2 class="day-head">${link}</h2>` : html`<div class="day-head">${link}</div>`}
${bars.length + passing.length + inCell > 0 && html`<ul>${passing.map(({ event }) => html`<li class="unseen">${stateMark(call, event)}${titleIn(call, event)} (${say('continued')})</li>`)}${bars.map((bar) => barItem(call, bar))}${lines.slice(0, inCell).map((event) => lineItem(call, event))}</ul>`}
${rest.length > 0 && html`<details class="rest" name="rest" data-menu><summary class="more">${say('day.more', { count: rest.length + more })}<span class="unseen">${say('colon')} ${full}</span></summary><div><ul>${rest.map((event) => lineItem(call, event))}</ul>${moreLink}</div></details>`}
${rest.length === 0 && moreLink}
</li>`
}

/** Returns an event of several days: one link across all its days of a week. */
function barItem(call: PageCall, { event, from, to, lane, isBegun, goesOn }: Bar<RenderedEvent>): Html {
  const { say } = call
  const kinds = ['bar', `lane-${lane + 1}`, `over-${to - from + 1}`, isBegun && 'begun', goesOn && 'goes-on']
  return html`<li${classesOf([...kinds, isFeatured(event) && 'featured'])}>${link(
    call,
    event,
    html`${stateMark(call, event)}${!isBegun && timeOf(call, event)}${titleIn(call, event)}<span class="unseen"> (${isBegun && `${say('continued')}, `}${untilDay(call, event)})</span>`,
  )}</li>`
}

function lineItem(call: PageCall, event: RenderedEvent): Html {
  const kinds = [event.isAllDay && 'whole', isFeatured(event) && 'featured']
  return html`<li${classesOf(kinds)}>${link(call, event, html`${stateMark(call, event)}${timeOf(call, event)}${titleIn(call, event)}`)}</li>`
}

function link(call: PageCall, event: RenderedEvent, content: Html): Html {
  return html`<a href="${pathOf(call, recordUrl(call.addresses, event))}">${content}</a>\n`
}

/** Returns the title, with its language if that differs from the language of the page. */
function titleIn(call: PageCall, event: RenderedEvent): Html {
  const title = htmlToText(event.titleHtml)
  const shown = title.length > longestTitle ? `${title.slice(0, longestTitle).toWellFormed()}…` : title
  const language = langAttribute(call, event)
  return language === false ? html`${shown}` : html`<span${language}>${shown}</span>`
}

function classesOf(kinds: readonly (string | false)[]): Html | false {
  const named = kinds.filter(Boolean).join(' ')
  return named !== '' && html` class="${named}"`
}

function isFeatured(event: RenderedEvent): boolean {
  return event.isFeatured && event.passwordDigest === undefined
}

function timeOf({ textLanguage }: PageCall, event: RenderedEvent): Html | false {
  if (event.isAllDay) return false
  const time = html`${shortHour(dateText(textLanguage, 'time', event.start))}`
  return html`<span class="time">${struckIf(isOff(event), time)}</span> `
}
