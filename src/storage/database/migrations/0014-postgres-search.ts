import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Creates the structures from which PostgreSQL reads lists and searches. Its tables are not ordered by key, so the key
 * of the event index includes all columns that lists need, and a list reads only a range of it. It has no statistics of
 * how frequent a trigram is, so words get an index of their own (`search.postgres.repository.ts`).
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  if (dialect.name === 'sqlite') return
  const { id, text, instant } = dialect
  await sql`alter table event_listings drop constraint event_listings_key, add constraint event_listings_key
    primary key (facet, start_local, dated_at, event_id) include (end_local, shown_to, start_utc, end_utc)`.execute(db)
  await db.schema
    .createTable('search_words')
    .addColumn('id', 'integer', (c) => c.generatedByDefaultAsIdentity().primaryKey().notNull())
    .addColumn('word', text, (c) => c.notNull().unique())
    .execute()
  await db.schema
    .createTable('event_words')
    .addColumn('event_id', id, (c) => c.primaryKey().notNull())
    .addColumn('start_local', text, (c) => c.notNull())
    .addColumn('dated_at', instant, (c) => c.notNull())
    .addColumn('end_local', text, (c) => c.notNull())
    .addColumn('start_utc', instant, (c) => c.notNull())
    .addColumn('end_utc', instant, (c) => c.notNull())
    .addColumn('shown_to', 'integer', (c) => c.notNull())
    .addColumn('is_long', 'integer', (c) => c.notNull())
    .addColumn('words', sql`integer[]`, (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('event_words_start')
    .on('event_words')
    .columns(['start_local', 'dated_at', 'event_id'])
    .execute()
  await sql`create index event_words_long on event_words (end_local) where is_long = 1`.execute(db)
  await sql`create index event_words_words on event_words using gin (words)`.execute(db)
  // Some servers lack the extension. They scan all words for a trigram. Words are few compared with events.
  await sql
    .raw(
      `do $$ begin
        create index search_words_pieces on search_words using gin (word gin_trgm_ops);
      exception when undefined_object then
        raise notice 'Words are not indexed by their pieces: %', sqlerrm;
      end $$`,
    )
    .execute(db)
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
