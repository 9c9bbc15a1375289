import { fail } from '../../base/problems.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { Deps } from '../deps.ts'
import type { UserId } from './actor.ts'
import { digestOf, newSecret } from './credentials.ts'
import { changeLock, findKey, insertKey, listKeys, removeKeysOf, removeKeyWithMade } from './key.repository.ts'
import { type HeldKey, type Key, type KeyId, makersOf, mostKeys, type NewKey } from './key.ts'
import { assertWithin, newKeyEnd } from './reach.ts'
import { hasUser } from './user.repository.ts'

const daySeconds = 86_400
const hourSeconds = 3600

export interface KeyOptions {
  readonly label: string
  /** Without it the key ends with the one that makes it, or never. */
  readonly days?: number | undefined
  /** The key that asks for it; undefined where none does. */
  readonly by?: HeldKey | undefined
  /** Taken as it is; a random one is made without it. */
  readonly secret?: string | undefined
}

/**
 * Gives the user a key. The secret is shown here and never again: only its digest is kept.
 *
 * @throws user-not-found, too-many-keys, rest_invalid_param (expires_in_days)
 */
export async function createKey(deps: Deps, userId: UserId, options: KeyOptions): Promise<NewKey> {
  return deps.storage.writeAside(async (tx) => {
    if (!(await hasUser(tx, userId))) fail('user-not-found')
    if ((await listKeys(tx, userId)).length >= mostKeys) fail('too-many-keys')
    return addKey({ tx, at: deps.now() }, userId, options)
  })
}

/** @throws rest_invalid_param (expires_in_days) */
export async function addKey(
  { tx, at }: { readonly tx: Tx; readonly at: number },
  userId: UserId,
  { label, days, by, secret = newSecret() }: KeyOptions,
): Promise<NewKey> {
  const expiresAt = newKeyEnd(days === undefined ? undefined : at + days * daySeconds, by)
  const key = { userId, label, createdAt: at, expiresAt, makers: makersOf(by), digest: digestOf(secret) }
  return { key: await insertKey(tx, key), secret }
}

export interface RotateOptions {
  /** How long the secret before stays valid; 0: it ends at once. One that is older ends in any case. */
  readonly overlapHours: number
  /** The key that asks for it; undefined where none does. */
  readonly by?: HeldKey | undefined
}

/**
 * Gives a key a new secret, under the same name and until the same day. Where another key asks, it knows the secret, and
 * counts as one that has led to it.
 *
 * @throws key-not-found, beyond-own-key
 */
export async function rotateKey(deps: Deps, id: KeyId, { overlapHours, by }: RotateOptions): Promise<NewKey> {
  const secret = newSecret()
  const previousUntil = overlapHours === 0 ? undefined : deps.now() + overlapHours * hourSeconds
  return deps.storage.writeAside(async (tx) => {
    const known = await findWithin(tx, id, by)
    const makers = by?.id === id ? known.makers : makersOf(by, known.makers)
    const lock = { digest: digestOf(secret), previousUntil, makers }
    const key = (await changeLock(tx, id, lock)) ?? fail('key-not-found')
    return { key, secret }
  })
}

/** A key that has ended, and those that have ended with it. */
export interface RevokedKey {
  readonly key: Key
  readonly made: readonly Key[]
}

/**
 * Ends a key, and both of its secrets, at once and on all nodes; and with it the keys of the same user to which it has led.
 * Those that it has made for others stay: they are at work elsewhere.
 *
 * @throws key-not-found, beyond-own-key
 */
export async function revokeKey(deps: Deps, id: KeyId, by?: HeldKey): Promise<RevokedKey> {
  return deps.storage.writeAside(async (tx) => {
    const key = await findWithin(tx, id, by)
    return { key, made: await removeKeyWithMade(tx, key) }
  })
}

/** A key that whoever asks may renew and revoke. */
async function findWithin(tx: Tx, id: KeyId, by: HeldKey | undefined): Promise<Key> {
  const key = (await findKey(tx, id)) ?? fail('key-not-found')
  assertWithin({ until: key.expiresAt }, by)
  return key
}

/** Gives the user a new key; those before are revoked unless `keepOthers`. */
export async function renewKeys(
  deps: Deps,
  userId: UserId,
  { keepOthers = false, label = 'cli' }: { readonly keepOthers?: boolean; readonly label?: string } = {},
): Promise<string> {
  return deps.storage.writeAside(async (tx) => {
    if (!(await hasUser(tx, userId))) fail('user-not-found')
    if (!keepOthers) await removeKeysOf(tx, userId)
    return (await addKey({ tx, at: deps.now() }, userId, { label })).secret
  })
}
