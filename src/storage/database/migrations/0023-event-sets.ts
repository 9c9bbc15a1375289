import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Replaces the rows of the event index, one for each event and filter value, by one row for each event and by sets of
 * events. The daily counts now count the events of all statuses. Everything is derived again.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { finish, id, text, instant } = dialect
  await db.schema.dropTable('event_listings').execute()
  await db.schema.dropTable('event_tallies').execute()
  await finish(
    db.schema
      .createTable('event_classes')
      .addColumn('class', text, (c) => c.primaryKey().notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('language', text, (c) => c.notNull())
      .addColumn('is_hidden', 'integer', (c) => c.notNull())
      .addColumn('is_protected', 'integer', (c) => c.notNull())
      .addColumn('is_long', 'integer', (c) => c.notNull())
      .addColumn('venues', 'integer', (c) => c.notNull())
      .addColumn('shown_to', 'integer', (c) => c.notNull())
      .addColumn('shown_among_all', 'integer', (c) => c.notNull()),
  ).execute()
  await finish(
    db.schema
      .createTable('event_order')
      .addColumn('event_id', id, (c) => c.primaryKey().notNull())
      .addColumn('class', text, (c) => c.notNull())
      .addColumn('start_local', text, (c) => c.notNull())
      .addColumn('dated_at', instant, (c) => c.notNull())
      .addColumn('end_local', text, (c) => c.notNull())
      .addColumn('start_utc', instant, (c) => c.notNull())
      .addColumn('end_utc', instant, (c) => c.notNull())
      .addColumn('is_long', 'integer', (c) => c.notNull())
      .addColumn('facets', text, (c) => c.notNull()),
  ).execute()
  await db.schema
    .createIndex('event_order_start')
    .on('event_order')
    .columns(['start_local', 'dated_at', 'event_id', 'class', 'end_local', 'start_utc', 'end_utc'])
    .execute()
  await db.schema
    .createIndex('event_order_long')
    .on('event_order')
    .columns(['end_local', 'start_local', 'dated_at', 'event_id', 'class', 'start_utc', 'end_utc'])
    .where(sql.ref('is_long'), '=', sql.lit(1))
    .execute()
  await finish(
    db.schema
      .createTable('event_sets')
      .addColumn('facet', id, (c) => c.notNull())
      .addColumn('class', text, (c) => c.notNull())
      .addColumn('first_place', id, (c) => c.notNull())
      .addColumn('size', 'integer', (c) => c.notNull())
      .addColumn('members', dialect.name === 'sqlite' ? 'blob' : 'bytea', (c) => c.notNull())
      .addPrimaryKeyConstraint('event_sets_key', ['facet', 'class', 'first_place']),
  ).execute()
  await finish(
    db.schema
      .createTable('event_tallies')
      .addColumn('clock', 'integer', (c) => c.notNull())
      .addColumn('day', id, (c) => c.notNull())
      .addColumn('class', text, (c) => c.notNull())
      .addColumn('number', id, (c) => c.notNull())
      .addPrimaryKeyConstraint('event_tallies_key', ['clock', 'day', 'class']),
    { isClustered: true },
  ).execute()
  await emptySearchIndex(db, dialect)
  await noteFurtherChanges(db, dialect)
  await sql`insert into stale_events (event_id) select record_id from events where true
    on conflict (event_id) do nothing`.execute(db)
}

/** The search index has the words of events only. Their times and filters are in the event index. */
async function emptySearchIndex(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  if (dialect.name === 'sqlite') {
    await sql`insert into event_words (event_words) values ('delete-all')`.execute(db)
    return
  }
  await sql`truncate event_words`.execute(db)
  await sql`alter table event_words drop column start_local, drop column dated_at, drop column end_local,
    drop column start_utc, drop column end_utc, drop column shown_to, drop column is_long`.execute(db)
}

/** The sets also follow from tickets and authors. */
async function noteFurtherChanges(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const note = (id: string) =>
    `insert into stale_events (event_id) select ${id} where true on conflict (event_id) do nothing`
  await dialect.createTrigger(db, {
    name: 'events_stale_tickets',
    table: 'events',
    on: 'update',
    columns: ['has_tickets'],
    when: 'new.has_tickets <> old.has_tickets',
    statement: note('new.record_id'),
  })
  await dialect.createTrigger(db, {
    name: 'records_stale_author',
    table: 'records',
    on: 'update',
    columns: ['author_id'],
    when: "new.kind = 'event' and new.author_id <> old.author_id",
    statement: note('new.id'),
  })
}
