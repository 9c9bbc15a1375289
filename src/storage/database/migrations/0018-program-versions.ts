import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Adds the program version that produced each schema, for older programs that find an unknown schema. They read the
 * table as defined here: no later migration may change it.
 */
export async function up(db: Kysely<unknown>, { finish, text }: Dialect): Promise<void> {
  await finish(
    db.schema
      .createTable('program_versions')
      .addColumn('migration', text, (c) => c.primaryKey().notNull())
      .addColumn('version', text, (c) => c.notNull()),
  ).execute()
}
