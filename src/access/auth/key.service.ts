import { fail } from '../../base/problems.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { Deps } from '../deps.ts'
import type { UserId } from './actor.ts'
import { newSecret, secretDigest } from './credentials.ts'
import { assertWithinKey, newKeyExpiry, newKeyScope } from './key.limits.ts'
import {
  findKey,
  insertKey,
  listKeys,
  removeKeyAndDescendants,
  removeKeysOf,
  replaceKeyDigest,
} from './key.repository.ts'
import { type HeldKey, type Key, type KeyId, type KeyScope, makersOf, maxKeys, type NewKey } from './key.ts'
import { hasUser } from './user.repository.ts'

const daySeconds = 86_400
const hourSeconds = 3600

export interface KeyOptions {
  readonly label: string
  /** Default: the expiry of the key that creates it, or none. */
  readonly days?: number | undefined
  /** Default: the scope of the key that creates it, or `write`. */
  readonly scope?: KeyScope | undefined
  /** The key that the caller presented; undefined if the caller presented none. */
  readonly by?: HeldKey | undefined
  /** Used unchanged. Default: a random secret. */
  readonly secret?: string | undefined
}

/**
 * Creates a key for the user. The secret is returned once and never again: only its digest is stored.
 *
 * @throws user-not-found, too-many-keys, rest_invalid_param (expires_in_days, scope)
 */
export async function createKey(deps: Deps, userId: UserId, options: KeyOptions): Promise<NewKey> {
  return deps.storage.writeWithoutRevision(async (tx) => {
    if (!(await hasUser(tx, userId))) fail('user-not-found')
    if ((await listKeys(tx, userId)).length >= maxKeys) fail('too-many-keys')
    return addKey({ tx, at: deps.now() }, userId, options)
  })
}

/** @throws rest_invalid_param (expires_in_days, scope) */
export async function addKey(
  { tx, at }: { readonly tx: Tx; readonly at: number },
  userId: UserId,
  { label, days, scope: asked, by, secret = newSecret() }: KeyOptions,
): Promise<NewKey> {
  const expiresAt = newKeyExpiry(days === undefined ? undefined : at + days * daySeconds, by)
  const scope = newKeyScope(asked, by)
  const key = { userId, label, scope, createdAt: at, expiresAt, makers: makersOf(by), digest: secretDigest(secret) }
  return { key: await insertKey(tx, key), secret }
}

interface RotateOptions {
  /** How long the previous secret stays valid; 0 ends it at once. A secret from before that one ends in any case. */
  readonly overlapHours: number
  /** The key that the caller presented; undefined if the caller presented none. */
  readonly by?: HeldKey | undefined
}

/**
 * Gives a key a new secret. Its name and expiry stay the same. If the caller presented another key, that key knows the
 * secret and so counts as one that led to this key.
 *
 * @throws key-not-found, beyond-own-key
 */
export async function rotateKey(deps: Deps, id: KeyId, { overlapHours, by }: RotateOptions): Promise<NewKey> {
  const secret = newSecret()
  const previousUntil = overlapHours === 0 ? undefined : deps.now() + overlapHours * hourSeconds
  return deps.storage.writeWithoutRevision(async (tx) => {
    const known = await findWithin(tx, id, by)
    const makers = by?.id === id ? known.makers : makersOf(by, known.makers)
    const lock = { digest: secretDigest(secret), previousUntil, makers }
    const key = (await replaceKeyDigest(tx, id, lock)) ?? fail('key-not-found')
    return { key, secret }
  })
}

/** A revoked key, and the keys that were revoked with it. */
export interface RevokedKey {
  readonly key: Key
  readonly made: readonly Key[]
}

/**
 * Revokes a key and both of its secrets, at once and on all nodes. Also revokes the keys of the same user that it led
 * to. The keys that it made for other users stay, because they are in use elsewhere.
 *
 * @throws key-not-found, beyond-own-key
 */
export async function revokeKey(deps: Deps, id: KeyId, by?: HeldKey): Promise<RevokedKey> {
  return deps.storage.writeWithoutRevision(async (tx) => {
    const key = await findWithin(tx, id, by)
    return { key, made: await removeKeyAndDescendants(tx, key) }
  })
}

/** Returns a key that the caller may renew and revoke. */
async function findWithin(tx: Tx, id: KeyId, by: HeldKey | undefined): Promise<Key> {
  const key = (await findKey(tx, id)) ?? fail('key-not-found')
  assertWithinKey({ until: key.expiresAt, scope: by?.scope ?? key.scope }, by)
  return key
}

/** Gives the user a new key, and revokes the existing keys unless `keepOthers` is set. */
export async function renewKeys(
  deps: Deps,
  userId: UserId,
  { keepOthers = false, label = 'cli' }: { readonly keepOthers?: boolean; readonly label?: string } = {},
): Promise<string> {
  return deps.storage.writeWithoutRevision(async (tx) => {
    if (!(await hasUser(tx, userId))) fail('user-not-found')
    if (!keepOthers) await removeKeysOf(tx, userId)
    return (await addKey({ tx, at: deps.now() }, userId, { label })).secret
  })
}
