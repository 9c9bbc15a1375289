import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Creates the table of links with which people choose their password: at most one for each user. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { finish, id, text, instant } = dialect
  await finish(
    db.schema
      .createTable('access_links')
      .addColumn('user_id', id, (c) => c.primaryKey().notNull().references('users.id').onDelete('cascade'))
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('digest', text, (c) => c.notNull().unique())
      .addColumn('expires_at', instant, (c) => c.notNull())
      .addColumn('used_at', instant),
  ).execute()
  await noteLinks(db, dialect)
}

/** A new link lets somebody choose the password of a user, so the audit log shows every new link. */
async function noteLinks(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const table = 'access_links'
  const json = (row: 'new' | 'old') => `cast(${dialect.jsonObject}('password_link', ${row}.digest) as text)`
  const note = (row: 'new' | 'old', was: string, became: string) =>
    `insert into audit_pending (subject, item_id, area, part_id, kind, was, became)
      values ('user', ${row}.user_id, '${table}', 0, 'user', ${was}, ${became})
      on conflict (subject, item_id, area, part_id) do update set became = excluded.became`
  await dialect.createTrigger(db, {
    ...{ name: `${table}_audit_insert`, table, on: 'insert' },
    statement: note('new', 'null', json('new')),
  })
  await dialect.createTrigger(db, {
    ...{ name: `${table}_audit_update`, table, on: 'update', columns: ['digest'] },
    statement: note('new', json('old'), json('new')),
  })
  await dialect.createTrigger(db, {
    ...{ name: `${table}_audit_delete`, table, on: 'delete' },
    statement: note('old', json('old'), 'null'),
  })
}
