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
  /**
   * The keys that led to it, some of which may be gone: the last one asked for it, or has renewed it, the one before it
   * made that one, and so on. None where a person or the command line asked.
   */
  readonly makers: readonly KeyId[]
}

/** A use of a key or a session that is noted. */
export interface NotedUse {
  readonly at: number
  /** Nothing is noted where a later use than this one was. */
  readonly before: number
}

/** A key as somebody has shown that they hold it. */
export interface HeldKey {
  readonly id: KeyId
  /** Of the secret that was shown, hex. */
  readonly digest: string
  /** When that secret ends, which for the one before a rotation is sooner than the key. Undefined: never. */
  readonly until: number | undefined
  readonly makers: readonly KeyId[]
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
  const { id, expiresAt, previousUntil = 0, makers } = key
  if (digest === key.digest) return { id, digest, until: expiresAt, makers }
  return { id, digest, until: Math.min(expiresAt ?? previousUntil, previousUntil), makers }
}

/** Of a long row of keys that made each other the first are known, among them whichever was not made by a thief. */
const mostMakers = 50

/**
 * The keys that lead to one whose secret this key asks for, and so knows.
 *
 * @param known Those that have led to it before.
 */
export function makersOf(by: HeldKey | undefined, known: readonly KeyId[] = []): readonly KeyId[] {
  if (!by) return known
  const before = [...new Set([...known, ...by.makers])].filter((id) => id !== by.id)
  return [...before.slice(0, mostMakers), by.id]
}
