import { totalPages } from '../../../access/http/paging.ts'
import { listPreference } from '../../../base/languages/chain.ts'
import { startOfDay, type Wall } from '../../../base/time/wall.ts'
import { isSameClockAsUtc, utcZone, wallAt } from '../../../base/time/zone.ts'
import { listEvents } from '../../../calendar/events/event.list.repository.ts'
import type { EventQuery } from '../../../calendar/events/event.query.ts'
import type { LinkedEvent } from '../../../calendar/events/event.ts'
import { type Bound, type EventWindow, lastSecondOfDay } from '../../../calendar/events/event.window.ts'
import type { PageCall } from '../page.ts'

/** Events on one page of a list. */
export const eventsPerPage = 20

/** What narrows a list of events. */
export type Narrowing = Partial<
  Pick<EventQuery, 'search' | 'categoryIds' | 'tagIds' | 'venueIds' | 'organizerIds' | 'isFeatured' | 'hasPlace'>
>

/** One page of a list. */
export interface EventList {
  readonly events: readonly LinkedEvent[]
  readonly total: number
  readonly page: number
  readonly pages: number
  readonly isPast: boolean
}

/** Beginning of the day that it is on the site. */
export function today({ deps, now }: Pick<PageCall, 'deps' | 'now'>): Wall {
  return startOfDay(wallAt(now, deps.config.siteZone))
}

/** What a visitor is shown of the events in a window. */
export function visitorQuery(
  { deps: { config }, language }: PageCall,
  bounds: readonly Bound[],
  { page, perPage }: { readonly page: number; readonly perPage: number },
  narrowing: Narrowing = {},
): EventQuery {
  const window: EventWindow = { bounds, isInUtc: isSameClockAsUtc(config.siteZone), shown: {} }
  return {
    ...{ page, perPage, window },
    status: undefined,
    preference: listPreference(language, config, config.eventsFallback),
    ids: undefined,
    parentIds: undefined,
    hasTickets: undefined,
    around: undefined,
    search: narrowing.search,
    categoryIds: narrowing.categoryIds,
    tagIds: narrowing.tagIds,
    venueIds: narrowing.venueIds,
    organizerIds: narrowing.organizerIds,
    isFeatured: narrowing.isFeatured,
    hasPlace: narrowing.hasPlace ?? false,
  }
}

/** What ends today or later; so the list stays the same all day. */
export function upcomingBounds(call: PageCall): readonly Bound[] {
  return [{ edge: 'end', operator: '>=', wall: today(call) }]
}

/** What has anything of these days in it. */
export function boundsOfDays(from: Wall | undefined, to: Wall | undefined): readonly Bound[] {
  return [
    ...(from ? [{ edge: 'end', operator: '>=', wall: from } as const] : []),
    ...(to ? [{ edge: 'start', operator: '<=', wall: to } as const] : []),
  ]
}

/** The last second at which it is the same day on the site. */
export function untilMidnight({ deps, now }: Pick<PageCall, 'deps' | 'now'>): number {
  return Math.min(...[utcZone, deps.config.siteZone].map((zone) => lastSecondOfDay(now, zone)))
}

/** The number of a page in a query; undefined where it is none. */
export function pageNumber({ query }: PageCall): number | undefined {
  const { page = '1' } = query
  return typeof page === 'string' && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : undefined
}

export function isPastAsked({ query }: PageCall): boolean {
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
  narrowing: Narrowing,
  bounds?: readonly Bound[],
): Promise<EventList | undefined> {
  const page = pageNumber(call)
  if (page === undefined) return undefined
  const { db, dialect } = call.deps.storage
  const isPast = bounds === undefined && isPastAsked(call)
  const past = [{ edge: 'end', operator: '<', wall: today(call) }] as const
  const asked = visitorQuery(
    call,
    bounds ?? (isPast ? past : upcomingBounds(call)),
    { page, perPage: eventsPerPage },
    narrowing,
  )
  const { items, total } = await listEvents(db, dialect, call.viewer, { ...asked, isLatestFirst: isPast })
  const pages = Math.max(1, totalPages(total, eventsPerPage))
  return page > pages ? undefined : { events: items, total, page, pages, isPast }
}
