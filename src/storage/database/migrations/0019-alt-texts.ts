import type { Kysely } from 'kysely'
import { createAuditTriggers } from '../audit.triggers.ts'
import type { Dialect } from '../dialect.ts'

/** Adds alternative texts of pictures by language, and whether a picture is decorative. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable('media')
    .addColumn('alt_texts', dialect.text, (column) => column.notNull().defaultTo('{}'))
    .execute()
  await db.schema
    .alterTable('media')
    .addColumn('is_decorative', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await createAuditTriggers(db, dialect, { table: 'media', kind: 'media', names: media })
}

const media = {
  ...{ file: 'file', mime_type: 'mime_type', width: 'width', height: 'height', filesize: 'size_bytes' },
  ...{ alt_texts: 'alt_texts', decorative: 'is_decorative' },
} as const
