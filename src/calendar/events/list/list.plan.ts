import { visitor } from '../../../access/auth/actor.ts'
import { mayEditOthers } from '../../../access/auth/policy.ts'
import { matchesNothing } from '../../../base/text/fold.ts'
import { type EntryCondition, FACETS, type FacetFilter, type TimeWindow } from '../../index/event.index.ts'
import { hasFacets } from '../../index/index.entries.repository.ts'
import { indexedPreference } from '../../index/index.languages.repository.ts'
import { matchesSearch } from '../../search/search.find.repository.ts'
import { listGroupIds } from '../../translations/group.repository.ts'
import type { ReadContext } from '../../translations/viewer.ts'
import { filtersByProtected } from './conditions.repository.ts'
import { hasPlace, isModified, isNothing, isWithoutLanguage, isWithoutVenue } from './filters.repository.ts'
import type { EventQuery } from './query.ts'
import { isShown } from './shown.repository.ts'
import { stateFacetFilters } from './state.filters.ts'

/** A list of a few named events, which is read from the events themselves. */
export interface RecordListPlan {
  readonly readFrom: 'records'
  readonly query: EventQuery
}

export interface IndexListPlan {
  readonly readFrom: 'index'
  readonly query: EventQuery
  /** The events that the list shows to the caller, if no filter leaves them out. */
  readonly isShown: EntryCondition
  readonly filters: readonly EntryCondition[]
}

/** A list with every value looked up that it depends on. Repositories use it to list, count or group events. */
export type EventListPlan = RecordListPlan | IndexListPlan

export async function planEventList(context: ReadContext, query: EventQuery): Promise<EventListPlan> {
  // A few named events are found by their ids.
  if (query.ids !== undefined || query.parentIds !== undefined) return { readFrom: 'records', query }
  return planFor(context, query)
}

/** Plans a list of the events that visitors may see. */
export async function planIndexList(context: ReadContext, query: EventQuery): Promise<IndexListPlan> {
  return planFor({ ...context, viewer: { ...context.viewer, actor: visitor } }, query)
}

async function planFor(context: ReadContext, query: EventQuery): Promise<IndexListPlan> {
  return {
    readFrom: 'index',
    query,
    isShown: await shownAs(context, query, query.status),
    filters: await filtersOf(context, query),
  }
}

/** Returns the condition of the events with a status that a list shows to the caller. */
export async function shownAs(
  { db, viewer: { actor } }: ReadContext,
  query: EventQuery,
  status: EventQuery['status'],
): Promise<EntryCondition> {
  return isShown(actor, {
    status,
    preference: await indexedPreference(db, query.preference),
    isOfUnmasked: filtersByProtected(query),
    // Contract: visitors do not find protected events by their words, even with a password.
    isOfUnprotected: actor.kind === 'visitor' && query.search !== undefined,
  })
}

async function filtersOf(context: ReadContext, query: EventQuery): Promise<readonly EntryCondition[]> {
  const { dialect, viewer } = context
  const { search, modified, withoutLanguage } = query
  const byFacet = [
    ...(await linkFilters(context, query)),
    ...seriesFilters(query),
    ...valueFilters(query),
    ...stateFacetFilters(query),
  ]
  return [
    ...byFacet.map((filter) => hasFacets(filter, dialect)),
    ...(search === undefined ? [] : [matchesNothing(search) ? isNothing : matchesSearch(context, search)]),
    ...(modified ? [isModified(modified)] : []),
    ...(query.hasPlace ? [hasPlace(context, query.around)] : []),
    ...(withoutLanguage === undefined ? [] : [isWithoutLanguage(withoutLanguage, mayEditOthers(viewer.actor))]),
    ...(query.hasNoVenue ? [isWithoutVenue] : []),
  ]
}

/** Returns the filters by links. Translations of each other count as one, by the id of their group. */
export async function linkFilters(
  { db }: Pick<ReadContext, 'db'>,
  {
    venueIds,
    organizerIds,
    tagIds,
    categoryIds,
  }: Pick<EventQuery, 'venueIds' | 'organizerIds' | 'tagIds' | 'categoryIds'>,
): Promise<readonly FacetFilter[]> {
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

/** Returns the filters by series, each of which has a facet of its dates. */
function seriesFilters({ seriesIds, parentSeriesId }: EventQuery): readonly FacetFilter[] {
  const asked = [seriesIds, parentSeriesId === undefined ? undefined : [parentSeriesId]]
  return asked.flatMap((ids) => (ids ? [{ facets: ids.map(FACETS.series) }] : []))
}

export function valueFilters({
  isFeatured,
  hasTickets,
}: Pick<EventQuery, 'isFeatured' | 'hasTickets'>): readonly FacetFilter[] {
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
