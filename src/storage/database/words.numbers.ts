import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import { isOfAll } from './facets.ts'
import type { Db, Tx } from './tables.ts'
import { wordsOf } from './words.ts'

// The index of words of engines that look numbers up in lists of them (PostgreSQL). Two tables, both derived:
// `search_words` has each word once, with its number; `event_words` has the times of every listed event that has no
// password, and the numbers of its words. A search looks up the words that contain what is asked for, and then the
// events that have one of them. The server knows how frequent each number is, as it does not of a piece of a text: so it
// reads either the events of the window or those of the word, whichever are fewer.

/** A longer word has no room in the index of words; it is kept in parts. */
const longestWord = 600
const eventsAtOnce = 100

/** Takes these events out of the index. */
export async function forgetNumbers(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<void> {
  await sql`delete from event_words where ${dialect.isAmong(sql.ref('event_id'), ids)}`.execute(tx)
}

/** Adds these events to the index, after their listings changed. */
export async function noteNumbers(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<void> {
  for (let place = 0; place < ids.length; place += eventsAtOnce) {
    const some = ids.slice(place, place + eventsAtOnce)
    const { rows } = await sql<{ id: number; text: string }>`
      select records.id, records.search_text as text
      from event_listings entry join records on records.id = entry.event_id
      where ${isOfAll('entry.facet')} and records.password is null
        and ${dialect.isAmong(sql.ref('entry.event_id'), some)}`.execute(tx)
    const pairs = rows.flatMap(({ id, text }) => wordsOf(text, longestWord).map((word) => ({ id, word })))
    if (pairs.length > 0) await insertPairs(tx, pairs)
  }
}

async function insertPairs(tx: Tx, pairs: readonly { readonly id: number; readonly word: string }[]): Promise<void> {
  const words = pairs.map(({ word }) => word)
  // Not “on conflict”, which would use up a number for each word that is known.
  await sql`insert into search_words (word)
    select distinct given.word from unnest(${[...new Set(words)]}::text[]) as given (word)
    where not exists (select 1 from search_words known where known.word = given.word)`.execute(tx)
  await sql`
    insert into event_words
      (event_id, start_local, dated_at, end_local, start_utc, end_utc, shown_to, is_long, words)
    select entry.event_id, entry.start_local, entry.dated_at, entry.end_local, entry.start_utc, entry.end_utc,
      entry.shown_to, entry.is_long, noted.words
    from (
      select given.event_id, array_agg(search_words.id order by search_words.id) as words
      from unnest(${pairs.map(({ id }) => id)}::bigint[], ${words}::text[]) as given (event_id, word)
      join search_words on search_words.word = given.word
      group by given.event_id
    ) noted join event_listings entry on entry.event_id = noted.event_id
    where ${isOfAll('entry.facet')}`.execute(tx)
}

/**
 * The numbers of the words that contain a piece of a word.
 *
 * @param piece Letters and digits, folded, no more of them than `longestPiece`.
 * @returns undefined where there are more than `atMost`.
 */
export async function numbersWith(db: Db, piece: string, atMost: number): Promise<readonly number[] | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from search_words where word like ${`%${piece}%`} limit ${sql.lit(atMost + 1)}`.execute(db)
  return rows.length > atMost ? undefined : rows.map(({ id }) => id)
}

/** Whether an event has one of these words. */
export function hasNumber(column: string, numbers: readonly number[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} && ${[...numbers]}::integer[]`
}
