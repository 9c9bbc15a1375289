import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Adds the categories and tags that a merge removed, so that it can be undone. */
export async function up(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema.alterTable('merges').addColumn('terms', text).execute()
}
