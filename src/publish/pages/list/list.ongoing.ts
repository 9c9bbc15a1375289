import { type Html, html } from '../../../base/text/html.ts'
import type { LocalDateTime } from '../../../base/time/local.date.time.ts'
import { isoWithOffset } from '../../../base/time/wire.ts'
import { epochSecondsOf, localDateTimeAt, offsetAt } from '../../../base/time/zone.ts'
import type { IndexListPlan } from '../../../calendar/events/list/list.plan.ts'
import { listEvents } from '../../../calendar/events/list/list.repository.ts'
import { countComingDates } from '../../../calendar/events/list/series.counts.repository.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import { dateText, isSameDay, lastDayOf } from '../date.texts.ts'
import { cardTitle } from '../event/event.card.ts'
import { eventRows } from '../event/event.rows.ts'
import { isOff } from '../event/event.states.ts'
import { type PageCall, readContextOf } from '../frame/page.ts'
import { dayPath, pathOf } from '../page.addresses.ts'
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

// Events that began before the first day of a list and continue, such as exhibitions and courses. They have a separate
// section, so that many of them do not push upcoming events away (docs/decisions/0035).

/** The number of events that are visible. The rest are folded. */
/** The maximum age of a count of ongoing events, in seconds, if the ends of some of them are unknown. */
const maxStaleSeconds = 300

interface OngoingEvents {
  /** The first day of the list. */
  readonly from: LocalDateTime
  /** At most one page of them. Those that began last come first. */
  readonly events: readonly LinkedEvent[]
  readonly total: number
}

/** One page of a list, with the events that are ongoing when it begins. */
export interface ListWithOngoing extends EventListPage {
  readonly ongoing: OngoingEvents | undefined
  /** The number of dates from the first day on, by series, if the list shows only the next one of each. */
  readonly dateCounts: ReadonlyMap<number, number>
  /** The last second for which the list stays the same. */
  readonly freshUntil: number
}

function emptyList(call: PageCall): ListWithOngoing {
  const shared = {
    events: [],
    total: 0,
    page: 1,
    pages: 1,
    isPast: false,
    ongoing: undefined,
    dateCounts: new Map<number, number>(),
  } as const
  return { ...shared, freshUntil: untilMidnight(call) }
}

/**
 * Returns the events of the list that the query of a page selects. `total` counts all events; `pages` counts pages of
 * upcoming events.
 *
 * @returns undefined if the page does not exist.
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
  const dateCounts = await countDates(call, plan, { events: list?.events ?? [], from: first })
  if (!list || !isSplit) return list && { ...list, ongoing: undefined, dateCounts, freshUntil }
  const ongoing = await readOngoing(call, plan, first)
  const { siteZone } = call.deps.config
  // If more events exist than are listed, any of the others may end at any time.
  const ends = [
    ...ongoing.events.map(({ end }) => epochSecondsOf(end, siteZone)),
    ...(ongoing.total > ongoing.events.length ? [call.now + maxStaleSeconds] : []),
  ]
  return {
    ...list,
    ...{ ongoing, dateCounts },
    total: list.total + ongoing.total,
    freshUntil: first === today(call) ? Math.min(freshUntil, ...ends) : freshUntil,
  }
}

/** Returns how many dates the series of these events have. */
async function countDates(
  call: PageCall,
  plan: IndexListPlan,
  { events, from }: Pick<OngoingEvents, 'events' | 'from'>,
): Promise<ReadonlyMap<number, number>> {
  const seriesIds = plan.query.isNextOnly ? events.flatMap((event) => event.seriesId ?? []) : []
  return countComingDates(readContextOf(call), plan, { seriesIds: [...new Set(seriesIds)], from })
}

async function readOngoing(call: PageCall, plan: IndexListPlan, from: LocalDateTime): Promise<OngoingEvents> {
  const { deps, now } = call
  const isToday = from === today(call)
  // An event that ended this morning is no longer ongoing.
  const ends = isToday ? localDateTimeAt(now, deps.config.siteZone) : from
  const bounds = [
    { edge: 'start', operator: '<', localDateTime: from },
    { edge: 'end', operator: '>=', localDateTime: ends },
  ] as const
  const listed = plannedFor(plan, { bounds, isLatestFirst: true })
  const { items, total } = await listEvents(readContextOf(call), listed)
  // An event that ends in the first hours of a later day belongs to the day before.
  const events = isToday ? items : items.filter((event) => lastDayOf(event) >= from)
  return { from, events, total: total - (items.length - events.length) }
}

/** Returns all events of a list, ongoing ones first. */
export function eventsShown({ ongoing, events, page }: ListWithOngoing): readonly LinkedEvent[] {
  return ongoing && page === 1 ? [...ongoing.events, ...events] : events
}

/**
 * Returns the section of ongoing events, on the first page of a list. Canceled and postponed ones follow under their
 * own heading.
 */
export function ongoingSection(call: PageCall, { ongoing, page }: ListWithOngoing): Html | false {
  if (!ongoing || page > 1 || ongoing.events.length === 0) return false
  const { from, events } = ongoing
  const [held = [], off = []] = [false, true].map((isOffWanted) =>
    events.filter((event) => isOff(event) === isOffWanted),
  )
  return html`${held.length > 0 && goingSection(call, from === today(call) ? 'now' : 'started-earlier', { ...ongoing, events: held, total: ongoing.total - off.length })}
${off.length > 0 && goingSection(call, 'not-held', { from, events: off, total: off.length })}`
}

function goingSection(
  call: PageCall,
  title: 'now' | 'started-earlier' | 'not-held',
  { from, events, total }: OngoingEvents,
): Html {
  const { say } = call
  return html`<details class="going"><summary><h2>${say(title)}</h2> <span class="going-names">${[...new Set(events.map(cardTitle))].join(' · ')}</span> <span class="going-count">${total}</span></summary>
${eventRows(call, events, { when: (event) => untilElement(call, event), isHeaded: true, isBadged: true })}
${total > events.length && html`<p><a href="${pathOf(call, dayPath(call, from))}">${say('whole-day')}</a></p>`}
</details>`
}

/** Returns the end of an event. For an event that began long ago, its end matters most. */
function untilElement(call: PageCall, event: LinkedEvent): Html {
  const { say, textLanguage } = call
  const { end, endUtc, zone, isAllDay } = event
  const last = lastDayOf(event)
  const text = isSameDay(last, today(call))
    ? say('ends-today')
    : say('until', { date: dateText(textLanguage, 'dayRange', last) })
  const instant = isoWithOffset(end, offsetAt(endUtc, zone))
  return html`<time datetime="${isAllDay ? instant.slice(0, 10) : instant}">${text}</time>`
}
