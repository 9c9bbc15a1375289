import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Replaces the search index of each engine by one for both, which answers all searches. All events wait to be indexed.
 * Until then their texts are searched.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dropOldIndex(db, dialect)
  await createTables(db, dialect)
  await notePendingEvents(db, dialect)
  // In the order of lists, so that a search reads only the rows of its days.
  await sql`insert into search_pending (event_id, place)
    select record_id, row_number() over (order by start_local) from events`.execute(db)
}

async function dropOldIndex(db: Kysely<unknown>, { name }: Dialect): Promise<void> {
  if (name === 'sqlite') {
    await sql`drop trigger search_words_pieces`.execute(db)
    await sql`drop table search_pieces`.execute(db)
  } else {
    await sql`drop index if exists records_search`.execute(db)
  }
  await sql`drop table event_words`.execute(db)
  await sql`drop table search_words`.execute(db)
}

async function createTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { finish, id, text } = dialect
  const bytes = dialect.name === 'sqlite' ? 'blob' : 'bytea'
  await finish(
    db.schema
      .createTable('search_state')
      .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
      .addColumn('generation', 'integer', (c) => c.notNull())
      .addColumn('row_size', 'integer', (c) => c.notNull())
      .addColumn('documents', id, (c) => c.notNull())
      .addColumn('tokens', id, (c) => c.notNull())
      .addColumn('digest', 'integer', (c) => c.notNull())
      .addColumn('version', id, (c) => c.notNull()),
  ).execute()
  await finish(
    db.schema
      .createTable('search_pending')
      .addColumn('event_id', id, (c) => c.primaryKey().notNull())
      .addColumn('place', id, (c) => c.notNull()),
  ).execute()
  await db.schema.createIndex('search_pending_place').on('search_pending').columns(['place', 'event_id']).execute()
  await finish(
    db.schema
      .createTable('search_tokens')
      .addColumn('number', id, (c) => c.primaryKey().notNull())
      .addColumn('token', text, (c) => c.notNull().unique()),
  ).execute()
  await finish(
    db.schema
      .createTable('search_rows')
      .addColumn('level', 'integer', (c) => c.notNull())
      .addColumn('shard', 'integer', (c) => c.notNull())
      .addColumn('first_document', id, (c) => c.notNull())
      .addColumn('documents', bytes, (c) => c.notNull())
      .addColumn('positions', bytes, (c) => c.notNull())
      .addPrimaryKeyConstraint('search_rows_key', ['level', 'shard', 'first_document']),
  ).execute()
  await finish(
    dialect
      .numbered(db.schema.createTable('search_merges'))
      .addColumn('level', 'integer', (c) => c.notNull())
      .addColumn('shard', 'integer', (c) => c.notNull())
      .addColumn('first_document', id, (c) => c.notNull()),
  ).execute()
  await finish(
    db.schema
      .createTable('search_lists')
      .addColumn('first_document', id, (c) => c.primaryKey().notNull())
      .addColumn('first_day', 'integer', (c) => c.notNull())
      .addColumn('last_day', 'integer', (c) => c.notNull())
      .addColumn('events', bytes, (c) => c.notNull()),
  ).execute()
  await finish(
    db.schema
      .createTable('search_documents')
      .addColumn('event_id', id, (c) => c.primaryKey().notNull())
      .addColumn('document', id, (c) => c.notNull()),
  ).execute()
  if (dialect.name === 'postgres') {
    // The bytes are short already, so the server need not try to compress them.
    await sql`alter table search_rows alter column documents set storage external,
      alter column positions set storage external`.execute(db)
  }
  const generation = Math.floor(Math.random() * 2 ** 31)
  await sql`insert into search_state (id, generation, row_size, documents, tokens, digest, version)
    values (1, ${generation}, 64, 0, 0, ${0x811c9dc5 | 0}, 0)`.execute(db)
}

async function notePendingEvents(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const note = (id: string, condition = 'true') =>
    `insert into search_pending (event_id, place) select ${id}, 0 where ${condition} on conflict (event_id) do nothing`
  await dialect.createTrigger(db, {
    ...{ name: 'records_search_insert', table: 'records', on: 'insert', when: "new.kind = 'event'" },
    statement: note('new.id'),
  })
  await dialect.createTrigger(db, {
    ...{ name: 'records_search_update', table: 'records', on: 'update', columns: ['search_text'] },
    when: "new.kind = 'event' and new.search_text <> old.search_text",
    statement: note('new.id'),
  })
  await dialect.createTrigger(db, {
    ...{ name: 'records_search_delete', table: 'records', on: 'delete', when: "old.kind = 'event'" },
    statement: note('old.id'),
  })
  // Documents are found by the days of their events, so an event that moves to another day gets a new one. The template
  // of a series has times too, and no document.
  await dialect.createTrigger(db, {
    ...{ name: 'events_search_day', table: 'events', on: 'update', columns: ['start_local'] },
    when: 'substr(new.start_local, 1, 10) <> substr(old.start_local, 1, 10)',
    statement: note('new.record_id', "exists (select 1 from records where id = new.record_id and kind = 'event')"),
  })
}
