import { capitalised } from '../../../base/languages/dates.js'
import type { LocalDateTime } from '../../../base/time/local.date.time.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import { dateText, isSameDay, spanLine } from '../dates.ts'
import { badges, cardTitle, countText, isMasked, placeLine, timeElement } from '../event/event.card.ts'
import { hasLeftVenue, isOff, struckIf } from '../event/event.states.ts'
import type { PageCall } from '../frame/page.ts'
import { langAttribute } from '../frame/text.language.ts'
import { type Html, html } from '../html.ts'
import { dayPath, pathOf } from '../page.addresses.ts'
import type { MonthDay } from './month.days.ts'

/** Returns the events of one day. Narrow screens show it below the month, whose cells have no room for titles. */
export function dayAgenda(call: PageCall, { start, total }: MonthDay, events: readonly LinkedEvent[]): Html {
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
