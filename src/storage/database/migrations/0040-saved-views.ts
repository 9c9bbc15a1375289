import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Creates the table of views that people keep: named filters of lists. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { finish, numbered, id, text, instant } = dialect
  await finish(
    numbered(db.schema.createTable('saved_views'))
      .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('query', text, (c) => c.notNull())
      .addColumn('change_count', id, (c) => c.notNull().defaultTo(0))
      .addColumn('modified_at', instant, (c) => c.notNull())
      .addUniqueConstraint('saved_views_name', ['user_id', 'name']),
  ).execute()
  await noteViews(db, dialect)
}

/** The audit log shows views as parts of their user, by name. */
async function noteViews(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const table = 'saved_views'
  const name = (row: 'new' | 'old') => `cast(${row}.name as text)`
  const note = (row: 'new' | 'old', was: string, became: string) =>
    `insert into audit_pending (subject, item_id, area, part_id, kind, was, became)
      values ('user', ${row}.user_id, '${table}', ${row}.id, 'user', ${was}, ${became})
      on conflict (subject, item_id, area, part_id) do update set became = excluded.became`
  await dialect.createTrigger(db, {
    ...{ name: `${table}_audit_insert`, table, on: 'insert' },
    statement: note('new', 'null', name('new')),
  })
  await dialect.createTrigger(db, {
    ...{ name: `${table}_audit_update`, table, on: 'update', columns: ['name', 'query'] },
    statement: note('new', name('old'), name('new')),
  })
  await dialect.createTrigger(db, {
    ...{ name: `${table}_audit_delete`, table, on: 'delete' },
    statement: note('old', name('old'), 'null'),
  })
}
