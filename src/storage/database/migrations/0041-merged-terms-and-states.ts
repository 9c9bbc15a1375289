import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Adds the categories and tags that a merge removed, so that it can be undone, and the index that lists of events in the
 * order of their states are read from.
 */
export async function up(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema.alterTable('merges').addColumn('terms', text).execute()
  await sql`create index records_event_state on records (kind, status, id) where kind = 'event'`.execute(db)
}
