import type { Kysely } from 'kysely'

/** Adds the number of changes of a term, as records have it: preconditions of writes compare it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('terms')
    .addColumn('change_count', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
