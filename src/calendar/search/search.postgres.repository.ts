import { type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { type FoundWords, isSearched, type SearchIndex, type WordKey } from './search.index.ts'
import { wordsOf } from './search.words.ts'

// The search index of PostgreSQL, which looks up numbers in arrays. It has two derived tables. `search_words` has each
// word once, with its number. `event_words` has the numbers of the words of every listed event without a password. A
// search first looks up the words that contain the searched text, then the events that have one of these words.

/** A longer word exceeds the size of an index key. It is stored in parts. */
const longestWord = 600
const eventsAtOnce = 100

export const postgresSearch: SearchIndex = {
  tables: ['event_words', 'search_words'],
  refresh: async (tx, dialect, changes) => {
    const removed = changes.flatMap(({ before }) => (isSearched(before) ? [before.id] : []))
    const added = changes.flatMap(({ after }) => (isSearched(after) ? [after.id] : []))
    if (removed.length > 0)
      await sql`delete from event_words where ${dialect.isAmong(sql.ref('event_id'), removed)}`.execute(tx)
    for (let place = 0; place < added.length; place += eventsAtOnce) {
      const some = added.slice(place, place + eventsAtOnce)
      const { rows } = await sql<{ id: number; text: string }>`
        select id, search_text as text from records where ${dialect.isAmong(sql.ref('id'), some)}`.execute(tx)
      const pairs = rows.flatMap(({ id, text }) => wordsOf(text, longestWord).map((word) => ({ id, word })))
      if (pairs.length > 0) await insertPairs(tx, pairs)
    }
  },
  wordsWith: async (db, piece, atMost) => {
    const { rows } = await sql<{ id: number }>`
      select id from search_words where word like ${`%${piece}%`} limit ${sql.lit(atMost + 1)}`.execute(db)
    return rows.length > atMost ? undefined : rows.map(({ id }) => id)
  },
  idsWith: (db, words) => {
    // A page may list several windows of one search.
    const ids = foundIds.get(words) ?? listIds(db, words)
    foundIds.set(words, ids)
    return ids
  },
}

/** The events that a search found, as long as its plan exists. */
const foundIds = new WeakMap<FoundWords, Promise<readonly number[]>>()

async function listIds(db: Db, { included, excluded }: FoundWords): Promise<readonly number[]> {
  const has = (some: readonly WordKey[]) => sql<SqlBool>`words && ${[...some]}::integer[]`
  const conditions = [...included.map(has), ...(excluded.length > 0 ? [sql<SqlBool>`not (${has(excluded)})`] : [])]
  const { rows } = await sql<{ event_id: number }>`
    select event_id from event_words where ${sql.join(conditions, sql` and `)}`.execute(db)
  return rows.map((row) => row.event_id)
}

async function insertPairs(tx: Tx, pairs: readonly { readonly id: number; readonly word: string }[]): Promise<void> {
  const words = pairs.map(({ word }) => word)
  // Not “on conflict”, which would consume a number for each known word.
  await sql`insert into search_words (word)
    select distinct given.word from unnest(${[...new Set(words)]}::text[]) as given (word)
    where not exists (select 1 from search_words known where known.word = given.word)`.execute(tx)
  await sql`
    insert into event_words (event_id, words)
    select given.event_id, array_agg(search_words.id order by search_words.id)
    from unnest(${pairs.map(({ id }) => id)}::bigint[], ${words}::text[]) as given (event_id, word)
    join search_words on search_words.word = given.word
    group by given.event_id`.execute(tx)
}

/**
 * Events whose entry in the search index does not match the event index, as `place`. For checks. A text without letters
 * and digits has no words.
 */
export const wrongPostgresWords = sql<{ readonly place: string }>`
  with listed as (
    select event_id from event_order entry join event_classes on event_classes.class = entry.class
    where status = 'publish' and is_hidden = 0 and is_protected = 0)
  select 'event ' || event_id as place from (
    select event_id from event_words except select event_id from listed) more
  union select 'event ' || event_id from (select event_id from listed except select event_id from event_words) missing
  join records on id = event_id where search_text ~ '[a-z0-9]'`
