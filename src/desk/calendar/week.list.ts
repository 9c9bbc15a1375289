import { dayOf, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { addDays, dateLine, spanLine } from '../../publish/pages/dates.ts'
import { type Html, html } from '../../publish/pages/html.ts'
import { isPublic, listOf, mayChange, nameOf, statusOf, titleOf } from '../events/event.json.ts'
import { actorOf, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { today } from './calendar.days.ts'
import type { CalendarEvent } from './calendar.events.ts'
import { type Grid, moveLink, newLink } from './month.grid.ts'

/** Returns a week: each day with all its events. */
export function weekList(call: OwnCall, grid: Grid): Html {
  return html`<ol class="week">
${Array.from({ length: 7 }, (_, place) => dayOfWeek(call, grid, place))}
</ol>`
}

function dayOfWeek(call: OwnCall, grid: Grid, place: number): Html {
  const { say, textLanguage } = call
  const day = addDays(grid.first, place)
  const events = grid.spans.filter(({ start, end }) => start <= place && place <= end)
  return html`<li id="d-${dayOf(day)}" data-day="${dayOf(day)}"${day === today(call) && html` class="today"`}>
<div class="day-head"><h2><time datetime="${dayOf(day)}">${dateLine(textLanguage, 'dayOfYear', day)}</time></h2>${newLink(call, day)}</div>
${events.length === 0 ? html`<p class="hint">${say('calendar.none')}</p>` : html`<ul class="rows">${events.map((one) => weekItem(call, one, { place, back: grid.back }))}</ul>`}
</li>`
}

function weekItem(
  call: OwnCall,
  { event, start }: CalendarEvent,
  { place, back }: { readonly place: number; readonly back: string },
): Html {
  const { say, textLanguage, me } = call
  const isChangeable = mayChange(actorOf(me), event)
  const title = titleOf(call, event)
  const path = isChangeable ? linkTo(call, `/admin/events/${event.id}/`) : isPublic(event) ? event.url : undefined
  const when = spanLine(textLanguage, {
    start: event.start_date as LocalDateTime,
    end: event.end_date as LocalDateTime,
    isAllDay: event.all_day === true,
  })
  const places = listOf(event.venue).map(nameOf).join(', ')
  return html`<li><span>${path ? html`<a href="${path}">${title}</a>` : title}${event.series && html` <span class="hint">↻ ${event.series.text}</span>`}${start < place && html` <span class="hint">(${say('calendar.continued')})</span>`}<br>
<span class="hint">${[when, places].filter((text) => text !== '').join(' · ')}</span></span>
<span class="row-end">${!isPublic(event) && html`<span class="status ${statusOf(event)}">${say(`status.${statusOf(event)}`)}</span>`}${isChangeable && moveLink(call, event, back)}</span></li>`
}
