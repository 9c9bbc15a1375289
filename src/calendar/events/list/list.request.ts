import type { ArgumentValues } from '../../../access/http/arguments/argument.ts'
import type { PageRequest } from '../../../access/http/arguments/paging.ts'
import type { Call } from '../../../access/http/call.ts'
import type { EndpointResult } from '../../../access/http/route.ts'
import { listPreference } from '../../../base/languages/chain.ts'
import { stopWordsOf } from '../../../base/languages/language.ts'
import { failParameter } from '../../../base/problems.ts'
import { searchTerms } from '../../../base/text/fold.ts'
import { utcZone } from '../../../base/time/zone.ts'
import { fixedDate, modifiedRangeOf } from '../../records/record.modified.repository.ts'
import { viewerOf } from '../../translations/viewer.ts'
import type { SearchArea } from './area.repository.ts'
import type { EventListArguments } from './list.arguments.ts'
import type { EventListReader } from './list.service.ts'
import { orderFrom } from './order.ts'
import type { EventQuery } from './query.ts'
import { type EventWindow, lastSecondOfDay, windowOf } from './window.ts'

/** A request for a list of events, in any response format. */
export type ListCall = Call<Record<never, never>, EventListArguments>

/** The part of it that the query depends on. */
export type QueryCall = Pick<ListCall, 'deps' | 'actor' | 'client' | 'language' | 'values' | 'sent'>

/** The query of a request, in terms of the calendar. */
export interface EventListRequest {
  readonly reader: EventListReader
  readonly query: EventQuery
  readonly window: EventWindow
  /** The time until which the clock does not change the list. */
  readonly freshUntil: Pick<EndpointResult, 'freshUntil'>
}

const defaultRadiusKm = 40

/**
 * Reads a request for a list of events.
 *
 * @throws rest_invalid_param, if one coordinate is sent without the other
 */
export function eventListRequest(call: QueryCall, { page, perPage }: PageRequest): EventListRequest {
  const { deps, values, client } = call
  const { config } = deps
  const window = windowOf(values, {
    isStrict: values.strict_dates ?? false,
    hasInclude: values.include !== undefined,
    siteZone: config.siteZone,
    now: deps.now(),
  })
  const query: EventQuery = {
    ...{ page, perPage, window },
    status: values.status,
    preference: listPreference(call.language, config, config.eventsFallback),
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
    ...parentOf(values),
    seriesIds: values.series,
    isNextOnly: values.occurrences === 'next',
    hasTickets: values.ticketed,
    eventStatuses: values.event_status,
    attendances: values.attendance,
    hasPlace: values.geoloc ?? false,
    around: searchAreaOf(values),
    modified: modifiedRangeOf(values, deps.now),
    ...orderFrom(values),
  }
  const reader = { deps, client, viewer: viewerOf(call), password: values.password }
  return { reader, query, window, freshUntil: freshnessOf(call, window) }
}

/** The day at a time counted from now. */
const relativeDay = /^([+-]\d{1,4}) hours$/

/**
 * Returns how long the window stays the same. A named window never changes. The default window consists of whole days:
 * it stays the same until a new day begins in UTC or in the local time of the site. So does the day at a time counted from
 * now, until a new day begins at that time.
 */
function freshnessOf({ deps, values, sent }: QueryCall, window: EventWindow): Pick<EndpointResult, 'freshUntil'> {
  const names = Object.keys(window.shown)
  const isDefault = names.some((name) => sent[name] === undefined)
  const isFixed = (name: string) => sent[name] === undefined || fixedDate.test(String(sent[name]))
  if (!['modified_after', 'modified_before'].every(isFixed)) return {}
  if (!isDefault && names.every(isFixed)) return { freshUntil: Number.POSITIVE_INFINITY }
  const relative = names.filter((name) => !isFixed(name)).map((name) => relativeDay.exec(String(sent[name])))
  if (relative.includes(null) || values.strict_dates) return {}
  const now = deps.now()
  const days = isDefault ? [utcZone, deps.config.siteZone].map((zone) => lastSecondOfDay(now, zone)) : []
  const others = relative.map((found) => {
    const shift = Number(found?.[1]) * 3600
    return lastSecondOfDay(now + shift, utcZone) - shift
  })
  return { freshUntil: Math.min(...days, ...others) }
}

function parentOf({
  post_parent: parent,
}: ArgumentValues<EventListArguments>): Pick<EventQuery, 'parentIds' | 'parentSeriesId'> {
  if (parent === undefined) return { parentIds: undefined }
  return 'seriesId' in parent
    ? { parentIds: undefined, parentSeriesId: parent.seriesId }
    : { parentIds: parent.eventIds }
}

/** Returns the point of a `geoloc` search. Rejects one coordinate without the other. */
function searchAreaOf(values: ArgumentValues<EventListArguments>): SearchArea | undefined {
  const { geoloc, geoloc_lat: latitude, geoloc_lng: longitude, geoloc_radius: radiusKm = defaultRadiusKm } = values
  if (latitude === undefined && longitude === undefined) return undefined
  if (latitude === undefined) return failParameter('geoloc_lng', 'fault.coordinates')
  if (longitude === undefined) return failParameter('geoloc_lat', 'fault.coordinates')
  return geoloc ? { latitude, longitude, radiusKm } : undefined
}
