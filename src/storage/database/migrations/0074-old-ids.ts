import { type Kysely, sql } from 'kysely'

/**
 * Adds an index of imported records by the id that their old site gave them: the digits at the end of `host?id=12`.
 * The expression is the one of `findByOldId`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index imported_records_old_id on imported_records
    (replace(source, rtrim(source, '0123456789'), '')) where source_name IS NULL`.execute(db)
}
