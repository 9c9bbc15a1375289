import { type Html, html, raw } from '../../base/text/html.ts'
import { dayOf, type LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Bar, DayLayout } from '../../publish/pages/assets/month.places.js'
import { addDays, dateLine, dateText } from '../../publish/pages/date.texts.ts'
import { isPublic, mayChange, openPath, statusOf, titleOf } from '../events/event.json.ts'
import type { RowJson } from '../events/event.rows.ts'
import { actorOf, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { startOfWeek, today } from './calendar.days.ts'
import type { CalendarEvent } from './calendar.events.ts'

/** Days with their events, and the address to return to. */
export interface Grid {
  readonly first: LocalDateTime
  readonly back: string
  readonly days: readonly DayLayout<RowJson>[]
  readonly spans: readonly CalendarEvent[]
  /** `2030-01`. Undefined for a week. */
  readonly month: string | undefined
}

/** Returns a month, day by day. On narrow screens a day is a number that leads to its week. */
export function monthGrid(call: OwnCall, { first, back, days, month }: Grid): Html {
  const { textLanguage } = call
  const weekdays = Array.from({ length: 7 }, (_, place) => addDays(first, place))
  return html`<div class="month">
<div class="weekdays" aria-hidden="true">${weekdays.map((day) => html`<span>${dateLine(textLanguage, 'shortWeekday', day)}</span>`)}</div>
<ol class="days">
${days.map((day, place) => dayCell(call, { day, start: addDays(first, place), back, month }))}
</ol>
</div>`
}

interface Cell {
  readonly day: DayLayout<RowJson>
  readonly start: LocalDateTime
  readonly back: string
  readonly month: string | undefined
}

function dayCell(call: OwnCall, { day, start, back, month }: Cell): Html {
  const { say, textLanguage } = call
  const { bars, passing, lanes, inCell, total } = day
  const lines = day.lines.slice(0, inCell)
  const more = day.more + day.lines.length - lines.length
  const date = dayOf(start)
  const full = dateLine(textLanguage, 'dayOfYear', start)
  const isToday = start === today(call)
  const kinds = [
    ...[total === 0 && 'bare', month !== undefined && !date.startsWith(month) && 'outside', isToday && 'today'],
    ...[lanes > 0 && `lanes-${lanes}`, total > 0 && `dots-${Math.min(total, 3)}`],
  ].filter(Boolean)
  const week = `${linkTo(call, withParameters('/admin/calendar/', { week: dayOf(startOfWeek(call, start)) }))}#d-${date}`
  const link = html`<a class="day-link" href="${week}"${isToday && raw(' aria-current="date"')}><span class="number" aria-hidden="true">${Number(date.slice(8))}</span><span class="unseen"><time datetime="${date}">${full}</time>, ${say('calendar.count', { count: total })}</span></a>`
  return html`<li${kinds.length > 0 && html` class="${kinds.join(' ')}"`} data-day="${date}">
${total > 0 ? html`<h2 class="day-head">${link}${newLink(call, start)}</h2>` : html`<div class="day-head">${link}${newLink(call, start)}</div>`}
${bars.length + passing.length + lines.length > 0 && html`<ul>${passing.map(({ event }) => html`<li class="unseen">${titleOf(call, event)} (${say('calendar.continued')})</li>`)}${bars.map((bar) => barItem(call, bar, back))}${lines.map((event) => lineItem(call, event, back))}</ul>`}
${more > 0 && html`<a class="more" href="${week}">${say('calendar.more', { count: more })}<span class="unseen">${say('calendar.on', { day: dateText(textLanguage, 'dayOfYear', start) })}</span></a>`}
</li>`
}

/** Returns the link that makes an event on a day. */
export function newLink(call: OwnCall, start: LocalDateTime): Html {
  const { say, textLanguage } = call
  const path = withParameters('/admin/events/new/', { start: dayOf(start) })
  const label = say('calendar.new-on', { day: dateText(textLanguage, 'dayOfYear', start) })
  return html`<a class="new-on-day" href="${linkTo(call, path)}" aria-label="${label}" title="${label}">+</a>`
}

function barItem(call: OwnCall, { event, from, to, lane, isBegun, goesOn }: Bar<RowJson>, back: string): Html {
  const kinds = ['bar', `lane-${lane + 1}`, `over-${to - from + 1}`, isBegun && 'begun', goesOn && 'goes-on']
  return item(call, { event, back, kinds: kinds.filter((kind) => kind !== false) })
}

function lineItem(call: OwnCall, event: RowJson, back: string): Html {
  return item(call, { event, back, kinds: event.all_day ? ['whole'] : [] })
}

interface Item {
  readonly event: RowJson
  readonly back: string
  readonly kinds: readonly string[]
}

function item(call: OwnCall, { event, back, kinds }: Item): Html {
  const { say, me } = call
  const isChangeable = mayChange(actorOf(me), event)
  const isHidden = !isPublic(event)
  const names = [...kinds, isHidden && 'hidden-event'].filter(Boolean).join(' ')
  const path = openPath(call, event)
  const mark =
    event.series &&
    html` <span class="series-mark" aria-hidden="true">↻</span><span class="unseen"> (${say('series.mark')})</span>`
  const text = html`${timeOf(call, event)}${titleOf(call, event)}${mark}${isHidden && html`<span class="unseen"> (${say(`status.${statusOf(event)}`)})</span>`}`
  return html`<li${names !== '' && html` class="${names}"`}${isChangeable && movable(call, event)}>${path === undefined ? html`<span>${text}</span>` : html`<a href="${path}">${text}</a>`}${isChangeable && moveLink(call, event, back)}</li>`
}

function timeOf({ textLanguage }: OwnCall, event: RowJson): Html | false {
  const start = event.start_date as LocalDateTime
  if (event.all_day) return false
  return html`<span class="time">${dateText(textLanguage, 'time', start)}</span> `
}

/** Returns the attributes of an item that the script can move. */
export function movable(call: OwnCall, event: RowJson): Html {
  const { id, version, start_date: start, end_date: end } = event
  return html` data-event="${id}" data-version="${version}" data-start="${start.slice(0, 16)}" data-end="${end.slice(0, 16)}" data-title="${titleOf(call, event)}"${event.all_day && raw(' data-all-day')}`
}

/** Returns the link to another day. In a month, only the keyboard reaches it: it appears when it has the focus. */
export function moveLink(call: OwnCall, event: RowJson, back: string): Html {
  const { say } = call
  const path = withParameters(`/admin/calendar/${event.id}/move/`, { back })
  const label = say('calendar.move', { title: titleOf(call, event) })
  return html`<a class="move" href="${linkTo(call, path)}" aria-label="${label}">${say('calendar.move-short')}</a>`
}
