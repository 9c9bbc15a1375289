import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { fail } from '../../base/problems.ts'
import { leaveUnrecorded } from '../../storage/database/audit.ts'
import type { Deps } from '../deps.ts'
import type { UserId } from './actor.ts'
import { hashPassword, isOutdated, isPassword } from './password.hash.ts'
import { findPasswordHash, putPasswordHash, replacePasswordHash } from './password.repository.ts'
import {
  insertSession,
  listSessions,
  removeEndedSessions,
  removeSessions,
  removeSessionsOf,
} from './session.repository.ts'
import { isOpen, longestSessionSeconds, mostSessions, type Session, type SessionId } from './session.ts'
import { findUser, findUserByLogin } from './user.repository.ts'
import type { User } from './user.ts'

const secretBytes = 32

/** A session that was just opened, with what the browser is to hold. */
export interface OpenedSession {
  readonly user: User
  readonly session: Session
  readonly secret: string
}

/** What is kept of what a browser holds, hex. A fast hash is enough: it is random and long. */
export function sessionDigest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** What a page must send to change something: only who can read an answer to the browser knows it. */
export function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url')
}

export function isCsrfToken(secret: string, token: string): boolean {
  const expected = Buffer.from(csrfTokenOf(secret))
  const sent = Buffer.from(token)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

/**
 * Signs a person in. An unknown user, one without a password and a wrong password get one answer, after the same work.
 *
 * @throws sign-in-failed, service_unavailable
 */
export async function signIn(deps: Deps, login: string, password: string): Promise<OpenedSession> {
  const { storage, now } = deps
  const user = await findUserByLogin(storage.db, login)
  const kept = await findPasswordHash(storage.db, user?.id ?? 0)
  const isRight = await isPassword(kept, password)
  if (!user || !kept || !isRight) return fail('sign-in-failed')
  const renewed = isOutdated(kept) ? await hashPassword(password) : undefined
  const secret = randomBytes(secretBytes).toString('base64url')
  const session = await storage.writeAside(async (tx) => {
    // Asked again inside: what was changed or removed while it was hashed opens nothing.
    const still = await findPasswordHash(tx, user.id)
    if (still !== kept) return fail('sign-in-failed')
    if (renewed) await replacePasswordHash(tx, user.id, { hash: renewed, before: kept })
    await removeEndedSessions(tx, now())
    // So far only tidied up: nobody did anything.
    await leaveUnrecorded(tx)
    const others = await listSessions(tx, user.id)
    await removeSessions(
      tx,
      others.filter((one, place) => !isOpen(one, now()) || place >= mostSessions - 1).map(({ id }) => id),
    )
    const times = { createdAt: now(), expiresAt: now() + longestSessionSeconds }
    return insertSession(tx, { userId: user.id, ...times }, sessionDigest(secret))
  })
  return { user, session, secret }
}

/** What a person is to sign in with. */
interface NewPassword {
  readonly password: string
  /** The session that goes on: the one that asks. */
  readonly kept?: SessionId | undefined
}

/**
 * Sets what a person signs in with, and ends that person's other sessions.
 *
 * @throws user-not-found
 */
export async function setPassword(deps: Deps, userId: UserId, { password, kept }: NewPassword): Promise<void> {
  const hash = await hashPassword(password)
  await deps.storage.writeAside(async (tx) => {
    if (!(await findUser(tx, userId))) fail('user-not-found')
    await putPasswordHash(tx, userId, { hash, at: deps.now() })
    await removeSessionsOf(tx, userId, kept)
  })
}

/**
 * Checks that whoever changes a password knows the one there is. Where there is none, nothing need be known.
 *
 * @throws current-password-wrong
 */
export async function assertKnowsPassword(deps: Deps, userId: UserId, password: string | undefined): Promise<void> {
  const kept = await findPasswordHash(deps.storage.db, userId)
  if (kept === undefined) return
  if (!(await isPassword(kept, password ?? ''))) fail('current-password-wrong')
}

export async function openSessions({ storage, now }: Deps, userId: UserId): Promise<readonly Session[]> {
  return (await listSessions(storage.db, userId)).filter((session) => isOpen(session, now()))
}

/**
 * Ends a session of this user at once and on all nodes.
 *
 * @throws session-not-found
 */
export async function endSession({ storage }: Deps, userId: UserId, id: SessionId): Promise<void> {
  await storage.writeAside(async (tx) => {
    if (!(await listSessions(tx, userId)).some((session) => session.id === id)) fail('session-not-found')
    await removeSessions(tx, [id])
  })
}
