import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Creates the table of idempotency keys: which write a user has requested under which key. */
export async function up(db: Kysely<unknown>, { finish, id, text, instant }: Dialect): Promise<void> {
  await finish(
    db.schema
      .createTable('idempotency_keys')
      .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('digest', text, (c) => c.notNull())
      .addColumn('request', text, (c) => c.notNull())
      .addColumn('result', text, (c) => c.notNull())
      .addColumn('used_at', instant, (c) => c.notNull())
      .addPrimaryKeyConstraint('idempotency_keys_key', ['user_id', 'digest']),
  ).execute()
  await db.schema.createIndex('idempotency_keys_used').on('idempotency_keys').column('used_at').execute()
}
