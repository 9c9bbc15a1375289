import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { fail } from '../../base/problems.ts'
import { discardPendingAudit } from '../../storage/database/audit/audit.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { Deps } from '../deps.ts'
import type { UserId } from './actor.ts'
import { hashPassword, isPassword, needsRehash } from './password.hash.ts'
import {
  insertSession,
  listSessions,
  removeEndedSessions,
  removeSessions,
  removeSessionsOf,
} from './session.repository.ts'
import { isOpen, maxSessionSeconds, maxSessions, type Session, type SessionId } from './session.ts'
import { findPasswordHash, findUser, findUserByLogin, putPasswordHash, replacePasswordHash } from './user.repository.ts'
import type { User } from './user.ts'

const secretBytes = 32

/** A new session, with the secret that the browser keeps. */
export interface OpenedSession {
  readonly user: User
  readonly session: Session
  readonly secret: string
}

/** Returns the stored digest of a session secret, hex. A fast hash is enough: the secret is long and random. */
export function sessionDigest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/**
 * Returns the token that a page must send with each change. Only a page that can read responses to the browser knows
 * it.
 */
export function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url')
}

export function isCsrfToken(secret: string, token: string): boolean {
  const expected = Buffer.from(csrfTokenOf(secret))
  const sent = Buffer.from(token)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

/**
 * Signs a person in. An unknown user, a user without a password and a wrong password get the same response, after the
 * same amount of work.
 *
 * @throws sign-in-failed, service_unavailable
 */
export async function signIn(deps: Deps, login: string, password: string): Promise<OpenedSession> {
  const { storage, now } = deps
  const user = await findUserByLogin(storage.db, login)
  const kept = await findPasswordHash(storage.db, user?.id ?? 0)
  const isRight = await isPassword(kept, password)
  if (!user || !kept || !isRight) return fail('sign-in-failed')
  const renewed = needsRehash(kept) ? await hashPassword(password) : undefined
  const secret = newSessionSecret()
  const session = await storage.writeWithoutRevision(async (tx) => {
    // Reads the hash again within the transaction: a password that was changed or removed during the hashing must not
    // open a session.
    const still = await findPasswordHash(tx, user.id)
    if (still !== kept) return fail('sign-in-failed')
    if (renewed) await replacePasswordHash(tx, user.id, { hash: renewed, before: kept })
    return openSession({ tx, at: now() }, user, secret)
  })
  return { user, session, secret }
}

/** Opens a session with this secret. Ends those of the user that have expired or are too many. */
export async function openSession(
  { tx, at }: { readonly tx: Tx; readonly at: number },
  user: User,
  secret: string,
): Promise<Session> {
  await removeEndedSessions(tx, at)
  // The write so far is only cleanup, which no user has requested.
  await discardPendingAudit(tx)
  const others = await listSessions(tx, user.id)
  await removeSessions(
    tx,
    others.filter((one, place) => !isOpen(one, at) || place >= maxSessions - 1).map(({ id }) => id),
  )
  const times = { createdAt: at, expiresAt: at + maxSessionSeconds }
  return insertSession(tx, { userId: user.id, ...times }, sessionDigest(secret))
}

export function newSessionSecret(): string {
  return randomBytes(secretBytes).toString('base64url')
}

interface NewPassword {
  readonly password: string
  /** The session that stays open: the one that sent the request. */
  readonly kept?: SessionId | undefined
}

/**
 * Sets the password of a user, and ends the other sessions of that user.
 *
 * @throws user-not-found
 */
export async function setPassword(deps: Deps, userId: UserId, { password, kept }: NewPassword): Promise<void> {
  const hash = await hashPassword(password)
  await deps.storage.writeWithoutRevision(async (tx) => {
    if (!(await findUser(tx, userId))) fail('user-not-found')
    await putPasswordHash(tx, userId, { hash, at: deps.now() })
    await removeSessionsOf(tx, userId, kept)
  })
}

/**
 * Checks that a caller who changes a password knows the current one. Does nothing if there is no current password.
 *
 * @throws current-password-wrong
 */
export async function assertKnowsPassword(deps: Deps, userId: UserId, password: string | undefined): Promise<void> {
  const kept = await findPasswordHash(deps.storage.db, userId)
  if (kept === undefined) return
  if (!(await isPassword(kept, password ?? ''))) fail('current-password-wrong')
}

export async function listOpenSessions({ storage, now }: Deps, userId: UserId): Promise<readonly Session[]> {
  return (await listSessions(storage.db, userId)).filter((session) => isOpen(session, now()))
}

/**
 * Ends a session of this user, at once and on all nodes.
 *
 * @throws session-not-found
 */
export async function endSession({ storage }: Deps, userId: UserId, id: SessionId): Promise<void> {
  await storage.writeWithoutRevision(async (tx) => {
    if (!(await listSessions(tx, userId)).some((session) => session.id === id)) fail('session-not-found')
    await removeSessions(tx, [id])
  })
}
