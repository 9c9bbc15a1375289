import type { Db, Tx, UserRow } from '../storage/tables.ts'
import { type Actor, isRole, type Role, type UserId, visitor } from './actor.ts'

export interface User {
  readonly id: UserId
  readonly name: string
  readonly email: string
  readonly role: Role
}

function userFromRow(row: UserRow): User {
  if (!isRole(row.role)) throw new Error(`User ${row.id} has the unknown role ${row.role}.`)
  return { id: row.id as UserId, name: row.name, email: row.email, role: row.role }
}

/** The user of this name, or, where the text holds an “@”, of this e-mail address; letter case does not count. */
export async function findUserByLogin(db: Db, login: string): Promise<User | undefined> {
  const row = await findRowByLogin(db, login)
  return row && userFromRow(row)
}

/** The same, with the number of the last write that the user asked for. */
export async function findWriterByLogin(
  db: Db,
  login: string,
): Promise<{ readonly user: User; readonly lastRevision: number } | undefined> {
  const row = await findRowByLogin(db, login)
  return row && { user: userFromRow(row), lastRevision: row.last_revision }
}

async function findRowByLogin(db: Db, login: string): Promise<UserRow | undefined> {
  const folded = login.toLowerCase()
  const byName = await db.selectFrom('users').selectAll().where('name_folded', '=', folded).executeTakeFirst()
  if (byName || !login.includes('@')) return byName
  return db.selectFrom('users').selectAll().where('email', '=', folded).executeTakeFirst()
}

export async function hasUser(db: Db, id: number): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

export async function hasAnyUser(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** The user with this id as somebody who asks; a visitor where there is none. */
export async function findActor(db: Db, id: number): Promise<Actor> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return visitor
  const user = userFromRow(row)
  return { kind: 'user', id: user.id, role: user.role }
}

export async function listUsers(db: Db): Promise<readonly User[]> {
  const rows = await db.selectFrom('users').selectAll().orderBy('id').execute()
  return rows.map(userFromRow)
}

export async function insertUser(tx: Tx, user: Omit<User, 'id'>, now: number): Promise<User> {
  const row = await tx
    .insertInto('users')
    .values({
      name: user.name,
      name_folded: user.name.toLowerCase(),
      email: user.email.toLowerCase(),
      role: user.role,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return userFromRow(row)
}

export async function removeUser(tx: Tx, id: UserId): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute()
}

/** How many records belong to the user. */
export async function countRecordsOf(db: Db, id: UserId): Promise<number> {
  const { count } = await db
    .selectFrom('records')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('author_id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Digests of the user's application passwords, hex. */
export async function listDigests(db: Db, id: UserId): Promise<readonly string[]> {
  const rows = await db.selectFrom('application_passwords').select('digest').where('user_id', '=', id).execute()
  return rows.map((row) => row.digest)
}

export async function insertDigest(tx: Tx, id: UserId, label: string, digest: string, now: number): Promise<void> {
  await tx.insertInto('application_passwords').values({ user_id: id, label, digest, created_at: now }).execute()
}

export async function removeDigests(tx: Tx, id: UserId): Promise<void> {
  await tx.deleteFrom('application_passwords').where('user_id', '=', id).execute()
}
