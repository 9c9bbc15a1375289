import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Content may be in any language. The database stores the languages that it has been opened with, and which bit of
 * `shown_to` represents which preference of lists. Bits that are already stored keep their meaning.
 */
export async function up(db: Kysely<unknown>, { finish, text }: Dialect): Promise<void> {
  await finish(
    db.schema.createTable('content_languages').addColumn('tag', text, (c) => c.primaryKey().notNull()),
  ).execute()
  await sql`insert into content_languages (tag) values ('en'), ('en-CA'), ('fr-CA')`.execute(db)
  await finish(
    db.schema
      .createTable('list_preferences')
      .addColumn('place', 'integer', (c) => c.primaryKey().notNull())
      .addColumn('preference', text, (c) => c.notNull().unique()),
  ).execute()
  await sql`insert into list_preferences (place, preference) values
    (0, 'en,en-CA'), (1, 'en,en-CA,fr-CA'), (2, 'en-CA,en'), (3, 'en-CA,en,fr-CA'), (4, 'fr-CA,en,en-CA'),
    (5, 'fr-CA,en-CA,en'), (6, 'fr-CA'), (7, 'en only'), (8, 'en,en-CA only'), (9, 'en-CA only'),
    (10, 'en-CA,en only'), (11, 'fr-CA only')`.execute(db)
}
