import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tx } from '../../storage/database/tables.ts'
import { isOfAll } from '../index/event.index.repository.ts'
import { FACETS, type IndexEntry } from '../index/event.index.ts'
import { indexEntries } from '../index/index.entries.repository.ts'
import type { SearchIndex, WordKey, WordQuery } from './search.index.ts'
import { wordsOf } from './search.words.ts'

// The search index of PostgreSQL, which looks up numbers in arrays. It has two derived tables. `search_words` has each
// word once, with its number. `event_words` has the times of every listed event without a password, and the numbers of
// its words. A search first looks up the words that contain the searched text, then the events that have one of these
// words. The server knows the frequency of each number, but not of a part of a text. It can therefore read the
// smaller of two sets: the events of the window, or those of the word.

/** A longer word exceeds the size of an index key. It is stored in parts. */
const longestWord = 600
const eventsAtOnce = 100

export const postgresSearch: SearchIndex = {
  tables: ['event_words', 'search_words'],
  remove: async (tx, dialect, ids) => {
    await sql`delete from event_words where ${dialect.isAmong(sql.ref('event_id'), ids)}`.execute(tx)
  },
  add: async (tx, dialect, ids) => {
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
  },
  wordsWith: async (db, piece, atMost) => {
    const { rows } = await sql<{ id: number }>`
      select id from search_words where word like ${`%${piece}%`} limit ${sql.lit(atMost + 1)}`.execute(db)
    return rows.length > atMost ? undefined : rows.map(({ id }) => id)
  },
  entries,
  entriesUpToPage: async (_db, query) => entries(query),
  count: async () => undefined,
}

async function insertPairs(tx: Tx, pairs: readonly { readonly id: number; readonly word: string }[]): Promise<void> {
  const words = pairs.map(({ word }) => word)
  // Not “on conflict”, which would consume a number for each known word.
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

function entries({ words, ...query }: WordQuery): RawBuilder<IndexEntry> {
  const has = (some: readonly WordKey[]) => sql<SqlBool>`entry.words && ${[...some]}::integer[]`
  const without = words.excluded.length > 0 ? [sql<SqlBool>`not (${has(words.excluded)})`] : []
  return indexEntries(query, { table: sql`event_words`, conditions: [...words.included.map(has), ...without] })
}

/**
 * Events whose entry in the search index does not match the event index, as `place`. For checks. A text without letters
 * and digits has no words.
 */
export const wrongPostgresWords = sql<{ readonly place: string }>`
  with listed as (
    select event_id, start_local, entry.dated_at, end_local, start_utc, end_utc, shown_to, is_long
    from event_listings entry join records on id = event_id
    where facet = ${sql.lit(FACETS.all)} and password is null),
  indexed as (
    select event_id, start_local, dated_at, end_local, start_utc, end_utc, shown_to, is_long from event_words)
  select 'event ' || event_id as place from (select * from indexed except select * from listed) more
  union select 'event ' || event_id from (select * from listed except select * from indexed) missing
  join records on id = event_id where search_text ~ '[a-z0-9]'`
