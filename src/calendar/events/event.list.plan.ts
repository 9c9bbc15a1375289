import { visitor } from '../../access/auth/actor.ts'
import { mayEditOthers } from '../../access/auth/policy.ts'
import { matchesNothing } from '../../base/text/fold.ts'
import { FACETS, type TimeWindow } from '../index/event.index.ts'
import { indexedPreference } from '../index/index.languages.repository.ts'
import type { SetFilter } from '../index/set.selection.ts'
import { type EventSearch, eventSearch } from '../search/search.find.repository.ts'
import { listGroupIds } from '../translations/group.repository.ts'
import type { ReadContext } from '../translations/viewer.ts'
import { filtersByProtected } from './event.conditions.repository.ts'
import { placeFilter } from './event.places.repository.ts'
import type { EventQuery } from './event.query.ts'
import {
  isWithoutLanguage,
  isWithoutVenue,
  onlyOfClasses,
  onlyWithVenue,
  type ShownEvents,
  shownEvents,
} from './event.shown.repository.ts'
import { stateSetFilters } from './event.state.filters.ts'

/** A list of a few named events, which is read from the events themselves. */
export interface RecordListPlan {
  readonly readFrom: 'records'
  readonly query: EventQuery
}

/** A list that is read from the event index. */
export interface IndexListPlan {
  readonly readFrom: 'index'
  readonly query: EventQuery
  /** The events that the list shows to the caller, if no filter leaves them out. */
  readonly shown: ShownEvents
  /** Leaves out of other events what the filters by class leave out. */
  readonly narrow: (shown: ShownEvents) => ShownEvents
  readonly filters: readonly SetFilter[]
  readonly search: EventSearch | undefined
  /** Other limits for lists of the next dates of series, in tests. */
  readonly nextLimits?: NextLimits
  /** Another number of long events whose times are compared one by one, in tests. */
  readonly mostLongCompared?: number
  /** Another number of events of a search that are looked up one by one, in tests. */
  readonly mostLookedUp?: number
  /** Another number of sets from which all their segments are read, in tests. */
  readonly fewSets?: number
  /** Whether the plan already knows that the list is empty. */
  readonly isEmpty: boolean
}

/** Where lists of the next dates of series take another way, which is faster from there. */
export interface NextLimits {
  /** Up to this number of dates, the series of each is looked up. */
  readonly mostLookedUp: number
  /** After this number of events, the daily counts find a page. */
  readonly mostSkipped: number
  /** Up to this number of dates, a range of the event index is always read. */
  readonly mostWalked: number
  /** The number of other events, for each date, from which a range is read too. */
  readonly fewOthers: number
}

/** A list with every value looked up that it depends on. Repositories use it to list, count or group events. */
export type EventListPlan = RecordListPlan | IndexListPlan

/**
 * Plans a list for any caller.
 *
 * @param mostPlaces Another limit for the venues that a filter by place combines, in tests.
 */
export async function planEventList(
  context: ReadContext,
  query: EventQuery,
  mostPlaces?: number,
): Promise<EventListPlan> {
  // A few named events are found by their ids.
  if (query.ids !== undefined || query.parentIds !== undefined) return { readFrom: 'records', query }
  return planWith(context, query, await lookUpLimits(context, query, mostPlaces))
}

/** Plans a list of the events that visitors may see. */
export async function planIndexList(context: ReadContext, query: EventQuery): Promise<IndexListPlan> {
  return planFor({ ...context, viewer: { ...context.viewer, actor: visitor } }, query)
}

/**
 * Plans the same list for several statuses, by name. What does not depend on the status is looked up once, and searched
 * once.
 */
export async function planForStatuses<Name>(
  context: ReadContext,
  query: EventQuery,
  statuses: readonly (readonly [Name, EventQuery['status']])[],
): Promise<readonly (readonly [Name, IndexListPlan])[]> {
  const limits = await lookUpLimits(context, query)
  return Promise.all(
    statuses.map(async ([name, status]) => [name, await planWith(context, { ...query, status }, limits)] as const),
  )
}

async function planFor(context: ReadContext, query: EventQuery): Promise<IndexListPlan> {
  return planWith(context, query, await lookUpLimits(context, query))
}

/** The part of a plan that does not depend on the status. */
type Limits = Pick<IndexListPlan, 'narrow' | 'filters' | 'search' | 'isEmpty'>

async function lookUpLimits(context: ReadContext, query: EventQuery, mostPlaces?: number): Promise<Limits> {
  const { search } = query
  const place = query.hasPlace ? await placeFilter(context, query.around, mostPlaces) : undefined
  return {
    narrow: await classFilter(context, query, place?.needsVenue ?? false),
    filters: [
      ...(await linkFilters(context, query)),
      ...seriesFilters(query),
      ...valueFilters(query),
      ...stateSetFilters(query),
      ...(place ? [place.filter] : []),
    ],
    search: search && eventSearch(search),
    isEmpty: search !== undefined && matchesNothing(search),
  }
}

async function planWith(context: ReadContext, query: EventQuery, limits: Limits): Promise<IndexListPlan> {
  const { db, viewer } = context
  const shown = await shownEvents(context, {
    status: query.status,
    preference: await indexedPreference(db, query.preference),
    isOfUnmasked: filtersByProtected(query),
    // Contract: visitors do not find protected events by their words, even with a password.
    isOfUnprotected: viewer.actor.kind === 'visitor' && query.search !== undefined,
  })
  const filters = [...limits.filters, ...(isOfFew(query) ? [{ facets: [FACETS.all] }] : [])]
  return { readFrom: 'index', query, ...limits, filters, shown: limits.narrow(shown) }
}

/**
 * Whether a list may show few of the events of its days. Their sets are read then: a range of the event index would be
 * read to its end, because it has the events of all classes.
 */
function isOfFew({ status, withoutLanguage, hasNoVenue }: EventQuery): boolean {
  return (Array.isArray(status) && !status.includes('publish')) || withoutLanguage !== undefined || hasNoVenue === true
}

/** Returns the filter by what the class of an event tells. */
async function classFilter(
  { db, viewer: { actor } }: ReadContext,
  { withoutLanguage, hasNoVenue }: EventQuery,
  needsVenue: boolean,
): Promise<IndexListPlan['narrow']> {
  // Others do not learn of translations that are not public.
  const counts = (status: string) => (mayEditOthers(actor) ? status !== 'trash' : status === 'publish')
  const conditions = [
    ...(withoutLanguage ? [await isWithoutLanguage(db, withoutLanguage, counts)] : []),
    ...(hasNoVenue ? [isWithoutVenue] : []),
  ]
  return (shown) => conditions.reduce(onlyOfClasses, needsVenue ? onlyWithVenue(shown) : shown)
}

/** Returns the filters by links. Translations of each other count as one, by the id of their group. */
export async function linkFilters(
  { db }: ReadContext,
  {
    venueIds,
    organizerIds,
    tagIds,
    categoryIds,
  }: Pick<EventQuery, 'venueIds' | 'organizerIds' | 'tagIds' | 'categoryIds'>,
): Promise<readonly SetFilter[]> {
  const filterBy = async (table: 'records' | 'terms', ids: readonly number[] | undefined) =>
    ids && {
      facets: (await listGroupIds(db, { table, ids })).map(table === 'terms' ? FACETS.term : FACETS.place),
    }
  const filters = [
    await filterBy('records', venueIds),
    await filterBy('records', organizerIds),
    await filterBy('terms', tagIds),
    await filterBy('terms', categoryIds),
  ]
  return filters.filter((filter) => filter !== undefined)
}

/** Returns the filters by series, each of which has a set of its dates. */
function seriesFilters({ seriesIds, parentSeriesId }: EventQuery): readonly SetFilter[] {
  const asked = [seriesIds, parentSeriesId === undefined ? undefined : [parentSeriesId]]
  return asked.flatMap((ids) => (ids ? [{ facets: ids.map(FACETS.series) }] : []))
}

/** Returns the filters by values of events. */
export function valueFilters({
  isFeatured,
  hasTickets,
}: Pick<EventQuery, 'isFeatured' | 'hasTickets'>): readonly SetFilter[] {
  return [
    ...(isFeatured === undefined ? [] : [{ facets: [FACETS.featured], isWithout: !isFeatured }]),
    ...(hasTickets === undefined ? [] : [{ facets: [FACETS.ticketed], isWithout: !hasTickets }]),
  ]
}

/** The times, the order and the page of a list. */
type ListedPart = Pick<EventQuery, 'page' | 'perPage'> & {
  readonly window: TimeWindow
  readonly isLatestFirst: boolean
}

/** Returns the plan for other times, another order or another page. It repeats no lookup. */
export function replanned(plan: IndexListPlan, changes: ListedPart): IndexListPlan {
  return { ...plan, query: { ...plan.query, ...changes } }
}
