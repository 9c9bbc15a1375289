import { type Kysely, sql } from 'kysely'

/**
 * Creates the index that lists of events in the order of their titles are read from. PostgreSQL cannot index a text of
 * many kilobytes, so it has the beginning of each title.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index records_event_title on records (kind, substr(title_folded, 1, 200), id)
    where kind = 'event'`.execute(db)
}
