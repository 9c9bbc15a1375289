import type { Kysely } from 'kysely'

/** How often a record was changed: calendars tell by it which of two states of an event is the newer one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('records')
    .addColumn('change_count', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
