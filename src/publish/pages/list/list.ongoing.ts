import type { LocalDateTime } from '../../../base/time/local.date.time.ts'
import { isoWithOffset } from '../../../base/time/wire.ts'
import { epochSecondsOf, localDateTimeAt, offsetAt } from '../../../base/time/zone.ts'
import type { IndexListPlan } from '../../../calendar/events/event.list.plan.ts'
import { listEvents } from '../../../calendar/events/event.list.repository.ts'
import type { LinkedEvent } from '../../../calendar/events/event.ts'
import { dateText, isSameDay, lastDayOf } from '../dates.ts'
import { badges } from '../event/event.card.ts'
import { eventRows } from '../event/event.rows.ts'
import { type Html, html } from '../html.ts'
import { dayPath, pathOf } from '../page.addresses.ts'
import { type PageCall, readContextOf } from '../page.ts'
import {
  type EventFilter,
  type EventListPage,
  isPastRequested,
  planFiltered,
  plannedFor,
  readEventList,
  today,
  untilMidnight,
} from './event.lists.ts'
import type { PageFilters } from './filters.ts'

// What began before the first day of a list and lasts: exhibitions, courses. It stands in a section of its own, so that
// it does not push away what is to come, however much of it there is (docs/decisions/0035).

/** Those that are seen at once; the others are folded. */
const ongoingUnfolded = 3
/** For how long a list may tell how many are on, where it does not know when each of them ends. */
const mostStaleSeconds = 300

interface OngoingEvents {
  /** The first day of the list. */
  readonly from: LocalDateTime
  /** At most a page of them, those first that began last. */
  readonly events: readonly LinkedEvent[]
  readonly total: number
}

/** One page of a list, and what is on already when it begins. */
export interface ListWithOngoing extends EventListPage {
  readonly ongoing: OngoingEvents | undefined
  /** The last second at which the clock gives the same list. */
  readonly freshUntil: number
}

/** Nothing, as a list. */
function emptyList(call: PageCall): ListWithOngoing {
  const shared = { events: [], total: 0, page: 1, pages: 1, isPast: false, ongoing: undefined } as const
  return { ...shared, freshUntil: untilMidnight(call) }
}

/**
 * The events of a page that lists them by its query. `total` counts all of them, `pages` those of what is to come.
 *
 * @returns undefined where there is no such page.
 */
export async function readListWithOngoing(
  call: PageCall,
  eventFilter: EventFilter,
  { bounds, from, isImpossible, faults }: Pick<PageFilters, 'bounds' | 'from' | 'isImpossible' | 'faults'>,
): Promise<ListWithOngoing | undefined> {
  if (isImpossible || Object.keys(faults).length > 0) return emptyList(call)
  const isSplit = bounds === undefined ? !isPastRequested(call) : from !== undefined
  const first = from ?? today(call)
  const last = bounds?.filter(({ edge }) => edge === 'start') ?? []
  const plan = await planFiltered(call, eventFilter)
  const list = await readEventList(
    call,
    plan,
    isSplit ? [{ edge: 'start', operator: '>=', localDateTime: first }, ...last] : bounds,
  )
  const freshUntil = untilMidnight(call)
  if (!list || !isSplit) return list && { ...list, ongoing: undefined, freshUntil }
  const ongoing = await readOngoing(call, plan, first)
  const { siteZone } = call.deps.config
  // Of more than are named, another one may end at any time.
  const ends = [
    ...ongoing.events.map(({ end }) => epochSecondsOf(end, siteZone)),
    ...(ongoing.total > ongoing.events.length ? [call.now + mostStaleSeconds] : []),
  ]
  return {
    ...list,
    ongoing,
    total: list.total + ongoing.total,
    freshUntil: first === today(call) ? Math.min(freshUntil, ...ends) : freshUntil,
  }
}

async function readOngoing(call: PageCall, plan: IndexListPlan, from: LocalDateTime): Promise<OngoingEvents> {
  const { deps, now } = call
  const isToday = from === today(call)
  // What ended this morning is not on any more.
  const ends = isToday ? localDateTimeAt(now, deps.config.siteZone) : from
  const bounds = [
    { edge: 'start', operator: '<', localDateTime: from },
    { edge: 'end', operator: '>=', localDateTime: ends },
  ] as const
  const listed = plannedFor(plan, { bounds, isLatestFirst: true })
  const { items, total } = await listEvents(readContextOf(call), listed)
  // What ends in the first hours of another day is of the day before.
  const events = isToday ? items : items.filter((event) => lastDayOf(event) >= from)
  return { from, events, total: total - (items.length - events.length) }
}

/** All events that a list names, those that are on already first. */
export function eventsShown({ ongoing, events, page }: ListWithOngoing): readonly LinkedEvent[] {
  return ongoing && page === 1 ? [...ongoing.events, ...events] : events
}

/** The section of what is on already, on the first page of a list. */
export function ongoingSection(call: PageCall, { ongoing, page }: ListWithOngoing): Html | false {
  if (!ongoing || page > 1 || ongoing.events.length === 0) return false
  const { say } = call
  const { from, events, total } = ongoing
  const rows = (some: readonly LinkedEvent[]) =>
    eventRows(call, some, { when: (event) => untilElement(call, event), isHeaded: true })
  const hidden = events.slice(ongoingUnfolded)
  return html`<section class="going"><h2>${say(from === today(call) ? 'now' : 'started-earlier')}</h2>
${rows(events.slice(0, ongoingUnfolded))}
${
  hidden.length > 0 &&
  html`<details><summary>${say('day.more', { count: hidden.length })}</summary>
${rows(hidden)}
${total > events.length && html`<p><a href="${pathOf(call, dayPath(call, from))}">${say('whole-day')}</a></p>`}</details>`
}
</section>`
}

/** Until when it lasts: what began long ago is chosen by its end. */
function untilElement(call: PageCall, event: LinkedEvent): Html {
  const { say, textLanguage } = call
  const { end, endUtc, zone, isAllDay } = event
  const last = lastDayOf(event)
  const text = isSameDay(last, today(call))
    ? say('ends-today')
    : say('until', { date: dateText(textLanguage, 'dayRange', last) })
  const instant = isoWithOffset(end, offsetAt(endUtc, zone))
  return html`<time datetime="${isAllDay ? instant.slice(0, 10) : instant}">${text}</time>${badges(call, event)}`
}
