import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Adds what a key may do. Keys that exist may write, as before. */
export async function up(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .alterTable('application_passwords')
    .addColumn('scope', text, (c) => c.notNull().defaultTo('write'))
    .execute()
}
