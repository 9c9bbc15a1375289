import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** By what events are found by their texts. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  if (dialect.name === 'sqlite') {
    return createWordIndex(db, dialect)
  }
  // Not every server has the extension, nor lets everyone make it: searches then take longer and find the same.
  await sql
    .raw(
      `do $$ begin
        create extension if not exists pg_trgm;
        create index records_search on records using gin (search_text gin_trgm_ops);
      exception when others then
        raise notice 'Texts are not indexed for search: %', sqlerrm;
      end $$`,
    )
    .execute(db)
}

/** The tables of the index of words (`search.sqlite.repository.ts`), which follows the texts of events. */
async function createWordIndex(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const statement of [
    'create table search_words (id integer primary key, word text not null unique) strict',
    `create virtual table search_pieces using fts5 (word, content = 'search_words', content_rowid = 'id',
      tokenize = 'trigram case_sensitive 1', detail = none)`,
    // Words come one by one and folded: nothing is left to be told apart.
    `create virtual table event_words using fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii',
      detail = none)`,
    // Each part of the index is asked for each word: few parts, at the price of joining them more often.
    "insert into event_words (event_words, rank) values ('automerge', 4)",
  ]) {
    await sql.raw(statement).execute(db)
  }
  await dialect.createTrigger(db, {
    name: 'search_words_pieces',
    table: 'search_words',
    on: 'insert',
    statement: 'insert into search_pieces (rowid, word) values (new.id, new.word)',
  })
  await dialect.createTrigger(db, {
    name: 'records_stale_words',
    table: 'records',
    on: 'update',
    columns: ['search_text', 'password'],
    when: `new.kind = 'event'
      and (new.search_text <> old.search_text or new.password is distinct from old.password)`,
    statement: 'insert into stale_events (event_id) select new.id where true on conflict (event_id) do nothing',
  })
  await sql`insert into stale_events (event_id) select record_id from events where true
    on conflict (event_id) do nothing`.execute(db)
}
