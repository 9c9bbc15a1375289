import type { Db, Row, Tx } from '../../storage/database/tables.ts'
import type { UserId } from './actor.ts'
import type { NotedUse } from './key.ts'
import type { Session, SessionId } from './session.ts'

function sessionFromRow(row: Row<'sessions'>): Session {
  return {
    id: row.id as SessionId,
    userId: row.user_id as UserId,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  }
}

export async function findSessionByDigest(db: Db, digest: string): Promise<Session | undefined> {
  const row = await db.selectFrom('sessions').selectAll().where('digest', '=', digest).executeTakeFirst()
  return row && sessionFromRow(row)
}

/** Returns a session with the role of its user, or undefined if either no longer exists. One query. */
export async function findSessionAndRole(
  db: Db,
  id: SessionId,
): Promise<{ readonly session: Session; readonly role: string } | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('sessions')
    .select('users.role')
    // Not “=”, because SQLite then plans the join again for every value.
    .where('sessions.id', 'in', [id])
    .executeTakeFirst()
  return row && { session: sessionFromRow(row), role: row.role }
}

/** Returns the sessions of a user, the most recently used first. */
export async function listSessions(db: Db, userId: UserId): Promise<readonly Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(sessionFromRow)
}

export async function insertSession(
  tx: Tx,
  { userId, createdAt, expiresAt }: Pick<Session, 'userId' | 'createdAt' | 'expiresAt'>,
  digest: string,
): Promise<Session> {
  const row = await tx
    .insertInto('sessions')
    .values({ user_id: userId, digest, created_at: createdAt, last_seen_at: createdAt, expires_at: expiresAt })
    .returningAll()
    .executeTakeFirstOrThrow()
  return sessionFromRow(row)
}

/** Notes a use, unless one was noted since `before`. */
export async function noteSessionUse(tx: Tx, id: SessionId, { at, before }: NotedUse): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ last_seen_at: at })
    .where('id', '=', id)
    .where('last_seen_at', '<=', before)
    .execute()
}

export async function removeSessions(tx: Tx, ids: readonly SessionId[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('sessions').where('id', 'in', ids).execute()
}

/** Removes all sessions of a user except `kept`. */
export async function removeSessionsOf(tx: Tx, userId: UserId, kept: SessionId | undefined): Promise<void> {
  const all = tx.deleteFrom('sessions').where('user_id', '=', userId)
  await (kept === undefined ? all : all.where('id', '!=', kept)).execute()
}

/** Removes the sessions of all users. Returns their number. */
export async function removeAllSessions(tx: Tx): Promise<number> {
  return (await tx.deleteFrom('sessions').returning('id').execute()).length
}

/** Removes the expired sessions of all users. */
export async function removeEndedSessions(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom('sessions').where('expires_at', '<=', now).execute()
}
