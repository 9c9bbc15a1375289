import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Creates the table of import sources, by which imported items are recognised again. */
export async function up(db: Kysely<unknown>, { finish, id, text, instant }: Dialect): Promise<void> {
  await finish(
    db.schema
      .createTable('imported_records')
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('source', text, (c) => c.notNull())
      .addColumn('record_id', id, (c) => c.references('records.id').onDelete('cascade'))
      .addColumn('term_id', id, (c) => c.references('terms.id').onDelete('cascade'))
      .addColumn('digest', text, (c) => c.notNull())
      .addColumn('shift_days', 'integer', (c) => c.notNull())
      .addColumn('imported_at', instant, (c) => c.notNull())
      .addPrimaryKeyConstraint('imported_records_key', ['kind', 'source']),
  ).execute()
  await db.schema.createIndex('imported_records_record').on('imported_records').column('record_id').execute()
  await db.schema.createIndex('imported_records_term').on('imported_records').column('term_id').execute()
}
