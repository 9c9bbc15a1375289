import type { Kysely } from 'kysely'

/** Adds the number of changes of a record. Calendars use it to tell which of two states of an event is newer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('records')
    .addColumn('change_count', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
