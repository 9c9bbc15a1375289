import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Adds the expiry, the rotation and the time of last use of keys; passwords of accounts; sessions of browsers. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await keys(db, dialect)
  await passwords(db, dialect)
  await sessions(db, dialect)
}

async function keys(db: Kysely<unknown>, { text, instant }: Dialect): Promise<void> {
  for (const column of ['expires_at', 'last_used_at', 'previous_until'] as const) {
    await db.schema.alterTable('application_passwords').addColumn(column, instant).execute()
  }
  await db.schema.alterTable('application_passwords').addColumn('previous_digest', text).execute()
  // A token comes without a user name, so its digest alone identifies the user.
  for (const column of ['digest', 'previous_digest'] as const) {
    await db.schema
      .createIndex(`application_passwords_${column}`)
      .unique()
      .on('application_passwords')
      .column(column)
      .execute()
  }
}

async function passwords(db: Kysely<unknown>, { finish, id, text, instant }: Dialect): Promise<void> {
  await finish(
    db.schema
      .createTable('account_passwords')
      .addColumn('user_id', id, (c) => c.primaryKey().notNull().references('users.id').onDelete('cascade'))
      .addColumn('hash', text, (c) => c.notNull())
      .addColumn('changed_at', instant, (c) => c.notNull()),
  ).execute()
}

async function sessions(db: Kysely<unknown>, { numbered, finish, id, text, instant }: Dialect): Promise<void> {
  await finish(
    numbered(db.schema.createTable('sessions'))
      .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('digest', text, (c) => c.notNull().unique())
      .addColumn('created_at', instant, (c) => c.notNull())
      .addColumn('last_seen_at', instant, (c) => c.notNull())
      .addColumn('expires_at', instant, (c) => c.notNull()),
  ).execute()
  await db.schema.createIndex('sessions_user').on('sessions').columns(['user_id', 'id']).execute()
  await db.schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute()
}
