import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Creates the table of links with which people choose their password: at most one for each user. */
export async function up(db: Kysely<unknown>, { finish, id, text, instant }: Dialect): Promise<void> {
  await finish(
    db.schema
      .createTable('access_links')
      .addColumn('user_id', id, (c) => c.primaryKey().notNull().references('users.id').onDelete('cascade'))
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('digest', text, (c) => c.notNull().unique())
      .addColumn('expires_at', instant, (c) => c.notNull())
      .addColumn('used_at', instant),
  ).execute()
}
