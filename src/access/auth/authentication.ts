import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { fail, type ProblemCode, type ProblemOptions } from '../../base/problems.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { Deps } from '../deps.ts'
import { type Actor, visitor } from './actor.ts'
import { type Credentials, looksLikeSecret, secretDigest } from './credentials.ts'
import { findKeyByDigest, noteKeyUse } from './key.repository.ts'
import { type HeldKey, heldKey, type Key, type KeyDigests, type NotedUse, validDigestsOf } from './key.ts'
import { findLogin } from './login.repository.ts'
import { findSessionByDigest, noteSessionUse } from './session.repository.ts'
import { sessionDigest } from './session.service.ts'
import { isOpen, type Session } from './session.ts'
import { findUserWithRevision, type UserWithRevision } from './user.repository.ts'

/** The sender of a request, and the number of their last write: 0 for visitors. */
export interface Caller {
  readonly actor: Actor
  readonly lastRevision: number
  /** Set if the request comes from a browser in which a user has signed in. */
  readonly session?: Session
  /** Set if the request comes from a program that presented an application password. */
  readonly key?: HeldKey
}

/** Problems that report wrong credentials. Each counts as a failed guess. */
export const credentialFailures: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'incorrect_password',
  'sign-in-failed',
  'current-password-wrong',
  'link-not-valid',
])

const anonymous: Caller = { actor: visitor, lastRevision: 0 }

/** The problem for a program whose token is not valid (RFC 6750, 3.1). */
const invalidToken: ProblemOptions = {
  text: 'incorrect_password.key',
  headers: { 'WWW-Authenticate': 'Bearer realm="calendar", error="invalid_token"' },
}

/** Minimum interval between two notes of the last use of a key or session. */
const noteEverySeconds = 300

/**
 * Returns the owner of the credentials. It reads the database on every call and caches nothing, so a revocation takes
 * effect at once on all nodes. An unknown user and a wrong password give the same error, so that clients cannot find
 * out which users exist (conventions.md §9 row 9).
 *
 * @throws incorrect_password
 */
export async function authenticate(deps: Deps, credentials: Credentials | undefined): Promise<Caller> {
  if (!credentials) return anonymous
  if (credentials.kind === 'basic') return byPassword(deps, credentials.login, credentials.secret)
  return credentials.kind === 'bearer' ? byToken(deps, credentials.secret) : bySession(deps, credentials.secret)
}

async function byPassword(deps: Deps, login: string, secret: string): Promise<Caller> {
  const { db } = deps.storage
  const { writer, keys } = await findLogin(db, login)
  const sent = Buffer.from(secretDigest(secret), 'hex')
  const opens = (digest: string) => timingSafeEqual(Buffer.from(digest, 'hex'), sent)
  // Compares all keys, even after a match, so that the time taken reveals nothing.
  const [key] = keys.filter((known) => validDigestsOf(known, deps.now()).filter(opens).length > 0)
  if (!writer || !key) return fail('incorrect_password')
  return callerOf(deps, writer, { key, digest: sent.toString('hex') })
}

/**
 * Contract: a token that is not in our format is treated as a visitor's. A token that is or was ours, or that could be,
 * is refused.
 */
async function byToken(deps: Deps, secret: string): Promise<Caller> {
  const digest = secretDigest(secret)
  const key = await findKeyByDigest(deps.storage.db, digest)
  const writer = key && (await findUserWithRevision(deps.storage.db, key.userId))
  if (writer && validDigestsOf(key, deps.now()).includes(digest)) return callerOf(deps, writer, { key, digest })
  return key || looksLikeSecret(secret) ? fail('incorrect_password', invalidToken) : anonymous
}

/** Treats an ended session as a visitor's: the browser cannot know that it has ended, and may continue to read. */
async function bySession(deps: Deps, secret: string): Promise<Caller> {
  const { storage, now } = deps
  const session = await findSessionByDigest(storage.db, sessionDigest(secret))
  const writer = session && isOpen(session, now()) ? await findUserWithRevision(storage.db, session.userId) : undefined
  if (!writer || !session) return anonymous
  noteUse(deps, { what: `session ${session.id}`, lastNoted: session.lastSeenAt }, (tx, use) =>
    noteSessionUse(tx, session.id, use),
  )
  return { ...callerFrom(writer), session }
}

function callerOf(
  deps: Deps,
  writer: UserWithRevision,
  { key, digest }: { readonly key: Key & KeyDigests; readonly digest: string },
): Caller {
  const { id, lastUsedAt = 0 } = key
  noteUse(deps, { what: `key ${id}`, lastNoted: lastUsedAt }, (tx, use) => noteKeyUse(tx, id, use))
  return { ...callerFrom(writer), key: heldKey(key, digest) }
}

function callerFrom({ user, lastRevision }: UserWithRevision): Caller {
  return { actor: { kind: 'user', id: user.id, role: user.role }, lastRevision }
}

/**
 * The uses that this process has recorded and their times, by storage. Of many concurrent requests only one writes the
 * use.
 */
const noted = new WeakMap<Deps['storage'], LRUCache<string, number>>()
const maxNoted = 10_000

/** Notes a use in the background. The request neither waits for it nor fails with it: the next request tries again. */
function noteUse(
  { storage, now }: Deps,
  { what, lastNoted }: { readonly what: string; readonly lastNoted: number },
  write: (tx: Tx, use: NotedUse) => Promise<void>,
): void {
  const at = now()
  const before = at - noteEverySeconds
  const own = noted.get(storage) ?? new LRUCache<string, number>({ max: maxNoted })
  noted.set(storage, own)
  if (Math.max(lastNoted, own.get(what) ?? 0) > before) return
  own.set(what, at)
  storage.writeWithoutRevision((tx) => write(tx, { at, before })).catch(() => own.delete(what))
}
