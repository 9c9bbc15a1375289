import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { wordsOfFolded } from '../../base/text/fold.ts'
import type { Dialect } from './dialect.ts'
import { isOfAll } from './facets.ts'
import type { Db, Flag, Tx } from './tables.ts'

// The index of words of engines with tables for full-text search (SQLite). Two tables, both derived:
// `event_words` has the words of every listed event, by the day of its start and its id, so that what is found comes in
// the order of lists; `search_words` has each word once, with an index of its pieces of three letters. A search looks up
// the words that contain what is asked for, and then the events that have one of them. The words of an event are small
// beside the pieces of them: an index of all pieces of all texts took three to seven times as long to make.

/** Shorter pieces are in too many words to be looked up. */
export const shortestPiece = 3
/** Longer runs of letters are no words; they are kept in parts, each with the end of the one before. */
const longestWord = 2000
/** No longer piece can be looked up: one of this length stands whole in one part at least. */
export const longestPiece = 500
/** Beginnings of marks: what is known of an event beside its words. No word holds such a letter. */
const marks = { preferenceBits: '¶b', facet: '¶f', long: '¶long' } as const
/** A row stands for the day of the start, whether the event is long, and its id: so rows come in the order of days. */
const dayShift = 36
const longBit = 2 ** 35

/** A condition on the words and marks of an event, in the language of the index. */
export type WordMatch = string

export const matching = {
  word: (word: string): WordMatch => `"${word}"`,
  preferenceBits: (bit: number): WordMatch => `"${marks.preferenceBits}${bit}"`,
  facet: (facet: number): WordMatch => `"${marks.facet}${facet}"`,
  long: `"${marks.long}"`,
  /** Of nothing, what no event meets. */
  some: (matches: readonly WordMatch[]): WordMatch => `(${matches.length > 0 ? matches.join(' OR ') : '"¶"'})`,
  every: (matches: readonly WordMatch[]): WordMatch => matches.map((match) => `(${match})`).join(' AND '),
  without: (match: WordMatch, excluded: WordMatch): WordMatch => `(${match}) NOT ${excluded}`,
} as const

/** Takes these events out of the index, before their listings change. */
export async function forgetWords(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<void> {
  await sql`delete from event_words where rowid in (
    select (${dayOf(sql.ref('start_local'))} << ${sql.lit(dayShift)}) + is_long * ${sql.lit(longBit)} + event_id
    from event_listings
    where ${isOfAll('facet')} and ${dialect.isAmong(sql.ref('event_id'), ids)})`.execute(tx)
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

/**
 * Adds these events to the index, after their listings changed. Those with a password are in it without words: they
 * are not found by them (events.md §1 "Search").
 */
export async function noteWords(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<void> {
  // In the order of the rows of the index: what comes out of it makes the index write out what it has so far.
  const { rows } = await sql<ListedText>`
    select entry.event_id, ${dayOf(sql.ref('entry.start_local'))} as day, entry.shown_to, entry.is_long,
      (select group_concat(facet, ' ') from event_listings other where other.event_id = entry.event_id) as facets,
      case when records.password is null then records.search_text else '' end as text
    from event_listings entry join records on records.id = entry.event_id
    where ${isOfAll('entry.facet')} and ${dialect.isAmong(sql.ref('entry.event_id'), ids)}
    order by day, entry.is_long, entry.event_id`.execute(tx)
  await insertWords(tx, rows)
}

/** Joins the parts of the index, after many events changed: each part is asked for each word. */
export async function joinWords(tx: Tx): Promise<void> {
  await sql`insert into event_words (event_words) values ('optimize')`.execute(tx)
}

async function insertWords(tx: Tx, rows: readonly ListedText[]): Promise<void> {
  const indexed = rows.map((row) => ({
    day: row.day,
    id: row.event_id + row.is_long * longBit,
    words: wordsOf(row.text),
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

/** Each word of a folded text once; of runs of more letters than `longest`, overlapping parts. */
export function wordsOf(text: string, longest = longestWord): readonly string[] {
  const words = [...new Set(wordsOfFolded(text))]
  const isLong = words.some((word) => word.length > longest)
  return isLong ? [...new Set(words.flatMap((word) => partsOf(word, longest)))] : words
}

function partsOf(word: string, longest: number): readonly string[] {
  if (word.length <= longest) return [word]
  const step = longest - longestPiece
  const count = Math.ceil((word.length - longestPiece) / step)
  return Array.from({ length: count }, (_, place) => word.slice(place * step, place * step + longest))
}

/**
 * The words that contain a piece of a word.
 *
 * @param piece Letters and digits, folded, `shortestPiece` to `longestPiece` of them.
 * @returns undefined where there are more than `atMost`.
 */
export async function wordsWith(db: Db, piece: string, atMost: number): Promise<readonly string[] | undefined> {
  const { rows } = await sql<{ word: string }>`
    select word from search_pieces where word glob ${`*${piece}*`} limit ${sql.lit(atMost + 1)}`.execute(db)
  return rows.length > atMost ? undefined : rows.map(({ word }) => word)
}

/** Days as `localDay` numbers them; undefined where there is no bound. */
export interface DayRange {
  /** The first that counts. */
  readonly from: number | undefined
  /** The first that does not count any more. */
  readonly to: number | undefined
}

/** What meets `match`, as `found`, to select from. */
export function foundBy(match: WordMatch): RawBuilder<unknown> {
  return sql`event_words(${match}) found`
}

/** Of what is `found`: the event, and the day on which it begins. */
export const foundId = sql<number>`(found.rowid & ${sql.lit(longBit - 1)})`
export const foundDay = sql<number>`(found.rowid >> ${sql.lit(dayShift)})`
export const isFoundShort = sql<SqlBool>`found.rowid & ${sql.lit(longBit)} = 0`

/** Whether what is `found` begins on these days. */
export function isFoundOn({ from, to }: DayRange): RawBuilder<SqlBool> {
  const bound = (day: number) => sql`(cast(${day} as integer) << ${sql.lit(dayShift)})`
  // One condition on each side, at most: the index takes no more.
  return sql<SqlBool>`found.rowid >= ${bound(from ?? 0)} and found.rowid < ${bound(to ?? 1e8)}`
}
