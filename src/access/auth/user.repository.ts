import { sql } from 'kysely'
import type { Db, Tx, UserRow } from '../../storage/database/tables.ts'
import { type Actor, isRole, type UserId, visitor } from './actor.ts'
import type { User } from './user.ts'

function userFromRow(row: UserRow): User {
  if (!isRole(row.role)) throw new Error(`User ${row.id} has the unknown role ${row.role}.`)
  return { id: row.id as UserId, name: row.name, email: row.email, role: row.role }
}

/** A user, with the number of that user's last write. */
export interface UserWithRevision {
  readonly user: User
  readonly lastRevision: number
}

/** Returns a row as a user. */
export const userWithRevisionFromRow = (row: UserRow): UserWithRevision => ({
  user: userFromRow(row),
  lastRevision: row.last_revision,
})

/** Returns the user with this name or, if the text contains “@”, with this email address. Ignores letter case. */
export async function findUserByLogin(db: Db, login: string): Promise<User | undefined> {
  const folded = login.toLowerCase()
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where((e) => {
      const isName = e('name_folded', '=', folded)
      return login.includes('@') ? e.or([isName, e('email', '=', folded)]) : isName
    })
    .execute()
  const row = chooseByLogin(rows, folded)
  return row && userFromRow(row)
}

/** Returns the user with this name, or else the first with this email address. */
export function chooseByLogin<R extends Pick<UserRow, 'id' | 'name_folded'>>(
  rows: readonly R[],
  folded: string,
): R | undefined {
  const inOrder = rows.toSorted((one, other) => one.id - other.id)
  return inOrder.find(({ name_folded }) => name_folded === folded) ?? inOrder[0]
}

export async function findUserWithRevision(db: Db, id: number): Promise<UserWithRevision | undefined> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  return row && userWithRevisionFromRow(row)
}

export async function findUser(db: Db, id: number): Promise<User | undefined> {
  return (await findUserWithRevision(db, id))?.user
}

export async function hasUser(db: Db, id: number): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

export async function hasAnyUser(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Returns the user with this id as an actor, or a visitor if there is no such user. */
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

export async function updateUser(tx: Tx, { id, email, role }: Pick<User, 'id' | 'email' | 'role'>): Promise<void> {
  await tx.updateTable('users').set({ email: email.toLowerCase(), role }).where('id', '=', id).execute()
}

export async function countAdministrators(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('role', '=', 'administrator')
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function removeUser(tx: Tx, id: UserId): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute()
}

/** Returns the number of records that belong to the user. */
export async function countRecordsOf(db: Db, id: UserId): Promise<number> {
  const { count } = await db
    .selectFrom('records')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('author_id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** What a record takes besides its texts, in bytes, about. */
const recordBytes = 2048

/** Returns the size of what a user has stored and nobody has published: its texts, and some bytes for each record. */
export async function countDraftBytes(db: Db, userId: UserId): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select cast(coalesce(sum(octet_length(title) + octet_length(content) + octet_length(excerpt) + ${sql.lit(recordBytes)}), 0) as bigint) as bytes
    from records where author_id = ${userId} and status not in ('publish', 'future', 'private')`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

/**
 * Returns the hash of the user's own password, or undefined if there is none. One query, whether or not the user
 * exists.
 */
export async function findPasswordHash(db: Db, userId: number): Promise<string | undefined> {
  const row = await db.selectFrom('account_passwords').select('hash').where('user_id', '=', userId).executeTakeFirst()
  return row?.hash
}

export async function putPasswordHash(
  tx: Tx,
  userId: UserId,
  { hash, at }: { readonly hash: string; readonly at: number },
): Promise<void> {
  await tx
    .insertInto('account_passwords')
    .values({ user_id: userId, hash, changed_at: at })
    .onConflict((c) => c.column('user_id').doUpdateSet({ hash, changed_at: at }))
    .execute()
}

/** Replaces the hash `before` with another hash of the same password, if `before` is still the stored one. */
export async function replacePasswordHash(
  tx: Tx,
  userId: UserId,
  { hash, before }: { readonly hash: string; readonly before: string },
): Promise<void> {
  await tx
    .updateTable('account_passwords')
    .set({ hash })
    .where('user_id', '=', userId)
    .where('hash', '=', before)
    .execute()
}
