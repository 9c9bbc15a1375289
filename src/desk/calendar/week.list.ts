import { type Html, html } from '../../base/text/html.ts'
import { dayOf, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { addDays, dateLine, spanLine } from '../../publish/pages/date.texts.ts'
import { isPublic, listOf, mayChange, nameOf, openPath, statusOf, titleOf } from '../events/event.json.ts'
import { actorOf, type OwnCall } from '../shell/desk.call.ts'
import { today } from './calendar.days.ts'
import type { CalendarEvent } from './calendar.events.ts'
import { type Grid, movable, moveLink, newLink } from './month.grid.ts'

/** Returns a week: each day with all its events. */
export function weekList(call: OwnCall, grid: Grid): Html {
  const lanes = lanesOf(grid.spans)
  return html`<ol class="week">
${Array.from({ length: 7 }, (_, place) => dayOfWeek(call, { ...grid, lanes }, place))}
</ol>`
}

interface Week extends Grid {
  /** The lane of each event that is a bar above the hours. */
  readonly lanes: ReadonlyMap<CalendarEvent, number>
}

/** Returns the lanes of events of whole days or several days, so that none covers another. The first lane is 1. */
function lanesOf(spans: readonly CalendarEvent[]): ReadonlyMap<CalendarEvent, number> {
  const ends: number[] = []
  const lanes = new Map<CalendarEvent, number>()
  for (const one of spans) {
    if (isTimed(one)) continue
    const free = ends.findIndex((end) => end < one.start)
    const lane = free < 0 ? ends.length : free
    ends[lane] = one.end
    lanes.set(one, lane + 1)
  }
  return lanes
}

/** Whether an event has a place on the scale of hours. Events of several days are bars above it. */
const isTimed = ({ event, start, end }: CalendarEvent) => !event.all_day && start === end

function dayOfWeek(call: OwnCall, grid: Week, place: number): Html {
  const { say, textLanguage } = call
  const day = addDays(grid.first, place)
  const events = grid.spans.filter(({ start, end }) => start <= place && place <= end)
  // The script places those with hours on a scale, and makes bars of the others. Without it, all of them are rows.
  const [whole, timed] = [events.filter((one) => !isTimed(one)), events.filter(isTimed)]
  const list = (some: readonly CalendarEvent[], name: 'whole' | 'timed') =>
    some.length > 0 &&
    html`<ul class="rows ${name}">${some.map((one) => weekItem(call, one, { place, back: grid.back, lane: grid.lanes.get(one) }))}</ul>`
  return html`<li id="d-${dayOf(day)}" data-day="${dayOf(day)}"${day === today(call) && html` class="today"`}>
<div class="day-head"><h2><time datetime="${dayOf(day)}">${dateLine(textLanguage, 'dayOfYear', day)}</time></h2>${newLink(call, day)}</div>
${list(whole, 'whole')}
<div class="hours">${events.length === 0 ? html`<p class="hint">${say('calendar.none')}</p>` : list(timed, 'timed')}</div>
</li>`
}

function weekItem(
  call: OwnCall,
  { event, start, end }: CalendarEvent,
  { place, back, lane }: { readonly place: number; readonly back: string; readonly lane: number | undefined },
): Html {
  const { say, textLanguage, me } = call
  const isChangeable = mayChange(actorOf(me), event)
  const title = titleOf(call, event)
  const path = openPath(call, event)
  const when = spanLine(textLanguage, {
    start: event.start_date as LocalDateTime,
    end: event.end_date as LocalDateTime,
    isAllDay: event.all_day === true,
  })
  const places = listOf(event.venue).map(nameOf).join(', ')
  const isBar = lane !== undefined && place === Math.max(start, 0)
  const kinds = [...(isPublic(event) ? [] : ['hidden-event']), ...(lane === undefined || isBar ? [] : ['continued'])]
  return html`<li${kinds.length > 0 && html` class="${kinds.join(' ')}"`}${isBar && html` data-lane="${lane}" data-days="${Math.min(end, 6) - place + 1}"`}${isChangeable && movable(call, event)}><span class="what">${path ? html`<a href="${path}">${title}</a>` : title}${event.series && html` <span class="hint">↻ ${event.series.text}</span>`}${start < place && html` <span class="hint">(${say('calendar.continued')})</span>`}<br>
<span class="hint">${[when, places].filter((text) => text !== '').join(' · ')}</span></span>
<span class="row-end">${!isPublic(event) && html`<span class="status ${statusOf(event)}">${say(`status.${statusOf(event)}`)}</span>`}${isChangeable && moveLink(call, event, back)}</span></li>`
}
