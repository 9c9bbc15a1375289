import type { Deps } from '../deps.ts'
import { fail } from '../problems.ts'
import type { Tx } from '../storage/tables.ts'
import type { UserId } from './actor.ts'
import { digestOf, newSecret } from './credentials.ts'
import { changeLock, findKey, insertKey, listKeys, removeKey, removeKeysOf } from './key.repository.ts'
import { type Key, type KeyId, mostKeys, type NewKey } from './key.ts'

const daySeconds = 86_400
const hourSeconds = 3600

export interface KeyOptions {
  readonly label: string
  /** Without it the key does not expire. */
  readonly days?: number | undefined
}

/**
 * Gives the user a key. The secret is shown here and never again: only its digest is kept.
 *
 * @throws too-many-keys
 */
export async function createKey(deps: Deps, userId: UserId, options: KeyOptions): Promise<NewKey> {
  return deps.storage.writeAside(async (tx) => {
    if ((await listKeys(tx, userId)).length >= mostKeys) fail('too-many-keys')
    return addKey(tx, userId, options, deps.now())
  })
}

/** @param secret Taken as it is; a random one is made without it. */
export async function addKey(
  tx: Tx,
  userId: UserId,
  { label, days }: KeyOptions,
  now: number,
  secret: string = newSecret(),
): Promise<NewKey> {
  const expiresAt = days === undefined ? undefined : now + days * daySeconds
  return { key: await insertKey(tx, { userId, label, createdAt: now, expiresAt, digest: digestOf(secret) }), secret }
}

/**
 * Gives a key a new secret, under the same name and until the same day.
 *
 * @param overlapHours How long the secret before stays valid; 0: it ends at once. One that is older ends in any case.
 * @throws key-not-found
 */
export async function rotateKey(deps: Deps, id: KeyId, overlapHours: number): Promise<NewKey> {
  const secret = newSecret()
  const previousUntil = overlapHours === 0 ? undefined : deps.now() + overlapHours * hourSeconds
  const key = await deps.storage.writeAside((tx) => changeLock(tx, id, digestOf(secret), previousUntil))
  return key ? { key, secret } : fail('key-not-found')
}

/**
 * Ends a key, and both of its secrets, at once and on all nodes.
 *
 * @throws key-not-found
 */
export async function revokeKey(deps: Deps, id: KeyId): Promise<Key> {
  return deps.storage.writeAside(async (tx) => {
    const key = (await findKey(tx, id)) ?? fail('key-not-found')
    await removeKey(tx, id)
    return key
  })
}

/** Gives the user a new key; those before are revoked unless `keepOthers`. */
export async function renewKeys(
  deps: Deps,
  userId: UserId,
  { keepOthers = false, label = 'cli' }: { readonly keepOthers?: boolean; readonly label?: string } = {},
): Promise<string> {
  return deps.storage.writeAside(async (tx) => {
    if (!keepOthers) await removeKeysOf(tx, userId)
    return (await addKey(tx, userId, { label }, deps.now())).secret
  })
}
