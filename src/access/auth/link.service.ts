import { createHash, randomBytes } from 'node:crypto'
import { fail } from '../../base/problems.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import type { Deps } from '../deps.ts'
import type { UserId } from './actor.ts'
import { findLinkByDigest, markLinkUsed, putLink } from './link.repository.ts'
import { type AccessLink, type LinkKind, linkSeconds, type NewAccessLink } from './link.ts'
import { hashPassword } from './password.hash.ts'
import { removeSessionsOf } from './session.repository.ts'
import { newSessionSecret, type OpenedSession, openSession } from './session.service.ts'
import { findUser, putPasswordHash } from './user.repository.ts'
import type { User } from './user.ts'

// Links with which people choose their password (docs/decisions/0055-desk.md).

const secretBytes = 32

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/**
 * Makes a link for a user. Earlier links of the user no longer work.
 *
 * @throws user-not-found
 */
export async function createLink(deps: Deps, userId: UserId, kind: LinkKind): Promise<NewAccessLink> {
  return deps.storage.writeWithoutRevision(async (tx) => {
    if (!(await findUser(tx, userId))) fail('user-not-found')
    return addLink({ tx, at: deps.now() }, userId, kind)
  })
}

/** Makes a link in a write that has its turn. */
export async function addLink(
  { tx, at }: { readonly tx: Tx; readonly at: number },
  userId: UserId,
  kind: LinkKind,
): Promise<NewAccessLink> {
  const secret = randomBytes(secretBytes).toString('base64url')
  const link: AccessLink = { userId, kind, expiresAt: at + linkSeconds[kind], usedAt: undefined }
  await putLink(tx, link, digestOf(secret))
  return { link, secret }
}

/** A link that works, with its user. */
interface ValidLink {
  readonly user: User
  readonly link: AccessLink
}

/**
 * Returns the link with this secret, without using it.
 *
 * @throws link-not-valid
 */
export async function findLink(db: Db, secret: string, now: number): Promise<ValidLink> {
  const link = await findLinkByDigest(db, digestOf(secret))
  const user = link && (await findUser(db, link.userId))
  if (!user) return fail('link-not-valid')
  if (link.usedAt !== undefined) return fail('link-not-valid', { text: 'link-not-valid.used' })
  if (now >= link.expiresAt) return fail('link-not-valid', { text: 'link-not-valid.expired' })
  return { user, link }
}

/**
 * Uses a link: sets the password of its user, ends the sessions of that user, and signs them in. Of several requests with
 * the same link only one succeeds.
 *
 * @throws link-not-valid
 */
export async function followLink(deps: Deps, secret: string, password: string): Promise<OpenedSession> {
  const { storage, now } = deps
  // Before the costly hash.
  await findLink(storage.db, secret, now())
  const hash = await hashPassword(password)
  const session = newSessionSecret()
  return storage.writeWithoutRevision(async (tx) => {
    const { user } = await findLink(tx, secret, now())
    // First, because it discards what the audit log would say about the cleanup before it.
    const opened = await openSession({ tx, at: now() }, user, session)
    await markLinkUsed(tx, user.id, now())
    await removeSessionsOf(tx, user.id, opened.id)
    await putPasswordHash(tx, user.id, { hash, at: now() })
    return { user, session: opened, secret: session }
  })
}
