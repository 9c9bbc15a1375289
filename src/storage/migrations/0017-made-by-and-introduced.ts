import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Which key asked for a key. */
export async function up(db: Kysely<unknown>, { id }: Dialect): Promise<void> {
  // No reference: who made a key is known after the maker is gone.
  await db.schema.alterTable('application_passwords').addColumn('made_by', id).execute()
}
