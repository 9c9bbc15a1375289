import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Replaces the sets, classes and daily counts of the event index by two plain tables: a row for each event, and one for each
 * value that a list filters by. Both are derived when the database is opened.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { finish, id, text, instant } = dialect
  for (const table of ['event_sets', 'event_tallies', 'event_classes', 'event_order'])
    await db.schema.dropTable(table).execute()
  await finish(
    db.schema
      .createTable('listed_events')
      .addColumn('place', id, (c) => c.primaryKey().notNull())
      .addColumn('event_id', id, (c) => c.notNull())
      .addColumn('start_local', text, (c) => c.notNull())
      .addColumn('dated_at', instant, (c) => c.notNull())
      .addColumn('end_local', text, (c) => c.notNull())
      .addColumn('start_utc', instant, (c) => c.notNull())
      .addColumn('end_utc', instant, (c) => c.notNull())
      .addColumn('is_long', 'integer', (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('language', text, (c) => c.notNull())
      .addColumn('author_id', id, (c) => c.notNull())
      .addColumn('group_id', id)
      .addColumn('is_hidden', 'integer', (c) => c.notNull())
      .addColumn('is_protected', 'integer', (c) => c.notNull())
      .addColumn('has_venue', 'integer', (c) => c.notNull())
      .addColumn('shown_alone', 'integer', (c) => c.notNull())
      .addColumn('shown_among_all', 'integer', (c) => c.notNull())
      .addColumn('series_id', id)
      .addColumn('facets', text, (c) => c.notNull()),
  ).execute()
  for (const index of [
    // It answers whole lists without filters, and their totals.
    `listed_events_start on listed_events
      (start_local, dated_at, event_id, status, shown_alone, shown_among_all, is_protected, end_local, start_utc, end_utc)`,
    'listed_events_long on listed_events (end_local, start_local) where is_long = 1',
    // SQLite finds long events by their ends, and sorts them. A server would read all events in order.
    ...(dialect.name === 'postgres'
      ? ['listed_events_long_start on listed_events (start_local, dated_at, event_id, end_local) where is_long = 1']
      : []),
    'listed_events_event on listed_events (event_id)',
    'listed_events_group on listed_events (group_id) where group_id IS NOT NULL',
    'listed_events_series on listed_events (series_id, start_local) where series_id IS NOT NULL',
  ])
    await sql.raw(`create index ${index}`).execute(db)
  await finish(
    db.schema
      .createTable('event_facets')
      .addColumn('facet', id, (c) => c.notNull())
      .addColumn('place', id, (c) => c.notNull())
      .addPrimaryKeyConstraint('event_facets_key', ['facet', 'place']),
    { isClustered: true },
  ).execute()
  await sql`insert into stale_events (event_id) select record_id from events where true
    on conflict (event_id) do nothing`.execute(db)
}
