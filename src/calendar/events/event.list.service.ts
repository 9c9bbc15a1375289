import type { Values } from '../../access/http/argument.ts'
import { type Page, type PageRequest, totalPages } from '../../access/http/paging.ts'
import type { Answer, Call } from '../../access/http/route.ts'
import { listPreference } from '../../base/languages/chain.ts'
import { stopWordsOf } from '../../base/languages/language.ts'
import { indexedPreference } from '../../base/languages/preference.bits.ts'
import { fail, failParameter } from '../../base/problems.ts'
import { searchTerms } from '../../base/text/fold.ts'
import { utcZone } from '../../base/time/zone.ts'
import { viewerOf } from '../translations/viewer.ts'
import type { SearchArea } from './event.area.repository.ts'
import { listEventsByIds } from './event.ids.repository.ts'
import type { EventListArguments } from './event.list.arguments.ts'
import { type EventKey, listEventKeys, listEvents } from './event.list.repository.ts'
import { eventsOpenedByPassword } from './event.password.attempts.ts'
import { isPasswordOf } from './event.password.ts'
import type { EventQuery } from './event.query.ts'
import type { LinkedEvent } from './event.ts'
import { type EventWindow, lastSecondOfDay, windowOf } from './event.window.ts'

/** A request for a list of events, whatever it is to be answered with. */
export type ListCall = Call<Record<never, never>, EventListArguments>

/** A page of events, the dates it was asked for, and for how long the clock gives the same. */
export interface ListedEvents extends Page<LinkedEvent> {
  readonly window: EventWindow
  /** Whether the caller is shown the event without what its password protects (events.md §6). */
  readonly isMasked: (event: Pick<LinkedEvent, 'passwordDigest'>) => boolean
  readonly freshUntil: Pick<Answer, 'freshUntil'>
}

/** A page of events that are read as they are needed, however much they say. */
export interface EventKeyPage extends Page<EventKey>, Pick<ListedEvents, 'isMasked' | 'freshUntil'> {
  /** Events of the page by their ids: those that the caller may still read. An outline has neither texts nor picture. */
  read(ids: readonly number[], isOutline: boolean): Promise<readonly LinkedEvent[]>
}

const defaultRadiusKm = 40

/**
 * The events that were asked for, those that the caller may read.
 *
 * @throws event-archive-page-not-found; rest_too_many_requests; rest_invalid_param, where a coordinate stands alone
 */
export async function listRequestedEvents(call: ListCall, request: PageRequest): Promise<ListedEvents> {
  const { storage } = call.deps
  const query = queryOf(call, request)
  const { items, total } = await listEvents(storage.db, storage.dialect, viewerOf(call), query)
  return { items, ...pageContextOf(call, query, items, total) }
}

/**
 * The same events without what they say: which they are, and how they are read.
 *
 * @throws what `listRequestedEvents` throws
 */
export async function listRequestedEventKeys(call: ListCall, request: PageRequest): Promise<EventKeyPage> {
  const { storage } = call.deps
  const query = queryOf(call, request)
  const viewer = viewerOf(call)
  const { items, total } = await listEventKeys(storage.db, storage.dialect, viewer, query)
  const { status } = query
  return {
    items,
    ...pageContextOf(call, query, items, total),
    read: (ids, isOutline) => listEventsByIds(storage.db, storage.dialect, viewer, { ids, status, isOutline }),
  }
}

function queryOf(call: ListCall, request: PageRequest): EventQuery {
  const { deps, values } = call
  const { config } = deps
  const window = windowOf(values, {
    isStrict: values.strict_dates ?? false,
    hasInclude: values.include !== undefined,
    siteZone: config.siteZone,
    now: deps.now(),
  })
  return {
    ...request,
    window,
    status: values.status,
    preference: indexedPreference(
      listPreference(call.language, config, config.eventsFallback),
      deps.storage.preferences,
    ),
    search:
      values.search === undefined
        ? undefined
        : searchTerms(values.search, stopWordsOf(call.language ?? config.defaultLanguage)),
    categoryIds: values.categories,
    tagIds: values.tags,
    venueIds: values.venue,
    organizerIds: values.organizer,
    isFeatured: values.featured,
    ids: values.include,
    parentIds: values.post_parent,
    hasTickets: values.ticketed,
    hasPlace: values.geoloc ?? false,
    around: searchAreaOf(values),
  }
}

/** An event that may have a password. */
type MaybeProtected = Pick<LinkedEvent, 'passwordDigest'>

/** What is known of a page beside its events. */
function pageContextOf(
  call: ListCall,
  { page, perPage, window }: EventQuery,
  items: readonly MaybeProtected[],
  total: number,
) {
  if (page > 1 && page > totalPages(total, perPage)) fail('event-archive-page-not-found')
  const guarded = items.filter(({ passwordDigest }) => passwordDigest !== undefined)
  // Contract: the password of the list request is tried on each protected event (events.md §6).
  const opened = eventsOpenedByPassword(call, call.values.password, guarded, opensEvent)
  const digests = new Set([...opened].map(({ passwordDigest }) => passwordDigest))
  const isMasked = ({ passwordDigest }: MaybeProtected) => passwordDigest !== undefined && !digests.has(passwordDigest)
  return { total, window, isMasked, freshUntil: freshnessOf(call, window) }
}

/** A date that is the same one tomorrow. */
const fixedDate = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?(?:Z|[+-]\d\d:?\d\d)?$/

/**
 * How long the clock gives the same window: for ever where it was named, and the default one, which is of whole days,
 * until one of the two clocks behind it begins a new day.
 */
function freshnessOf({ deps, values, sent }: ListCall, window: EventWindow): Pick<Answer, 'freshUntil'> {
  const names = Object.keys(window.shown)
  const isDefault = names.some((name) => sent[name] === undefined)
  const isFixed = names.every((name) => sent[name] === undefined || fixedDate.test(String(sent[name])))
  if (!isFixed || (isDefault && values.strict_dates)) return {}
  if (!isDefault) return { freshUntil: Number.POSITIVE_INFINITY }
  const now = deps.now()
  return { freshUntil: Math.min(...[utcZone, deps.config.siteZone].map((zone) => lastSecondOfDay(now, zone))) }
}

function opensEvent({ passwordDigest }: MaybeProtected, password: string): boolean {
  return passwordDigest !== undefined && isPasswordOf(passwordDigest, password)
}

/** The point to look around, where `geoloc` asks for it. A coordinate without the other is refused. */
function searchAreaOf(values: Values<EventListArguments>): SearchArea | undefined {
  const { geoloc, geoloc_lat: latitude, geoloc_lng: longitude, geoloc_radius: radiusKm = defaultRadiusKm } = values
  if (latitude === undefined && longitude === undefined) return undefined
  if (latitude === undefined) return failParameter('geoloc_lng', 'fault.coordinates')
  if (longitude === undefined) return failParameter('geoloc_lat', 'fault.coordinates')
  return geoloc ? { latitude, longitude, radiusKm } : undefined
}
