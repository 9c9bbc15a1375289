import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { preferenceBit } from '../../base/languages/preference.bits.ts'
import { type SearchTerms, wordsOfFolded } from '../../base/text/fold.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import { FACETS } from '../../storage/database/facets.ts'
import { type EventListingTable, localDay } from '../../storage/database/listings.ts'
import { plannedOnce } from '../../storage/database/parameters.ts'
import type { Db } from '../../storage/database/tables.ts'
import { hasNumber, numbersWith } from '../../storage/database/words.numbers.ts'
import {
  type DayRange,
  foundBy,
  foundDay,
  foundId,
  isFoundOn,
  isFoundShort,
  longestPiece,
  matching,
  shortestPiece,
  type WordMatch,
  wordsWith,
} from '../../storage/database/words.ts'
import { startRange, windowConditions } from './event.bounds.repository.ts'
import { dayAfter, wholeDays } from './event.days.ts'
import { earliestShortStart, type FacetFilters, facetFiltersOf } from './event.index.repository.ts'
import type { EventQuery } from './event.query.ts'
import type { EventWindow } from './event.window.ts'

/** What contains a piece that stands in more words than this is looked for in the texts themselves. */
const maxWords = 1000

/** Of a term of more words the longest are looked up, which are in the fewest texts; the rest is compared with these. */
const maxLookedUpPieces = 9

/** A search, as the index of words is asked for it. */
export type WordSearch = FullTextSearch | WordNumberSearch

interface IndexSearch {
  /** Whether what is found meets the search. Where not, nothing else does, but texts have to be looked at. */
  readonly isExact: boolean
}

/** For a table of full-text search: what it is to match, filters included. */
export interface FullTextSearch extends IndexSearch {
  readonly match: WordMatch
}

/** For a table with the numbers of the words: conditions on its rows, which are called `entry`. */
export interface WordNumberSearch extends IndexSearch {
  readonly conditions: readonly RawBuilder<SqlBool>[]
}

/**
 * How the index of words answers this list.
 *
 * @returns undefined where it does not: nothing is searched, or only for pieces that are too short or in too many words.
 */
export async function wordSearch(db: Db, dialect: Dialect, asked: EventQuery): Promise<WordSearch | undefined> {
  if (!asked.search) return undefined
  if (!dialect.hasWordIndex) return numberSearch(db, asked.search)
  const { included, excluded, isExact } = await lookUpWords(asked.search, (piece) => wordsWith(db, piece, maxWords))
  if (included.length === 0) return undefined
  const ofWords = (words: readonly string[]) => matching.some(words.map(matching.word))
  const match = matching.every([
    ...included.map(ofWords),
    ...facetMatches(await facetFiltersOf(db, dialect, asked), asked),
  ])
  return { match: excluded.length > 0 ? matching.without(match, ofWords(excluded)) : match, isExact }
}

/** What the index knows of an event that passes these filters, and is shown. */
function facetMatches(filters: FacetFilters, { preference }: EventQuery): readonly WordMatch[] {
  return [
    ...filters.map((facets) => matching.some(facets.map(matching.facet))),
    matching.preferenceBits(preferenceBit(preference)),
  ]
}

async function numberSearch(db: Db, search: SearchTerms): Promise<WordNumberSearch | undefined> {
  const { included, excluded, isExact } = await lookUpWords(search, (piece) => numbersWith(db, piece, maxWords))
  if (included.length === 0) return undefined
  const has = (numbers: readonly number[]) => hasNumber('entry.words', numbers)
  const without = excluded.length > 0 ? [sql<SqlBool>`not (${has(excluded)})`] : []
  return { conditions: [...included.map(has), ...without], isExact }
}

/**
 * The words that a search is for, and those that it excludes.
 *
 * @param wordsOfPiece Gives the words that contain a piece, or undefined where they are too many.
 */
async function lookUpWords<W>(
  { include, exclude }: SearchTerms,
  wordsOfPiece: (piece: string) => Promise<readonly W[] | undefined>,
) {
  const included: (readonly W[])[] = []
  const excluded: W[] = []
  let isExact = true
  for (const term of include) {
    const pieces = piecesOf(term)
    for (const piece of pieces.known) {
      const found = await wordsOfPiece(piece)
      if (found) included.push(found)
      else isExact = false
    }
    isExact &&= pieces.isWhole
  }
  for (const term of exclude) {
    const pieces = piecesOf(term)
    const found = pieces.isWhole ? await wordsOfPiece(term) : undefined
    if (found) excluded.push(...found)
    else isExact = false
  }
  return { included, excluded, isExact }
}

/** The pieces of words that a term consists of, as far as they can be looked up, and whether it is one and no more. */
function piecesOf(term: string): { readonly known: readonly string[]; readonly isWhole: boolean } {
  const known = wordsOfFolded(term).filter((run) => [...run].length >= shortestPiece && run.length <= longestPiece)
  const telling = known.toSorted((one, other) => other.length - one.length).slice(0, maxLookedUpPieces)
  return { known: telling, isWhole: known[0] === term }
}

/** Times and ids of what is found, as a table to select from: see `eventIndexFor`. Only of days before `before`. */
export function fullTextIndexEntries(
  { match }: FullTextSearch,
  { window }: EventQuery,
  before?: number,
): RawBuilder<Pick<EventListingTable, 'start_local' | 'dated_at' | 'event_id'>> {
  const rows = splitByDays(match, window, before).map(
    (part) => sql`select entry.start_local, entry.dated_at, entry.event_id
      from ${foundBy(part.match)} cross join event_listings entry on ${isEntryOfFound}
      where ${isFoundOn(part.days)} and ${meets(window)}`,
  )
  return sql`(${sql.join(rows, sql` union all `)})`
}

const isEntryOfFound = sql<SqlBool>`entry.event_id = ${foundId} and entry.facet = ${sql.lit(FACETS.all)}`

function meets(window: EventWindow): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.join([sql`1 = 1`, ...windowConditions('entry', window)], sql` and `)}`
}

/** What the index is asked for, and the days on which that begins. Where only ends are bounded, long events are apart. */
function splitByDays(match: WordMatch, window: EventWindow, before?: number): readonly MatchInDays[] {
  const days = (from: LocalDateTime | undefined, to: LocalDateTime | undefined): DayRange => ({
    from: from && localDay(from),
    to: least(to && localDay(to) + 1, before),
  })
  const { from, to } = startRange(window)
  const earliest = earliestShortStart(window.bounds)
  if (earliest === undefined) return [{ match, days: days(from, to) }]
  const recent = days(earliest, to)
  const long = { from: undefined, to: least(recent.from, recent.to) }
  return [
    { match, days: recent },
    { match: matching.every([match, matching.long]), days: long },
  ]
}

interface MatchInDays {
  readonly match: WordMatch
  readonly days: DayRange
}

function least(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.min(one, other)
}

/** The days on which all that is found and short is in the window, whatever its clock; undefined where there are none. */
function certainDays({ bounds, isInUtc }: EventWindow): DayRange | undefined {
  const days = wholeDays(bounds)
  // No clock is a day from that of UTC.
  const slack = isInUtc ? 1 : 0
  return (
    days && {
      from: days.from && localDay(dayAfter({ localDateTime: days.from }, slack)),
      to: days.to && localDay(dayAfter({ localDateTime: days.to }, -slack)),
    }
  )
}

/**
 * A day before which everything on the asked page begins, so that what comes later need not be sorted; undefined where
 * none is known.
 */
export async function dayAfterPage(
  db: Db,
  { match, isExact }: FullTextSearch,
  { window, page, perPage }: EventQuery,
): Promise<number | undefined> {
  const days = isExact ? certainDays(window) : undefined
  if (!days) return undefined
  const { rows } = await sql<{ day: number }>`
    select ${foundDay} as day from ${foundBy(match)} where ${isFoundOn(days)} and ${isFoundShort}
    order by found.rowid limit 1 offset ${plannedOnce(page * perPage - 1)}`.execute(db)
  return rows[0] && rows[0].day + 1
}

/**
 * How many pass several filters, one of which is of several facets, such as a category with all below it: of the listings
 * each would have to be asked for each facet.
 *
 * @returns undefined where the index of words does not help: with other filters, in short windows, and without one.
 */
export async function countByFacetMatch(db: Db, dialect: Dialect, asked: EventQuery): Promise<number | undefined> {
  if (!dialect.hasWordIndex || !certainDays(asked.window)) return undefined
  const filters = await facetFiltersOf(db, dialect, asked)
  if (filters.length < 2 || !filters.some((facets) => facets.length > 1)) return undefined
  return countMatches(db, { match: matching.every(facetMatches(filters, asked)), isExact: true }, asked)
}

/** How many are found: what is short on certain days by the index alone, all else one by one. */
export async function countMatches(db: Db, { match }: FullTextSearch, { window }: EventQuery): Promise<number> {
  const days = certainDays(window)
  const isCertain = days ? sql<SqlBool>`${isFoundOn(days)} and ${isFoundShort}` : sql<SqlBool>`1 = 0`
  const counts = splitByDays(match, window).map(
    (part) => sql`(select count(*) from ${foundBy(part.match)} where ${isFoundOn(part.days)}
      and (${isCertain} or exists (select 1 from event_listings entry where ${isEntryOfFound} and ${meets(window)})))`,
  )
  const { rows } = await sql<{ total: number }>`select ${sql.join(counts, sql` + `)} as total`.execute(db)
  return rows[0]?.total ?? 0
}
