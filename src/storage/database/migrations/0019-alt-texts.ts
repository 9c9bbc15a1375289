import type { Kysely } from 'kysely'
import type { Dialect, Trigger } from '../dialect.ts'

/** What pictures show, in words, by language; and which of them only decorate. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable('media')
    .addColumn('alt_texts', dialect.text, (column) => column.notNull().defaultTo('{}'))
    .execute()
  await db.schema
    .alterTable('media')
    .addColumn('is_decorative', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await auditMedia(db, dialect)
}

const media = {
  ...{ file: 'file', mime_type: 'mime_type', width: 'width', height: 'height', filesize: 'size_bytes' },
  ...{ alt_texts: 'alt_texts', decorative: 'is_decorative' },
} as const

/** The triggers that record changes of pictures know the new columns: they are created again. */
async function auditMedia(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const members = (row: 'new' | 'old') => Object.entries(media).map(([name, column]) => `'${name}', ${row}.${column}`)
  const json = (row: 'new' | 'old') => `cast(${dialect.jsonObject}(${members(row)}) as text)`
  const note = (row: 'new' | 'old', became: string) =>
    `insert into audit_pending (subject, item_id, area, part_id, kind, was, became)
      values ('record', ${row}.record_id, 'media', 0, 'media', ${json('old')}, ${became})
      on conflict (subject, item_id, area, part_id) do update set became = excluded.became`
  const triggers: readonly Omit<Trigger, 'table'>[] = [
    { name: 'media_audit_delete', on: 'delete', statement: note('old', 'null') },
    { name: 'media_audit_update', on: 'update', columns: Object.values(media), statement: note('new', json('new')) },
  ]
  for (const trigger of triggers) {
    await dialect.dropTrigger(db, { name: trigger.name, table: 'media' })
    await dialect.createTrigger(db, { ...trigger, table: 'media' })
  }
}
