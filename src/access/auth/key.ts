import type { UserId } from './actor.ts'

export type KeyId = number & { readonly brand: 'KeyId' }

/** What a key may do, in ascending order: only read; also try writes without effect; also write. */
export const KEY_SCOPES = ['read', 'plan', 'write'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

export function isKeyScope(text: string): text is KeyScope {
  return KEY_SCOPES.includes(text as KeyScope)
}

/** An application password without its secret. Instants are whole seconds since 1970, UTC. */
export interface Key {
  readonly id: KeyId
  readonly userId: UserId
  readonly label: string
  readonly scope: KeyScope
  readonly createdAt: number
  /** Undefined: never expires. */
  readonly expiresAt: number | undefined
  /**
   * Accurate to a few minutes. The address is not stored, because readers of the list need not know where other people
   * are.
   */
  readonly lastUsedAt: number | undefined
  /** The time until which the secret from before the last rotation is also valid. */
  readonly previousUntil: number | undefined
  /**
   * The keys that led to this one, some of which may no longer exist. The last one requested or renewed this key, the
   * previous one made that key, and so on. Empty if a person or the command line requested this key.
   */
  readonly makers: readonly KeyId[]
}

/** A use of a key or a session, to be noted. */
export interface NotedUse {
  readonly at: number
  /** No note is written if a use after this time is already noted. */
  readonly before: number
}

/** A key whose secret a request has presented. */
export interface HeldKey {
  readonly id: KeyId
  /** The digest of the presented secret, hex. */
  readonly digest: string
  readonly scope: KeyScope
  /** The expiry of that secret. After a rotation, the previous secret expires sooner than the key. Undefined: never. */
  readonly until: number | undefined
  readonly makers: readonly KeyId[]
}

/** A new key with its secret, which cannot be read again. */
export interface NewKey {
  readonly key: Key
  readonly secret: string
}

/** The digests of a key's secrets, hex. */
export interface KeyDigests {
  readonly digest: string
  readonly previousDigest: string | undefined
}

export const maxKeys = 50
export const maxLabelLetters = 100
export const maxKeyDays = 3650
export const maxOverlapHours = 24 * 30

/** Returns true if the text may be shown in a list of keys, including on a terminal. */
export function isLabel(text: string): boolean {
  return text.trim() !== '' && text.length <= maxLabelLetters && !/\p{Cc}/u.test(text)
}

/** Returns true if the key has not expired. */
export function isUnexpired({ expiresAt }: Key, now: number): boolean {
  return expiresAt === undefined || now < expiresAt
}

/** Returns the valid digests: that of the current secret and, while it is also valid, that of the previous one. */
export function validDigestsOf(key: Key & KeyDigests, now: number): readonly string[] {
  if (!isUnexpired(key, now)) return []
  const { digest, previousDigest, previousUntil = 0 } = key
  return previousDigest !== undefined && now < previousUntil ? [digest, previousDigest] : [digest]
}

/** Returns the key as presented with the secret of this digest. */
export function heldKey(key: Key & KeyDigests, digest: string): HeldKey {
  const { id, scope, expiresAt, previousUntil = 0, makers } = key
  if (digest === key.digest) return { id, digest, scope, until: expiresAt, makers }
  return { id, digest, scope, until: Math.min(expiresAt ?? previousUntil, previousUntil), makers }
}

/**
 * The maximum length of a stored chain of keys. The first keys of the chain are kept: they include any that a thief did
 * not make.
 */
const maxMakers = 50

/**
 * Returns the keys that lead to a key whose secret `by` requests and therefore knows.
 *
 * @param known The keys that led to it before.
 */
export function makersOf(by: HeldKey | undefined, known: readonly KeyId[] = []): readonly KeyId[] {
  if (!by) return known
  const before = [...new Set([...known, ...by.makers])].filter((id) => id !== by.id)
  return [...before.slice(0, maxMakers), by.id]
}
