import { totalPages } from '../../../access/http/paging.ts'
import { listPreference } from '../../../base/languages/chain.ts'
import { isLanguageOf } from '../../../base/languages/language.ts'
import { type LocalDateTime, startOfDay } from '../../../base/time/local.date.time.ts'
import { isUtc, localDateTimeAt, utcZone } from '../../../base/time/zone.ts'
import { type IndexListPlan, planIndexList, replanned } from '../../../calendar/events/event.list.plan.ts'
import { listEvents } from '../../../calendar/events/event.list.repository.ts'
import type { EventQuery } from '../../../calendar/events/event.query.ts'
import type { LinkedEvent } from '../../../calendar/events/event.ts'
import { lastSecondOfDay } from '../../../calendar/events/event.window.ts'
import type { TimeBound } from '../../../calendar/index/event.index.ts'
import { type PageCall, readContextOf } from '../page.ts'

/** Events on one page of a list. */
const eventsPerPage = 20

/** What narrows a list of events. */
export type EventFilter = Partial<
  Pick<EventQuery, 'search' | 'categoryIds' | 'tagIds' | 'venueIds' | 'organizerIds' | 'isFeatured' | 'hasPlace'>
>

/** One page of a list. */
export interface EventListPage {
  readonly events: readonly LinkedEvent[]
  readonly total: number
  readonly page: number
  readonly pages: number
  readonly isPast: boolean
}

/** Beginning of the day that it is on the site. */
export function today({ deps, now }: Pick<PageCall, 'deps' | 'now'>): LocalDateTime {
  return startOfDay(localDateTimeAt(now, deps.config.siteZone))
}

/** What ends today or later; so the list stays the same all day. */
export function upcomingBounds(call: PageCall): readonly TimeBound[] {
  return [{ edge: 'end', operator: '>=', localDateTime: today(call) }]
}

/** What has anything of these days in it. */
export function boundsOfDays(from: LocalDateTime | undefined, to: LocalDateTime | undefined): readonly TimeBound[] {
  return [
    ...(from ? [{ edge: 'end', operator: '>=', localDateTime: from } as const] : []),
    ...(to ? [{ edge: 'start', operator: '<=', localDateTime: to } as const] : []),
  ]
}

/** The last second at which it is the same day on the site. */
export function untilMidnight({ deps, now }: Pick<PageCall, 'deps' | 'now'>): number {
  return Math.min(...[utcZone, deps.config.siteZone].map((zone) => lastSecondOfDay(now, zone)))
}

/** The number of a page in a query; undefined where it is none. */
function pageNumber({ query }: PageCall): number | undefined {
  const { page = '1' } = query
  return typeof page === 'string' && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : undefined
}

export function isPastRequested({ query }: PageCall): boolean {
  return query.past === '1'
}

/**
 * What visitors are shown by these filters, with everything looked up that a list by them needs: a page may read several
 * lists of other times. Without bounds.
 */
export async function planFiltered(call: PageCall, eventFilter: EventFilter): Promise<IndexListPlan> {
  const { deps, language } = call
  const { config } = deps
  // Where the site has nothing in the language of the page, readers are shown what there is.
  const listed = isLanguageOf(config, language) ? language : undefined
  const query: EventQuery = {
    ...{ page: 1, perPage: eventsPerPage, window: { bounds: [], isInUtc: isUtc(config.siteZone) } },
    status: undefined,
    preference: listPreference(listed, config, config.eventsFallback),
    ids: undefined,
    parentIds: undefined,
    hasTickets: undefined,
    around: undefined,
    search: eventFilter.search,
    categoryIds: eventFilter.categoryIds,
    tagIds: eventFilter.tagIds,
    venueIds: eventFilter.venueIds,
    organizerIds: eventFilter.organizerIds,
    isFeatured: eventFilter.isFeatured,
    hasPlace: eventFilter.hasPlace ?? false,
  }
  return planIndexList(readContextOf(call), query)
}

/** The same filters for these times. */
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
 * The events of a page that lists them, upcoming ones or past ones by its query, the nearest first.
 *
 * @param plan The filters of the list.
 * @param bounds The days asked for, in place of all from today on.
 * @returns undefined where there is no such page.
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
