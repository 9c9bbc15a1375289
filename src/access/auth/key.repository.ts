import { sql } from 'kysely'
import type { Db, KeyRow, Tx } from '../../storage/database/tables.ts'
import type { UserId } from './actor.ts'
import type { Key, KeyDigests, KeyId, NotedUse } from './key.ts'

/** Returns a row as a key. */
export function keyFromRow(row: KeyRow): Key & KeyDigests {
  return {
    id: row.id as KeyId,
    userId: row.user_id as UserId,
    label: row.label,
    scope: row.scope,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
    previousUntil: row.previous_until ?? undefined,
    makers: (row.makers?.trim().split(' ') ?? []).map((id) => Number(id) as KeyId),
    digest: row.digest,
    previousDigest: row.previous_digest ?? undefined,
  }
}

/** Returns the keys of a user, the oldest first. */
export async function listKeys(db: Db, userId: number): Promise<readonly (Key & KeyDigests)[]> {
  const rows = await db.selectFrom('application_passwords').selectAll().where('user_id', '=', userId).execute()
  // Sorted here and not by the database: for so few keys, SQLite takes four times as long, at every signed request.
  return rows.map(keyFromRow).toSorted((one, other) => one.id - other.id)
}

/** Returns the keys of all users, the oldest first, with the names of the users. */
export async function listAllKeys(db: Db): Promise<readonly (Key & KeyDigests & { readonly user: string })[]> {
  const rows = await db
    .selectFrom('application_passwords')
    .innerJoin('users', 'users.id', 'application_passwords.user_id')
    .selectAll('application_passwords')
    .select('users.name as user')
    .orderBy('application_passwords.id')
    .execute()
  return rows.map((row) => ({ ...keyFromRow(row), user: row.user }))
}

/** Returns the key with this digest, current or from before its last rotation. */
export async function findKeyByDigest(db: Db, digest: string): Promise<(Key & KeyDigests) | undefined> {
  const row = await db
    .selectFrom('application_passwords')
    .selectAll()
    .where((e) => e.or([e('digest', '=', digest), e('previous_digest', '=', digest)]))
    .executeTakeFirst()
  return row && keyFromRow(row)
}

export async function findKey(db: Db, id: KeyId): Promise<Key | undefined> {
  const row = await db.selectFrom('application_passwords').selectAll().where('id', '=', id).executeTakeFirst()
  return row && keyFromRow(row)
}

/** Returns a key with the role of its user, or undefined if either no longer exists. One query. */
export async function findKeyAndRole(
  db: Db,
  id: KeyId,
): Promise<{ readonly key: Key & KeyDigests; readonly role: string } | undefined> {
  // Not “=”, because SQLite then plans the join again for every value.
  const { rows } = await sql<KeyRow & { role: string }>`
    select application_passwords.*, users.role
    from application_passwords join users on users.id = application_passwords.user_id
    where application_passwords.id in (${id})`.execute(db)
  const [row] = rows
  return row && { key: keyFromRow(row), role: row.role }
}

export async function insertKey(
  tx: Tx,
  key: Pick<Key, 'userId' | 'label' | 'scope' | 'createdAt' | 'expiresAt' | 'makers'> & Pick<KeyDigests, 'digest'>,
): Promise<Key> {
  const row = await tx
    .insertInto('application_passwords')
    .values({
      user_id: key.userId,
      label: key.label,
      scope: key.scope,
      digest: key.digest,
      created_at: key.createdAt,
      expires_at: key.expiresAt ?? null,
      makers: makersText(key.makers),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return keyFromRow(row)
}

const makersText = (makers: readonly KeyId[]) => (makers.length === 0 ? null : ` ${makers.join(' ')} `)

/** Replaces the digest. The previous digest stays valid until the given time, if there is one. */
export async function replaceKeyDigest(
  tx: Tx,
  id: KeyId,
  { digest, previousUntil, makers }: Pick<Key, 'previousUntil' | 'makers'> & Pick<KeyDigests, 'digest'>,
): Promise<Key | undefined> {
  const row = await tx
    .updateTable('application_passwords')
    .set((e) => ({
      digest,
      previous_digest: previousUntil === undefined ? null : e.ref('digest'),
      previous_until: previousUntil ?? null,
      makers: makersText(makers),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && keyFromRow(row)
}

/** Notes a use, unless one was noted since `before`. */
export async function noteKeyUse(tx: Tx, id: KeyId, { at, before }: NotedUse): Promise<void> {
  await tx
    .updateTable('application_passwords')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((e) => e.or([e('last_used_at', 'is', null), e('last_used_at', '<=', before)]))
    .execute()
}

/** Removes a key, and all keys of the same user that it led to directly or indirectly. Returns the removed keys. */
export async function removeKeyAndDescendants(
  tx: Tx,
  { id, userId }: Pick<Key, 'id' | 'userId'>,
): Promise<readonly Key[]> {
  const rows = await tx
    .deleteFrom('application_passwords')
    .where((e) => e.or([e('id', '=', id), e.and([e('user_id', '=', userId), e('makers', 'like', `% ${id} %`)])]))
    .returningAll()
    .execute()
  return rows.filter((row) => row.id !== id).map(keyFromRow)
}

export async function removeKeysOf(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('application_passwords').where('user_id', '=', userId).execute()
}
