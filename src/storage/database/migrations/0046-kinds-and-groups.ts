import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Adds an index of audit entries by kind, in the order of lists. Creates a trigger again, without a condition that always
 * held: all records of a group are of one kind. Because of it, SQLite read the ids of all events when one of them changed.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.createIndex('audit_kind').on('audit').columns(['kind', 'at', 'id']).execute()
  await dialect.dropTrigger(db, { name: 'records_stale_update', table: 'records' })
  await dialect.createTrigger(db, {
    ...{ name: 'records_stale_update', table: 'records', on: 'update', when: "new.kind = 'event'" },
    columns: ['status', 'language', 'dated_at', 'group_id'],
    statement: `insert into stale_events (event_id)
      select id from records where id = new.id or group_id = new.group_id or group_id = old.group_id
      on conflict (event_id) do nothing`,
  })
}
