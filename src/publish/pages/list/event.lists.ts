import { totalPages } from '../../../access/http/arguments/paging.ts'
import { listPreference } from '../../../base/languages/chain.ts'
import { isLanguageOf } from '../../../base/languages/language.ts'
import { type LocalDateTime, startOfDay } from '../../../base/time/local.date.time.ts'
import { isUtc, localDateTimeAt, utcZone } from '../../../base/time/zone.ts'
import { type IndexListPlan, planIndexList, replanned } from '../../../calendar/events/list/list.plan.ts'
import { listEvents } from '../../../calendar/events/list/list.repository.ts'
import type { EventQuery } from '../../../calendar/events/list/query.ts'
import { lastSecondOfDay } from '../../../calendar/events/list/window.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import type { TimeBound } from '../../../calendar/index/event.index.ts'
import { type PageCall, readContextOf } from '../frame/page.ts'

const eventsPerPage = 20

export type EventFilter = Partial<
  Pick<
    EventQuery,
    'search' | 'categoryIds' | 'tagIds' | 'venueIds' | 'organizerIds' | 'isFeatured' | 'hasPlace' | 'isNextOnly'
  >
>

export interface EventListPage {
  readonly events: readonly LinkedEvent[]
  readonly total: number
  readonly page: number
  readonly pages: number
  readonly isPast: boolean
}

/** Returns the start of the current day in the time zone of the site. */
export function today({ deps, now }: Pick<PageCall, 'deps' | 'now'>): LocalDateTime {
  return startOfDay(localDateTimeAt(now, deps.config.siteZone))
}

/** Returns bounds that select events that end today or later. The list stays the same all day. */
export function upcomingBounds(call: PageCall): readonly TimeBound[] {
  return [{ edge: 'end', operator: '>=', localDateTime: today(call) }]
}

/** Returns bounds that select events that overlap these days. */
export function boundsOfDays(from: LocalDateTime | undefined, to: LocalDateTime | undefined): readonly TimeBound[] {
  return [
    ...(from ? [{ edge: 'end', operator: '>=', localDateTime: from } as const] : []),
    ...(to ? [{ edge: 'start', operator: '<=', localDateTime: to } as const] : []),
  ]
}

/** Returns the last second of the current day, in UTC or in the time zone of the site: the earlier one. */
export function untilMidnight({ deps, now }: Pick<PageCall, 'deps' | 'now'>): number {
  return Math.min(...[utcZone, deps.config.siteZone].map((zone) => lastSecondOfDay(now, zone)))
}

/** Returns the page number of a query, or undefined if it is invalid. */
export function pageNumber({ query }: PageCall): number | undefined {
  const { page = '1' } = query
  return typeof page === 'string' && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : undefined
}

export function isPastRequested({ query }: PageCall): boolean {
  return query.past === '1'
}

/**
 * Returns the plan of a list with these filters, as visitors see it, without time bounds. A page may use one plan for
 * several lists of different times.
 */
export async function planFiltered(call: PageCall, eventFilter: EventFilter): Promise<IndexListPlan> {
  const { deps, language } = call
  const { config } = deps
  // If the site has no content in the language of the page, the list includes all languages.
  const listed = isLanguageOf(config, language) ? language : undefined
  const query: EventQuery = {
    ...{ page: 1, perPage: eventsPerPage, window: { bounds: [], isInUtc: isUtc(config.siteZone) } },
    status: undefined,
    preference: listPreference(listed, config, config.eventsFallback),
    ids: undefined,
    parentIds: undefined,
    hasTickets: undefined,
    eventStatuses: undefined,
    attendances: undefined,
    around: undefined,
    search: eventFilter.search,
    categoryIds: eventFilter.categoryIds,
    tagIds: eventFilter.tagIds,
    venueIds: eventFilter.venueIds,
    organizerIds: eventFilter.organizerIds,
    isFeatured: eventFilter.isFeatured,
    hasPlace: eventFilter.hasPlace ?? false,
    isNextOnly: eventFilter.isNextOnly ?? false,
  }
  return planIndexList(readContextOf(call), query)
}

/** Returns the same plan for other times. */
export function plannedFor(
  plan: IndexListPlan,
  { bounds, isLatestFirst = false, page = 1, perPage = eventsPerPage }: ListedTimes,
): IndexListPlan {
  return replanned(plan, { window: { ...plan.query.window, bounds }, isLatestFirst, page, perPage })
}

interface ListedTimes {
  readonly bounds: readonly TimeBound[]
  readonly isLatestFirst?: boolean
  readonly page?: number
  readonly perPage?: number
}

/**
 * Returns the events of a page of a list, nearest first. The query selects upcoming or past events.
 *
 * @param plan The filters of the list.
 * @param bounds The requested days, instead of all from today on.
 * @returns undefined if the page does not exist.
 */
export async function readEventList(
  call: PageCall,
  plan: IndexListPlan,
  bounds?: readonly TimeBound[],
): Promise<EventListPage | undefined> {
  const page = pageNumber(call)
  if (page === undefined) return undefined
  const isPast = bounds === undefined && isPastRequested(call)
  const past = [{ edge: 'end', operator: '<', localDateTime: today(call) }] as const
  const listed = { bounds: bounds ?? (isPast ? past : upcomingBounds(call)), isLatestFirst: isPast, page }
  const { items, total } = await listEvents(readContextOf(call), plannedFor(plan, listed))
  const pages = Math.max(1, totalPages(total, eventsPerPage))
  return page > pages ? undefined : { events: items, total, page, pages, isPast }
}
