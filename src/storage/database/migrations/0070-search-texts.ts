import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Replaces the search index of tokens by the texts of events, whose trigrams the engine indexes. They are derived when the
 * database is opened: migration 0073 notes all events.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const name of ['records_search_insert', 'records_search_update', 'records_search_delete'])
    await dialect.dropTrigger(db, { name, table: 'records' })
  await dialect.dropTrigger(db, { name: 'events_search_day', table: 'events' })
  for (const name of ['rows', 'merges', 'lists', 'documents', 'tokens', 'pending', 'state'])
    await db.schema.dropTable(`search_${name}`).execute()
  await dialect
    .finish(
      db.schema
        .createTable('search_texts')
        .addColumn('place', dialect.id, (c) => c.primaryKey().notNull())
        .addColumn('text', dialect.text, (c) => c.notNull()),
    )
    .execute()
  const isOnSqlite = dialect.name === 'sqlite'
  if (isOnSqlite) await createTrigramTable(db, dialect)
  if (!isOnSqlite) await indexTrigrams(db)
}

async function createTrigramTable(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await sql`create virtual table search_trigrams using fts5 (text, content = 'search_texts', content_rowid = 'place',
    tokenize = 'trigram case_sensitive 1', columnsize = 0)`.execute(db)
  // A search reads each segment of the index for each trigram. Few segments make it fast, at the price of more merges.
  await sql`insert into search_trigrams (search_trigrams, rank) values ('automerge', 4)`.execute(db)
  const add = 'insert into search_trigrams (rowid, text) values (new.place, new.text)'
  const remove = `insert into search_trigrams (search_trigrams, rowid, text) values ('delete', old.place, old.text)`
  const table = 'search_texts'
  await dialect.createTrigger(db, { name: 'search_texts_insert', table, on: 'insert', statement: add })
  await dialect.createTrigger(db, { name: 'search_texts_delete', table, on: 'delete', statement: remove })
  await dialect.createTrigger(db, { name: 'search_texts_update', table, on: 'update', statement: `${remove}; ${add}` })
}

async function indexTrigrams(db: Kysely<unknown>): Promise<void> {
  // Some servers lack the extension, or do not let every user create it. Searches then take longer and have the same
  // results.
  await sql
    .raw(
      `do $$ begin
        create extension if not exists pg_trgm;
        create index search_texts_trigrams on search_texts using gin (text gin_trgm_ops);
      exception when others then
        raise notice 'Texts are not indexed for search: %', sqlerrm;
      end $$`,
    )
    .execute(db)
}
