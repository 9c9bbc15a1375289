import { listAllKeys } from '../../access/auth/key.repository.ts'
import { type Key, validDigestsOf } from '../../access/auth/key.ts'
import { removeAllLinks } from '../../access/auth/link.repository.ts'
import { removeAllSessions } from '../../access/auth/session.repository.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'

// A backup knows nothing of what was taken away since: a stolen session that was ended, a link that was used, a key that
// was revoked. All of that would be valid again.

/** A key that was revoked, or whose secret was replaced, and that is valid again. */
interface ReturnedKey extends Pick<Key, 'id' | 'label' | 'scope'> {
  /** Name of its user. */
  readonly user: string
}

/** What a restore has done about the access of people and programs. */
export interface RestoredAccess {
  readonly endedSessions: number
  readonly endedLinks: number
  /** Undefined if the database was empty, and so did not know which keys had been revoked. */
  readonly returnedKeys: readonly ReturnedKey[] | undefined
}

/** Returns the digests of all secrets of keys that are valid. */
export async function validDigests(db: Db, now: number): Promise<ReadonlySet<string>> {
  return new Set((await listAllKeys(db)).flatMap((key) => validDigestsOf(key, now)))
}

/**
 * Ends all sessions and links that a restore has brought back, and finds the keys.
 *
 * @param before The digests of the secrets that were valid before; undefined if that is not known.
 */
export async function endRestoredAccess(
  tx: Tx,
  { before, now }: { readonly before: ReadonlySet<string> | undefined; readonly now: number },
): Promise<RestoredAccess> {
  const [endedSessions, endedLinks] = [await removeAllSessions(tx), await removeAllLinks(tx)]
  const isBack = (digest: string) => before?.has(digest) === false
  const keys = (await listAllKeys(tx)).filter((key) => validDigestsOf(key, now).some(isBack))
  const returnedKeys = before && keys.map(({ id, label, scope, user }) => ({ id, user, label, scope }))
  return { endedSessions, endedLinks, returnedKeys }
}
