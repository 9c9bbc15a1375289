import { matchesNothing } from '../../base/text/fold.ts'
import type { IndexQuery } from '../index/event.index.ts'
import { facetFilters } from '../index/facets.repository.ts'
import { indexedPreference } from '../index/index.languages.repository.ts'
import { searchIndexOf } from '../search/search.engine.ts'
import type { SearchQuery } from '../search/search.index.ts'
import { lookUpWords } from '../search/search.words.ts'
import type { ReadContext } from '../translations/viewer.ts'
import type { EventQuery } from './event.query.ts'

/** What contains a piece that stands in more words than this is looked for in the texts themselves. */
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
  /** What the index is asked for: filters as facets, and the words of the search, all looked up. */
  readonly index: SearchQuery
  /** What the index does not answer, if anything: these conditions are asked of each event that it finds. */
  readonly remaining: EventQuery | undefined
  /** Whether it is known beforehand that nothing is found. */
  readonly isEmpty: boolean
}

/** A list with everything looked up that its SQL depends on. Repositories render it, whether they list, count or group. */
export type EventListPlan = RecordListPlan | IndexListPlan

/** Plans a list for whoever asks for it. */
export async function planEventList(context: ReadContext, query: EventQuery): Promise<EventListPlan> {
  // A few named events are found by their ids; all else that is for everybody is in the index.
  const isInIndex = context.viewer.actor.kind === 'visitor' && query.ids === undefined && query.parentIds === undefined
  return isInIndex ? planIndexList(context, query) : { readFrom: 'records', query }
}

/** Plans a list of what visitors are shown. */
export async function planIndexList(
  { db, dialect }: Pick<ReadContext, 'db' | 'dialect'>,
  query: EventQuery,
): Promise<IndexListPlan> {
  const { search, window, preference, isLatestFirst = false, page, perPage } = query
  const findWords = (piece: string) => searchIndexOf(dialect).wordsWith(db, piece, maxWords)
  const words = search && (await lookUpWords(search, findWords))
  // What the search index answers exactly is not asked of the texts again.
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

/** The same list for other times, in another order or another page of it. Nothing is looked up again. */
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

/** Whether the query asks for anything that the event index does not hold. */
function needsEventConditions({ search, isFeatured, parentIds, hasTickets, hasPlace }: EventQuery): boolean {
  return Boolean(search || isFeatured === false || parentIds || hasTickets !== undefined || hasPlace)
}
