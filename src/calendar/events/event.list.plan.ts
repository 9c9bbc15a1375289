import { matchesNothing } from '../../base/text/fold.ts'
import type { IndexQuery } from '../index/event.index.ts'
import { facetFilters } from '../index/facets.repository.ts'
import { indexedPreference } from '../index/index.languages.repository.ts'
import { searchIndexOf } from '../search/search.engine.ts'
import type { SearchQuery } from '../search/search.index.ts'
import { lookUpWords } from '../search/search.words.ts'
import type { ReadContext } from '../translations/viewer.ts'
import type { EventQuery } from './event.query.ts'

/** A piece that occurs in more words than this is searched in the texts instead. */
const maxWords = 1000

/** A list that is read from the events themselves: for editors, and for a few named events. */
export interface RecordListPlan {
  readonly readFrom: 'records'
  readonly query: EventQuery
}

/** A list for visitors, read from the event index or the search index. */
export interface IndexListPlan {
  readonly readFrom: 'index'
  readonly query: EventQuery
  /** The query to the index: filters as facets, and the words of the search, all looked up. */
  readonly index: SearchQuery
  /** Conditions that the index cannot answer, if any. They are tested on each event that the index finds. */
  readonly remaining: EventQuery | undefined
  /** Whether the plan already knows that the list is empty. */
  readonly isEmpty: boolean
}

/** A list with every value looked up that its SQL depends on. Repositories render it to list, count or group events. */
export type EventListPlan = RecordListPlan | IndexListPlan

/** Plans a list for any caller. */
export async function planEventList(context: ReadContext, query: EventQuery): Promise<EventListPlan> {
  // A few named events are found by their ids. The index contains everything else that is public.
  const isInIndex = context.viewer.actor.kind === 'visitor' && query.ids === undefined && query.parentIds === undefined
  return isInIndex ? planIndexList(context, query) : { readFrom: 'records', query }
}

/** Plans a list of the events that visitors may see. */
export async function planIndexList(
  { db, dialect }: Pick<ReadContext, 'db' | 'dialect'>,
  query: EventQuery,
): Promise<IndexListPlan> {
  const { search, window, preference, isLatestFirst = false, page, perPage } = query
  const findWords = (piece: string) => searchIndexOf(dialect).wordsWith(db, piece, maxWords)
  const words = search && (await lookUpWords(search, findWords))
  // If the answer of the search index is exact, the texts are not searched again.
  const rest = words?.isExact ? { ...query, search: undefined } : query
  const remaining = needsEventConditions(rest) ? rest : undefined
  const indexed = await indexedPreference(db, preference)
  const facets = await facetFilters({ db, dialect }, query)
  return {
    readFrom: 'index',
    query,
    index: {
      window,
      preference: indexed,
      isLatestFirst,
      page,
      perPage,
      facets,
      words,
      isComplete: remaining === undefined,
    },
    remaining,
    isEmpty: rest.search !== undefined && matchesNothing(rest.search),
  }
}

/** Returns the plan for other times, another order or another page. It repeats no lookup. */
export function replanned(
  plan: IndexListPlan,
  changes: Pick<IndexQuery, 'window' | 'isLatestFirst' | 'page' | 'perPage'>,
): IndexListPlan {
  const { query, index, remaining } = plan
  return {
    ...plan,
    query: { ...query, ...changes },
    index: { ...index, ...changes },
    remaining: remaining && { ...remaining, ...changes },
  }
}

/** Whether the query has conditions on values that the event index does not contain. */
function needsEventConditions({ search, isFeatured, parentIds, hasTickets, hasPlace }: EventQuery): boolean {
  return Boolean(search || isFeatured === false || parentIds || hasTickets !== undefined || hasPlace)
}
