import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Adds what requests did that canceled many events at once, so that they can be undone. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { finish, numbered, id, text, instant } = dialect
  await finish(
    numbered(db.schema.createTable('cancellations'))
      .addColumn('at', instant, (c) => c.notNull())
      // No foreign key: a cancellation may outlive its user.
      .addColumn('user_id', id)
      .addColumn('event_status', text, (c) => c.notNull())
      .addColumn('undone_at', instant),
  ).execute()
  await db.schema.createIndex('cancellations_at').on('cancellations').columns(['at', 'id']).execute()
  await finish(
    db.schema
      .createTable('canceled_events')
      .addColumn('cancellation_id', id, (c) => c.notNull().references('cancellations.id').onDelete('cascade'))
      .addColumn('event_id', id, (c) => c.notNull().references('events.record_id').onDelete('cascade'))
      .addColumn('before', text, (c) => c.notNull())
      .addColumn('after', text, (c) => c.notNull())
      .addColumn('undone_at', instant)
      .addPrimaryKeyConstraint('canceled_events_key', ['cancellation_id', 'event_id']),
    { isClustered: true },
  ).execute()
  await db.schema.createIndex('canceled_events_event').on('canceled_events').column('event_id').execute()
  const note = (row: 'new' | 'old', was: string, became: string) =>
    `insert into audit_pending (subject, item_id, area, part_id, kind, was, became)
      values ('cancellation', ${row}.id, 'cancellations', 0, 'cancellation', ${was}, ${became})
      on conflict (subject, item_id, area, part_id) do update set became = excluded.became`
  const json = (row: 'new' | 'old') => `cast(${dialect.jsonObject}('undone_at', ${row}.undone_at) as text)`
  const table = 'cancellations'
  await dialect.createTrigger(db, {
    ...{ name: 'cancellations_audit_insert', table, on: 'insert' },
    statement: note('new', 'null', `'{}'`),
  })
  await dialect.createTrigger(db, {
    ...{ name: 'cancellations_audit_update', table, on: 'update', columns: ['undone_at'] },
    statement: note('new', json('old'), json('new')),
  })
  await dialect.createTrigger(db, {
    ...{ name: 'cancellations_audit_delete', table, on: 'delete' },
    statement: note('old', json('old'), 'null'),
  })
}
