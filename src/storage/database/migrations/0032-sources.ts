import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Adds sources, which name records by their own ids, and what they have sent. */
export async function up(db: Kysely<unknown>, { finish, id, text, instant }: Dialect): Promise<void> {
  await finish(
    db.schema
      .createTable('sources')
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('user_id', id, (c) => c.references('users.id').onDelete('set null'))
      .addColumn('created_at', instant, (c) => c.notNull())
      .addPrimaryKeyConstraint('sources_key', ['name']),
  ).execute()
  await db.schema.createIndex('sources_user').on('sources').column('user_id').execute()
  const table = 'imported_records'
  await db.schema
    .alterTable(table)
    .addColumn('source_name', text, (c) => c.references('sources.name'))
    .execute()
  await db.schema.alterTable(table).addColumn('url', text).execute()
  await db.schema.alterTable(table).addColumn('standing', text).execute()
  await db.schema.alterTable(table).addColumn('seen_at', instant).execute()
  await db.schema.alterTable(table).addColumn('gone_at', instant).execute()
  // Partial: imports of the command line have no rows in it.
  await db.schema
    .createIndex('imported_records_seen')
    .on(table)
    .columns(['source_name', 'kind', 'seen_at'])
    .where(sql<SqlBool>`"source_name" IS NOT NULL`)
    .execute()
}
