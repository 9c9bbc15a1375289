import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Creates the search index of event texts. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  if (dialect.name === 'sqlite') {
    return createWordIndex(db, dialect)
  }
  // Some servers lack the extension, or do not let every user create it. Searches then take longer and have the same
  // results.
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

/** Creates the tables of the search index (`search.sqlite.repository.ts`). It follows the texts of events. */
async function createWordIndex(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const statement of [
    'create table search_words (id integer primary key, word text not null unique) strict',
    `create virtual table search_pieces using fts5 (word, content = 'search_words', content_rowid = 'id',
      tokenize = 'trigram case_sensitive 1', detail = none)`,
    // Words arrive separated and folded, so the tokenizer has nothing left to distinguish.
    `create virtual table event_words using fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii',
      detail = none)`,
    // Every query reads each segment of the index for each word. Few segments make it fast, at the price of more
    // frequent merges.
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
