import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Creates the table of leases: which process runs a job on behalf of all processes, and until when
 * (`lease.repository.ts`).
 */
export async function up(db: Kysely<unknown>, { finish, text, instant }: Dialect): Promise<void> {
  await finish(
    db.schema
      .createTable('leases')
      .addColumn('name', text, (c) => c.primaryKey().notNull())
      .addColumn('holder', text, (c) => c.notNull())
      .addColumn('expires_at', instant, (c) => c.notNull()),
  ).execute()
}
