import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Creates the event index and the daily counts. The event index serves public lists: each published event has one row
 * per facet (all events, featured events, events with a term, at a venue, of an organizer), in list order. The daily
 * counts say how many events begin on each day. Both are derived: triggers note the changed events, and the transaction
 * that changed them updates their rows.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { finish, id, text, instant } = dialect
  await finish(
    db.schema
      .createTable('event_listings')
      .addColumn('facet', id, (c) => c.notNull())
      .addColumn('start_local', text, (c) => c.notNull())
      .addColumn('dated_at', instant, (c) => c.notNull())
      .addColumn('event_id', id, (c) => c.notNull())
      .addColumn('end_local', text, (c) => c.notNull())
      .addColumn('start_utc', instant, (c) => c.notNull())
      .addColumn('end_utc', instant, (c) => c.notNull())
      .addColumn('shown_to', 'integer', (c) => c.notNull())
      .addColumn('is_long', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('event_listings_key', ['facet', 'start_local', 'dated_at', 'event_id']),
    { isClustered: true },
  ).execute()
  await db.schema.createIndex('event_listings_event').on('event_listings').column('event_id').execute()
  await db.schema
    .createIndex('event_listings_long')
    .on('event_listings')
    .columns(['facet', 'end_local', 'start_local', 'shown_to', 'end_utc', 'start_utc'])
    .where(sql.ref('is_long'), '=', sql.lit(1))
    .execute()
  await finish(
    db.schema
      .createTable('event_tallies')
      .addColumn('clock', 'integer', (c) => c.notNull())
      .addColumn('day', id, (c) => c.notNull())
      .addColumn('shown_to', 'integer', (c) => c.notNull())
      .addColumn('number', id, (c) => c.notNull())
      .addPrimaryKeyConstraint('event_tallies_key', ['clock', 'day', 'shown_to']),
    { isClustered: true },
  ).execute()
  await finish(
    db.schema.createTable('stale_events').addColumn('event_id', id, (c) => c.primaryKey().notNull()),
  ).execute()
  await noteChanges(db, dialect)
  await sql`insert into stale_events (event_id) select record_id from events`.execute(db)
}

async function noteChanges(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const note = (rows: string) => `insert into stale_events (event_id) select ${rows} on conflict (event_id) do nothing`
  for (const [on, row] of [
    ['insert', 'new'],
    ['delete', 'old'],
    ['update', 'new'],
  ] as const) {
    await dialect.createTrigger(db, {
      name: `events_stale_${on}`,
      table: 'events',
      on,
      ...(on === 'update'
        ? { columns: ['start_local', 'end_local', 'start_utc', 'end_utc', 'is_hidden', 'is_featured'] }
        : {}),
      statement: note(`${row}.record_id where true`),
    })
    for (const table of ['event_terms', 'event_venues', 'event_organizers']) {
      await dialect.createTrigger(db, {
        name: `${table}_stale_${on}`,
        table,
        on,
        statement: note(`${row}.event_id where true`),
      })
    }
  }
  await dialect.createTrigger(db, {
    name: 'records_stale_update',
    table: 'records',
    on: 'update',
    columns: ['status', 'language', 'dated_at', 'group_id'],
    when: "new.kind = 'event'",
    statement: note(
      `id from records where id = new.id or group_id = new.group_id or (group_id = old.group_id and kind = 'event')`,
    ),
  })
  await dialect.createTrigger(db, {
    name: 'records_stale_group',
    table: 'records',
    on: 'update',
    columns: ['group_id'],
    when: "new.kind in ('venue', 'organizer')",
    statement: note(
      `event_id from (select event_id from event_venues where venue_id = new.id
        union select event_id from event_organizers where organizer_id = new.id) linked where true`,
    ),
  })
  await dialect.createTrigger(db, {
    name: 'terms_stale_group',
    table: 'terms',
    on: 'update',
    columns: ['group_id'],
    statement: note('event_id from event_terms where term_id = new.id'),
  })
}
