import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Adds the addresses of dates that are deleted for good, so that no other date gets them. */
export async function up(db: Kysely<unknown>, { finish, text }: Dialect): Promise<void> {
  await finish(
    db.schema
      .createTable('retired_paths')
      .addColumn('path', text, (c) => c.notNull())
      .addColumn('language', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('retired_paths_key', ['path', 'language']),
    { isClustered: true },
  ).execute()
}
