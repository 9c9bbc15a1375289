import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Which version of the program brought the database to which form, for older programs that meet a form they do not know.
 * They read it as it stands here: no later migration may change it.
 */
export async function up(db: Kysely<unknown>, { finish, text }: Dialect): Promise<void> {
  await finish(
    db.schema
      .createTable('program_versions')
      .addColumn('migration', text, (c) => c.primaryKey().notNull())
      .addColumn('version', text, (c) => c.notNull()),
  ).execute()
}
