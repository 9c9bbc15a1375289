import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Adds the number of writes, and of each user's last write. A server uses them to tell whether a replica has caught up.
 */
export async function up(db: Kysely<unknown>, { finish, id }: Dialect): Promise<void> {
  await finish(
    db.schema
      .createTable('revisions')
      .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
      .addColumn('number', id, (c) => c.notNull()),
  ).execute()
  await db.schema
    .alterTable('users')
    .addColumn('last_revision', id, (c) => c.notNull().defaultTo(0))
    .execute()
}
