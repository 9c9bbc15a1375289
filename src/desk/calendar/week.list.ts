import { type Html, html } from '../../base/text/html.ts'
import { dayOf, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { addDays, dateLine, spanLine } from '../../publish/pages/date.texts.ts'
import { isPublic, listOf, mayChange, nameOf, statusOf, titleOf } from '../events/event.json.ts'
import { actorOf, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { today } from './calendar.days.ts'
import type { CalendarEvent } from './calendar.events.ts'
import { type Grid, movable, moveLink, newLink } from './month.grid.ts'

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
  // The script places those with hours on a scale. Without it, all of them are rows.
  const isTimed = ({ event, start }: CalendarEvent) => !event.all_day && start === place
  const [whole, timed] = [events.filter((one) => !isTimed(one)), events.filter(isTimed)]
  const list = (some: readonly CalendarEvent[], name: 'whole' | 'timed') =>
    some.length > 0 &&
    html`<ul class="rows ${name}">${some.map((one) => weekItem(call, one, { place, back: grid.back }))}</ul>`
  return html`<li id="d-${dayOf(day)}" data-day="${dayOf(day)}"${day === today(call) && html` class="today"`}>
<div class="day-head"><h2><time datetime="${dayOf(day)}">${dateLine(textLanguage, 'dayOfYear', day)}</time></h2>${newLink(call, day)}</div>
${list(whole, 'whole')}
<div class="hours">${events.length === 0 ? html`<p class="hint">${say('calendar.none')}</p>` : list(timed, 'timed')}</div>
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
  return html`<li${!isPublic(event) && html` class="hidden-event"`}${isChangeable && movable(call, event)}><span class="what">${path ? html`<a href="${path}">${title}</a>` : title}${event.series && html` <span class="hint">↻ ${event.series.text}</span>`}${start < place && html` <span class="hint">(${say('calendar.continued')})</span>`}<br>
<span class="hint">${[when, places].filter((text) => text !== '').join(' · ')}</span></span>
<span class="row-end">${!isPublic(event) && html`<span class="status ${statusOf(event)}">${say(`status.${statusOf(event)}`)}</span>`}${isChangeable && moveLink(call, event, back)}</span></li>`
}
