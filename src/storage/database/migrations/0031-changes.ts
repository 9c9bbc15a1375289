import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Creates the log of public changes. Triggers note the changed items, and the transaction that changed them updates their
 * rows. All items are noted now, so that the log begins with everything that is public.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { finish, id, text, instant } = dialect
  await finish(
    db.schema
      .createTable('changes')
      .addColumn('number', id, (c) => c.primaryKey().notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('item_id', id, (c) => c.notNull())
      .addColumn('is_deleted', 'integer', (c) => c.notNull())
      .addColumn('at', instant, (c) => c.notNull())
      .addColumn('language', text, (c) => c.notNull())
      .addColumn('version', text, (c) => c.notNull()),
  ).execute()
  await db.schema.createIndex('changes_item').unique().on('changes').columns(['item_id', 'kind']).execute()
  await db.schema.createIndex('changes_kind').on('changes').columns(['kind', 'number']).execute()
  await db.schema
    .createIndex('changes_deleted')
    .on('changes')
    .columns(['at', 'number'])
    .where(sql.ref('is_deleted'), '=', sql.lit(1))
    .execute()
  // One row. A database that is restored or copied runs this migration, so its log has another epoch.
  await finish(
    db.schema
      .createTable('change_log')
      .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
      .addColumn('epoch', text, (c) => c.notNull())
      .addColumn('last', id, (c) => c.notNull())
      .addColumn('floor', id, (c) => c.notNull()),
  ).execute()
  await sql`insert into change_log (id, epoch, last, floor) values (1, ${randomBytes(6).toString('hex')}, 0, 0)`.execute(
    db,
  )
  await finish(
    db.schema
      .createTable('stale_items')
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('item_id', id, (c) => c.notNull())
      .addPrimaryKeyConstraint('stale_items_key', ['kind', 'item_id']),
    { isClustered: true },
  ).execute()
  await noteRecords(db, dialect)
  await noteTerms(db, dialect)
  await sql`insert into stale_items (kind, item_id)
    select kind, id from records where kind in ('event', 'venue', 'organizer')`.execute(db)
  await sql`insert into stale_items (kind, item_id) select taxonomy, id from terms`.execute(db)
  await db.schema.createIndex('records_modified').on('records').columns(['kind', 'modified_at', 'id']).execute()
}

const note = (kind: string, id: string) =>
  `insert into stale_items (kind, item_id) select ${kind}, ${id} where true on conflict (kind, item_id) do nothing`

async function noteRecords(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTrigger(db, {
    ...{ name: 'records_stale_count', table: 'records', on: 'update', columns: ['change_count'] },
    when: `new.kind = 'event'`,
    statement: note(`'event'`, 'new.id'),
  })
  for (const [on, row] of [
    ['insert', 'new'],
    ['delete', 'old'],
    ['update', 'new'],
  ] as const) {
    await dialect.createTrigger(db, {
      ...{ name: `records_stale_item_${on}`, table: 'records', on },
      ...(on === 'update' ? { columns: ['change_count', 'status', 'slug', 'language'] } : {}),
      when: `${row}.kind in ('venue', 'organizer')`,
      statement: note(`${row}.kind`, `${row}.id`),
    })
  }
}

async function noteTerms(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const [on, row] of [
    ['insert', 'new'],
    ['delete', 'old'],
    ['update', 'new'],
  ] as const) {
    await dialect.createTrigger(db, {
      ...{ name: `terms_stale_item_${on}`, table: 'terms', on },
      statement: note(`${row}.taxonomy`, `${row}.id`),
    })
  }
  // The address of a category contains the slugs of its ancestors.
  await dialect.createTrigger(db, {
    ...{ name: 'terms_stale_branch', table: 'terms', on: 'update', columns: ['slug', 'parent_id'] },
    when: 'new.slug <> old.slug or new.parent_id <> old.parent_id',
    statement: note(`'branch'`, 'new.id'),
  })
}
