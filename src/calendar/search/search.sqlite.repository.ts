import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { preferenceBit } from '../../base/languages/preference.bits.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { bigintParameter } from '../../storage/database/sql.parameters.ts'
import type { Db, Flag, Tx } from '../../storage/database/tables.ts'
import { localDay } from '../index/daily.counts.ts'
import { isOfAll } from '../index/event.index.repository.ts'
import { FACETS, type IndexEntry, type IndexQuery, type TimeWindow } from '../index/event.index.ts'
import { earliestShortStart } from '../index/index.entries.repository.ts'
import { startRange, windowConditions } from '../index/time.window.repository.ts'
import { dayAfter, wholeDays } from '../index/whole.days.ts'
import type { SearchIndex, SearchQuery, WordKey, WordQuery } from './search.index.ts'
import { wordsOf } from './search.words.ts'

// The search index of SQLite, in full-text search tables. It has two derived tables. `event_words` has the words of
// every listed event. Its rows are in the order of the day of the start and the id, so results come in list order.
// `search_words` has each word once, with an index of its trigrams. A search first looks up the words that contain the
// searched text, then the events that have one of these words. The words of an event are few compared with their
// trigrams: an index of all trigrams of all texts took three to seven times as long to build.

/** A longer run of letters is stored in parts, each of which repeats the end of the previous part. */
const longestWord = 2000
/** Prefixes of marks, which store facts about an event besides its words. No word contains such a character. */
const marks = { preferenceBits: '¶b', facet: '¶f', long: '¶long' } as const
/**
 * The id of a row consists of the day of the start, whether the event is long, and the id of the event. Rows are
 * therefore in the order of days.
 */
const dayShift = 36
const longBit = 2 ** 35

/** A condition on the words and marks of an event, in the query language of the index. */
type WordMatch = string

const matching = {
  word: (word: WordKey): WordMatch => `"${word}"`,
  preferenceBits: (bit: number): WordMatch => `"${marks.preferenceBits}${bit}"`,
  facet: (facet: number): WordMatch => `"${marks.facet}${facet}"`,
  long: `"${marks.long}"`,
  /** Without matches, this is a condition that no event meets. */
  some: (matches: readonly WordMatch[]): WordMatch => `(${matches.length > 0 ? matches.join(' OR ') : '"¶"'})`,
  every: (matches: readonly WordMatch[]): WordMatch => matches.map((match) => `(${match})`).join(' AND '),
  without: (match: WordMatch, excluded: WordMatch): WordMatch => `(${match}) NOT ${excluded}`,
} as const

export const sqliteSearch: SearchIndex = {
  tables: ['event_words', 'search_pieces', 'search_words'],
  remove: async (tx, dialect, ids) => {
    await sql`delete from event_words where rowid in (
      select (${dayOf(sql.ref('start_local'))} << ${sql.lit(dayShift)}) + is_long * ${sql.lit(longBit)} + event_id
      from event_listings
      where ${isOfAll('facet')} and ${dialect.isAmong(sql.ref('event_id'), ids)})`.execute(tx)
  },
  add: async (tx, dialect, ids) => {
    // In the order of the rows of the index: a row out of order makes the index flush its pending rows.
    const { rows } = await sql<ListedText>`
      select entry.event_id, ${dayOf(sql.ref('entry.start_local'))} as day, entry.shown_to, entry.is_long,
        (select group_concat(facet, ' ') from event_listings other where other.event_id = entry.event_id) as facets,
        case when records.password is null then records.search_text else '' end as text
      from event_listings entry join records on records.id = entry.event_id
      where ${isOfAll('entry.facet')} and ${dialect.isAmong(sql.ref('entry.event_id'), ids)}
      order by day, entry.is_long, entry.event_id`.execute(tx)
    await insertWords(tx, rows)
  },
  // Merges the segments of the index, because each search reads every segment.
  finish: async (tx) => {
    await sql`insert into event_words (event_words) values ('optimize')`.execute(tx)
  },
  wordsWith: async (db, piece, atMost) => {
    const { rows } = await sql<{ word: string }>`
      select word from search_pieces where word glob ${`*${piece}*`} limit ${sql.lit(atMost + 1)}`.execute(db)
    return rows.length > atMost ? undefined : rows.map(({ word }) => word)
  },
  entries: (query) => entriesThatMatch(matchOf(query), query.window),
  entriesUpToPage: async (db, query) => {
    const match = matchOf(query)
    return entriesThatMatch(match, query.window, await dayAfterPage(db, match, query))
  },
  count: async (db, query) => {
    if (!query.words && !isCountedByMatch(query)) return undefined
    return countMatches(db, matchOf(query), query.window)
  },
}

function dayOf(localDateTime: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`cast(replace(substr(${localDateTime}, 1, 10), '-', '') as integer)`
}

interface ListedText {
  readonly event_id: number
  readonly day: number
  readonly shown_to: number
  readonly is_long: Flag
  readonly facets: string
  readonly text: string
}

async function insertWords(tx: Tx, rows: readonly ListedText[]): Promise<void> {
  const indexed = rows.map((row) => ({
    day: row.day,
    id: row.event_id + row.is_long * longBit,
    words: wordsOf(row.text, longestWord),
    marks: marksOf(row),
  }))
  const all = [...new Set(indexed.flatMap(({ words }) => words))]
  await sql`insert into search_words (word) select value from json_each(${JSON.stringify(all)}) where true
    on conflict (word) do nothing`.execute(tx)
  const texts = indexed.map(({ day, id, words, marks }) => ({ day, id, text: [...words, ...marks].join(' ') }))
  await sql`insert into event_words (rowid, words)
    select (json_extract(value, '$.day') << ${sql.lit(dayShift)}) + json_extract(value, '$.id'),
      json_extract(value, '$.text')
    from json_each(${JSON.stringify(texts)})`.execute(tx)
}

function marksOf({ shown_to, is_long, facets }: ListedText): readonly string[] {
  const bits = Array.from({ length: 31 }, (_, place) => 1 << place).filter((bit) => (shown_to & bit) !== 0)
  return [
    ...bits.map((bit) => `${marks.preferenceBits}${bit}`),
    ...facets.split(' ').map((facet) => `${marks.facet}${facet}`),
    ...(is_long === 1 ? [marks.long] : []),
  ]
}

/** Returns the condition for the index: the words, and the marks of events that pass the filters and are shown. */
function matchOf({ words, facets, preference }: SearchQuery): WordMatch {
  const ofWords = (some: readonly WordKey[]) => matching.some(some.map(matching.word))
  const match = matching.every([
    ...(words?.included.map(ofWords) ?? []),
    ...facets.map((some) => matching.some(some.map(matching.facet))),
    matching.preferenceBits(preferenceBit(preference)),
  ])
  return words && words.excluded.length > 0 ? matching.without(match, ofWords(words.excluded)) : match
}

/** Days as `localDay` numbers them. Undefined: no bound. */
interface DayRange {
  /** The first day of the range. */
  readonly from: number | undefined
  /** The first day after the range. */
  readonly to: number | undefined
}

/** Returns the rows that meet `match`, with the alias `found`. */
function foundBy(match: WordMatch): RawBuilder<unknown> {
  return sql`event_words(${match}) found`
}

/** The event of a `found` row, and the day on which it begins. */
const foundId = sql<number>`(found.rowid & ${sql.lit(longBit - 1)})`
const foundDay = sql<number>`(found.rowid >> ${sql.lit(dayShift)})`
const isFoundShort = sql<SqlBool>`found.rowid & ${sql.lit(longBit)} = 0`
const isEntryOfFound = sql<SqlBool>`entry.event_id = ${foundId} and entry.facet = ${sql.lit(FACETS.all)}`

/** Whether a `found` event begins on these days. */
function isFoundOn({ from, to }: DayRange): RawBuilder<SqlBool> {
  const bound = (day: number) => sql`(cast(${day} as integer) << ${sql.lit(dayShift)})`
  // At most one condition on each side, because the index accepts no more.
  return sql<SqlBool>`found.rowid >= ${bound(from ?? 0)} and found.rowid < ${bound(to ?? 1e8)}`
}

/** Returns the times and ids of found events, as a table to select from. Includes only days before `before`. */
function entriesThatMatch(match: WordMatch, window: TimeWindow, before?: number): RawBuilder<IndexEntry> {
  const rows = splitByDays(match, window, before).map(
    (part) => sql`select entry.start_local, entry.dated_at, entry.event_id
      from ${foundBy(part.match)} cross join event_listings entry on ${isEntryOfFound}
      where ${isFoundOn(part.days)} and ${meets(window)}`,
  )
  return sql`(${sql.join(rows, sql` union all `)})`
}

function meets(window: TimeWindow): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.join([sql`1 = 1`, ...windowConditions('entry', window)], sql` and `)}`
}

interface MatchInDays {
  readonly match: WordMatch
  readonly days: DayRange
}

/** Splits a query by the days of the starts. If only ends have a bound, long events are a separate part. */
function splitByDays(match: WordMatch, window: TimeWindow, before?: number): readonly MatchInDays[] {
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

function least(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.min(one, other)
}

/** Returns the days on which every found short event is in the window, in any zone. Undefined if there are none. */
function certainDays({ bounds, isInUtc }: TimeWindow): DayRange | undefined {
  const days = wholeDays(bounds)
  // No UTC offset is as long as a day.
  const slack = isInUtc ? 1 : 0
  return (
    days && {
      from: days.from && localDay(dayAfter({ localDateTime: days.from }, slack)),
      to: days.to && localDay(dayAfter({ localDateTime: days.to }, -slack)),
    }
  )
}

/**
 * Returns a day after which the requested page has no entries, so that later entries need no sort. Undefined if no such
 * day is known.
 */
async function dayAfterPage(
  db: Db,
  match: WordMatch,
  { window, page, perPage, isLatestFirst, isComplete }: WordQuery,
): Promise<number | undefined> {
  // In a list with the latest events first, the first days are not on the first pages.
  const days = isComplete && !isLatestFirst ? certainDays(window) : undefined
  if (!days) return undefined
  const { rows } = await sql<{ day: number }>`
    select ${foundDay} as day from ${foundBy(match)} where ${isFoundOn(days)} and ${isFoundShort}
    order by found.rowid limit 1 offset ${bigintParameter(page * perPage - 1)}`.execute(db)
  return rows[0] && rows[0].day + 1
}

/**
 * Whether the search index counts a list without a search. It does so for several filters of which one has several
 * facets, such as a category with all its descendants. The event index would need a lookup for each entry and facet.
 */
function isCountedByMatch({ window, facets }: IndexQuery): boolean {
  return certainDays(window) !== undefined && facets.length > 1 && facets.some((some) => some.length > 1)
}

/**
 * Returns the number of found events. The index alone counts short events on certain days. All others are tested one by
 * one.
 */
async function countMatches(db: Db, match: WordMatch, window: TimeWindow): Promise<number> {
  const days = certainDays(window)
  const isCertain = days ? sql<SqlBool>`${isFoundOn(days)} and ${isFoundShort}` : sql<SqlBool>`1 = 0`
  const counts = splitByDays(match, window).map(
    (part) => sql`(select count(*) from ${foundBy(part.match)} where ${isFoundOn(part.days)}
      and (${isCertain} or exists (select 1 from event_listings entry where ${isEntryOfFound} and ${meets(window)})))`,
  )
  const { rows } = await sql<{ total: number }>`select ${sql.join(counts, sql` + `)} as total`.execute(db)
  return rows[0]?.total ?? 0
}

/** Events whose row in the search index does not match the event index, as `place`. For checks. */
export const wrongSqliteWords = sql<{ readonly place: string }>`
  with listed as (
    select (${dayOf(sql.ref('start_local'))} << ${sql.lit(dayShift)}) + is_long * ${sql.lit(longBit)} + event_id as id
    from event_listings where facet = ${sql.lit(FACETS.all)})
  select 'event ' || (id & ${sql.lit(longBit - 1)}) as place from (
    select id from listed except select id from event_words_docsize)
  union all select 'event ' || (id & ${sql.lit(longBit - 1)}) from (
    select id from event_words_docsize except select id from listed)`
