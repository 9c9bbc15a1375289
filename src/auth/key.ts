import type { UserId } from './actor.ts'

export type KeyId = number & { readonly brand: 'KeyId' }

/** An application password by its name, without its secret. Instants are whole seconds since 1970, UTC. */
export interface Key {
  readonly id: KeyId
  readonly userId: UserId
  readonly label: string
  readonly createdAt: number
  /** Undefined: never. */
  readonly expiresAt: number | undefined
  /** To a few minutes. From where is not kept: whoever reads the list need not know where others are. */
  readonly lastUsedAt: number | undefined
  /** Until when the secret before the last rotation is valid as well. */
  readonly previousUntil: number | undefined
  /** The key that asked for it, which may be gone; undefined where a person or the command line did. */
  readonly madeBy: KeyId | undefined
}

/** A key as somebody has shown that they hold it. */
export interface HeldKey {
  readonly id: KeyId
  /** Of the secret that was shown, hex. */
  readonly digest: string
  /** When that secret ends, which for the one before a rotation is sooner than the key. Undefined: never. */
  readonly until: number | undefined
}

/** A key as it was just made, with the secret that nobody can read again. */
export interface NewKey {
  readonly key: Key
  readonly secret: string
}

/** What a key opens with: digests, hex. */
export interface Lock {
  readonly digest: string
  readonly previousDigest: string | undefined
}

export const mostKeys = 50
export const mostLabelLetters = 100
export const mostKeyDays = 3650
export const mostOverlapHours = 24 * 30

/** Whether this may stand in a list of keys, on a terminal too. */
export function isLabel(text: string): boolean {
  return text.trim() !== '' && text.length <= mostLabelLetters && !/\p{Cc}/u.test(text)
}

/** Whether the key opens at all, at this moment. */
export function isAlive({ expiresAt }: Key, now: number): boolean {
  return expiresAt === undefined || now < expiresAt
}

/** The digests that open now: that of the secret, and while both are valid that of the one before. */
export function digestsOf(key: Key & Lock, now: number): readonly string[] {
  if (!isAlive(key, now)) return []
  const { digest, previousDigest, previousUntil = 0 } = key
  return previousDigest !== undefined && now < previousUntil ? [digest, previousDigest] : [digest]
}

/** The key as held by whoever has shown the secret of this digest. */
export function heldKey(key: Key & Lock, digest: string): HeldKey {
  const { id, expiresAt, previousUntil = 0 } = key
  if (digest === key.digest) return { id, digest, until: expiresAt }
  return { id, digest, until: Math.min(expiresAt ?? previousUntil, previousUntil) }
}

/** The keys that this one has made, and those that these have made. */
export function madeWith(id: KeyId, keys: readonly Key[]): readonly KeyId[] {
  const found = new Set<KeyId>([id])
  // Keys are made by older ones, and stand in their order.
  for (const key of keys) if (key.madeBy !== undefined && found.has(key.madeBy)) found.add(key.id)
  return [...found].filter((one) => one !== id)
}
