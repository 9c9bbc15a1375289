import { atOnce, inTurns } from '../../base/concurrency/turns.ts'
import type { SearchTerms } from '../../base/text/fold.ts'
import { IdSet } from '../index/id.set.ts'
import { EventLists } from './search.documents.ts'
import { readEvents } from './search.events.repository.ts'
import { findDocuments, type Pace } from './search.find.documents.ts'
import { readNumbers, type SearchReading } from './search.rows.repository.ts'
import { type DictionaryPart, readDictionary, type SearchedDays } from './search.state.repository.ts'
import { tokensOfTerms, wholeTokens } from './search.terms.ts'
import { SearchWork } from './search.work.ts'

/** The events that a search finds on some days. */
export interface FoundEvents {
  /** Undefined: all events, except the others. */
  readonly among: IdSet | undefined
  readonly except: IdSet
}

/** A search for the lists of one answer. Lists of different days share what the same part of the index has. */
export interface EventSearch extends SearchLimits {
  readonly terms: SearchTerms
  /** By the part of the index. */
  readonly found: Map<string, Promise<FoundEvents | undefined>>
}

interface SearchLimits {
  /** The number of ranges of the index that are in memory at once. */
  readonly rangesAtOnce: number
  /** The number of ranges that tell how much work the search is. */
  readonly sampledRanges: number
  /** See `SearchWork`. */
  readonly mostWork?: number
}

/** A part has some 130,000 documents, and a sample 16,000. */
const usualLimits: SearchLimits = { rangesAtOnce: 32, sampledRanges: 4 }

/** @param limits Others than the usual ones, in tests. */
export function eventSearch(terms: SearchTerms, limits: Partial<SearchLimits> = {}): EventSearch {
  return { terms, ...usualLimits, ...limits, found: new Map() }
}

/** After so many attempts, a search makes no pauses, in which this process may index events. */
const attemptsInTurns = 2
/** More attempts mean that events are indexed faster than a search reads the index. */
const mostAttempts = 20

/**
 * Returns the events of all statuses whose texts contain all terms to include, and none to exclude. Among them may be events
 * that begin on other days.
 *
 * @throws query-too-dear
 */
export async function findEvents(
  reading: SearchReading,
  search: EventSearch,
  days: SearchedDays,
): Promise<FoundEvents> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const part = await readDictionary(reading.db, days)
    const { dictionary: _, ...index } = part
    const name = JSON.stringify(index)
    const pace = attempt > attemptsInTurns ? atOnce : inTurns
    const reads = search.found.get(name) ?? findIn({ ...reading, pace }, search, part)
    search.found.set(name, reads)
    const found = await reads
    if (found) return found
  }
  throw new Error('The search index changed too often.')
}

/** @returns undefined if the index changed between the statements. */
async function findIn(
  reading: SearchReading & { readonly pace: Pace },
  { terms, rangesAtOnce, sampledRanges, mostWork }: EventSearch,
  part: DictionaryPart,
): Promise<FoundEvents | undefined> {
  const numbers = await readNumbers(reading, wholeTokens(terms))
  const tokens = tokensOfTerms(terms, { dictionary: part.dictionary, numbers })
  const lists = new EventLists()
  const work = new SearchWork(mostWork)
  const found = await findDocuments({ ...reading, tokens, part, rangesAtOnce, sampledRanges, lists, work })
  if (!found) return undefined
  const { included, excluded } = found
  const documents = included ?? excluded
  const undecided = await reading.pace(lists.eventsOf(found.undecided))
  const events = await readEvents(reading, { terms, documents, undecided, index: part, lists })
  if (!events) return undefined
  const { pending, matching } = events
  const indexed = await reading.pace(lists.eventsOf(documents))
  if (included) return { among: indexed.andNot(pending).or(matching), except: new IdSet() }
  indexed.andNot(pending)
  return { among: undefined, except: indexed.or(pending.or(undecided).andNot(matching)) }
}
