import { totalPages } from '../../../access/http/paging.ts'
import { listPreference } from '../../../base/languages/chain.ts'
import { type LocalDateTime, startOfDay } from '../../../base/time/local.date.time.ts'
import { isUtc, localDateTimeAt, utcZone } from '../../../base/time/zone.ts'
import { listEvents } from '../../../calendar/events/event.list.repository.ts'
import type { EventQuery } from '../../../calendar/events/event.query.ts'
import type { LinkedEvent } from '../../../calendar/events/event.ts'
import { type Bound, type EventWindow, lastSecondOfDay } from '../../../calendar/events/event.window.ts'
import type { PageCall } from '../page.ts'

/** Events on one page of a list. */
export const eventsPerPage = 20

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

/** Which page of what events. */
interface VisitorPage {
  readonly page: number
  readonly perPage: number
  readonly eventFilter?: EventFilter
}

/** What a visitor is shown of the events in a window. */
export function visitorQuery(
  { deps: { config }, language }: PageCall,
  bounds: readonly Bound[],
  { page, perPage, eventFilter = {} }: VisitorPage,
): EventQuery {
  const window: EventWindow = { bounds, isInUtc: isUtc(config.siteZone), shown: {} }
  return {
    ...{ page, perPage, window },
    status: undefined,
    preference: listPreference(language, config, config.eventsFallback),
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
}

/** What ends today or later; so the list stays the same all day. */
export function upcomingBounds(call: PageCall): readonly Bound[] {
  return [{ edge: 'end', operator: '>=', localDateTime: today(call) }]
}

/** What has anything of these days in it. */
export function boundsOfDays(from: LocalDateTime | undefined, to: LocalDateTime | undefined): readonly Bound[] {
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
 * The events of a page that lists them, upcoming ones or past ones by its query, the nearest first.
 *
 * @param bounds The days asked for, in place of all from today on.
 * @returns undefined where there is no such page.
 */
export async function readEventList(
  call: PageCall,
  eventFilter: EventFilter,
  bounds?: readonly Bound[],
): Promise<EventListPage | undefined> {
  const page = pageNumber(call)
  if (page === undefined) return undefined
  const { db, dialect } = call.deps.storage
  const isPast = bounds === undefined && isPastRequested(call)
  const past = [{ edge: 'end', operator: '<', localDateTime: today(call) }] as const
  const asked = visitorQuery(call, bounds ?? (isPast ? past : upcomingBounds(call)), {
    page,
    perPage: eventsPerPage,
    eventFilter,
  })
  const { items, total } = await listEvents(db, dialect, call.viewer, { ...asked, isLatestFirst: isPast })
  const pages = Math.max(1, totalPages(total, eventsPerPage))
  return page > pages ? undefined : { events: items, total, page, pages, isPast }
}
