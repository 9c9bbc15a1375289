import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * The translation of an event that a list shows also depends on which other translations are hidden from lists. Until
 * now this was noted only because every change of an event named the status of its record.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTrigger(db, {
    name: 'events_stale_hidden',
    table: 'events',
    on: 'update',
    columns: ['is_hidden'],
    when: 'new.is_hidden <> old.is_hidden',
    statement: `insert into stale_events (event_id)
      select id from records where group_id = (select group_id from records where id = new.record_id)
      on conflict (event_id) do nothing`,
  })
}
