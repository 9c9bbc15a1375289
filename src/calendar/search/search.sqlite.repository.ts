import { sql } from 'kysely'
import { bigintParameter } from '../../storage/database/sql.parameters.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { localDateTimeOfDay, localDay } from '../index/daily.counts.ts'
import type { IndexedEvent } from '../index/indexed.event.repository.ts'
import { type FoundWords, isSearched, type SearchIndex, type WordKey } from './search.index.ts'
import { wordsOf } from './search.words.ts'

// The search index of SQLite, in full-text search tables. It has two derived tables. `event_words` has the words of
// every listed event. Its rows are in the order of the day of the start and the id, so results come in list order.
// `search_words` has each word once, with an index of its trigrams. A search first looks up the words that contain the
// searched text, then the events that have one of these words. The words of an event are few compared with their
// trigrams: an index of all trigrams of all texts took three to seven times as long to build.

/** A longer run of letters is stored in parts, each of which repeats the end of the previous part. */
const longestWord = 2000
/**
 * The id of a row consists of the day of the start, whether the event is long, and the id of the event. Rows are
 * therefore in the order of days.
 */
const dayShift = 36
const longBit = 2 ** 35

export const sqliteSearch: SearchIndex = {
  tables: ['event_words', 'search_pieces', 'search_words'],
  refresh: async (tx, dialect, changes) => {
    const removed = changes.flatMap(({ before }) => (isSearched(before) ? [rowOf(before)] : []))
    if (removed.length > 0)
      await sql`delete from event_words where rowid in (
        select ${rowIdOfJson} from json_each(${JSON.stringify(removed)}))`.execute(tx)
    const added = new Map(changes.flatMap(({ id, after }) => (isSearched(after) ? [[id, rowOf(after)]] : [])))
    if (added.size === 0) return
    const { rows } = await sql<{ id: number; text: string }>`
      select id, search_text as text from records
      where ${dialect.isAmong(sql.ref('id'), [...added.keys()])}`.execute(tx)
    const texts = rows.flatMap(({ id, text }) => {
      const row = added.get(id)
      return row ? [{ ...row, words: wordsOf(text, longestWord) }] : []
    })
    // In the order of the rows of the index: a row out of order makes the index flush its pending rows.
    await insertWords(
      tx,
      texts.toSorted((one, other) => one.day - other.day || one.id - other.id),
    )
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
  idsWith: async (db, words, { first, last }) => {
    const beginning = (day: number) => sql`(${bigintParameter(day)} << ${sql.lit(dayShift)})`
    const { rows } = await sql<{ id: number }>`
      select found.rowid & ${sql.lit(longBit - 1)} as id from event_words(${matchOf(words)}) found
      where found.rowid >= ${beginning(localDay(localDateTimeOfDay(first)))}
        and found.rowid < ${beginning(localDay(localDateTimeOfDay(last)) + 1)}`.execute(db)
    return rows.map(({ id }) => id)
  },
}

/** The parts of the id of a row. The id itself is too large for a number in JavaScript. */
interface WordRow {
  readonly day: number
  /** The id of the event, with a bit for a long one. */
  readonly id: number
}

const rowIdOfJson = sql`(json_extract(value, '$.day') << ${sql.lit(dayShift)}) + json_extract(value, '$.id')`

function rowOf({ id, startLocal, isLong }: IndexedEvent): WordRow {
  return { day: localDay(startLocal), id: id + Number(isLong) * longBit }
}

async function insertWords(tx: Tx, rows: readonly (WordRow & { readonly words: readonly string[] })[]): Promise<void> {
  const all = [...new Set(rows.flatMap(({ words }) => words))]
  await sql`insert into search_words (word) select value from json_each(${JSON.stringify(all)}) where true
    on conflict (word) do nothing`.execute(tx)
  const texts = rows.map(({ day, id, words }) => ({ day, id, text: words.join(' ') }))
  await sql`insert into event_words (rowid, words) select ${rowIdOfJson}, json_extract(value, '$.text')
    from json_each(${JSON.stringify(texts)})`.execute(tx)
}

/** Returns the condition for the index, in its query language. */
function matchOf({ included, excluded }: FoundWords): string {
  const some = (words: readonly WordKey[]) =>
    `(${words.length > 0 ? words.map((word) => `"${word}"`).join(' OR ') : '"¶"'})`
  const match = included.map(some).join(' AND ')
  return excluded.length > 0 ? `(${match}) NOT ${some(excluded)}` : match
}

/** Events whose row in the search index does not match the event index, as `place`. For checks. */
export const wrongSqliteWords = sql<{ readonly place: string }>`
  with listed as (
    select (cast(replace(substr(start_local, 1, 10), '-', '') as integer) << ${sql.lit(dayShift)})
      + entry.is_long * ${sql.lit(longBit)} + event_id as id
    from event_order entry join event_classes on event_classes.class = entry.class
    where status = 'publish' and is_hidden = 0 and is_protected = 0)
  select 'event ' || (id & ${sql.lit(longBit - 1)}) as place from (
    select id from listed except select id from event_words_docsize)
  union all select 'event ' || (id & ${sql.lit(longBit - 1)}) from (
    select id from event_words_docsize except select id from listed)`
