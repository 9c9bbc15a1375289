import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Adds what merges of venues and organizers did, so that they can be undone. */
export async function up(db: Kysely<unknown>, { finish, numbered, id, text, instant }: Dialect): Promise<void> {
  await finish(
    numbered(db.schema.createTable('merges'))
      .addColumn('at', instant, (c) => c.notNull())
      // No foreign keys: a merge may outlive its user.
      .addColumn('user_id', id)
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('from_id', id, (c) => c.notNull())
      .addColumn('into_id', id, (c) => c.notNull())
      .addColumn('trashed', text, (c) => c.notNull())
      .addColumn('names', text, (c) => c.notNull())
      .addColumn('undone_at', instant),
  ).execute()
  await db.schema.createIndex('merges_at').on('merges').columns(['at', 'id']).execute()
  await finish(
    db.schema
      .createTable('merged_events')
      .addColumn('merge_id', id, (c) => c.notNull().references('merges.id').onDelete('cascade'))
      .addColumn('event_id', id, (c) => c.notNull().references('events.record_id').onDelete('cascade'))
      .addColumn('before', text, (c) => c.notNull())
      .addColumn('after', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('merged_events_key', ['merge_id', 'event_id']),
    { isClustered: true },
  ).execute()
  await db.schema.createIndex('merged_events_event').on('merged_events').column('event_id').execute()
}
