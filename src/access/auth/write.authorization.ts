import { fail } from '../../base/problems.ts'
import { sharedRead } from '../../storage/database/statements/shared.reads.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { isAtLeast, isRole } from './actor.ts'
import type { Caller } from './authentication.ts'
import { findKeyAndRole } from './key.repository.ts'
import { validDigestsOf } from './key.ts'
import { findSessionAndRole } from './session.repository.ts'
import { isOpen } from './session.ts'

/**
 * Checks at the start of a write that the caller still has the right to it. The write may have waited for the lock, and
 * the credentials may have been revoked since. No other write runs meanwhile, so the result holds until the end of the
 * write. Writes that share a transaction look each key and session up once, and again after a change of any.
 *
 * @param now Whole seconds since 1970, UTC.
 * @throws incorrect_password if the key is no longer valid or its user no longer exists; rest_forbidden if the session
 * has ended, or the user has fewer rights than when the request arrived
 */
export async function assertStillAuthorized(tx: Tx, { actor, key, session }: Caller, now: number): Promise<void> {
  if (actor.kind === 'visitor') return
  const role = key ? await roleByKey(tx, key, now) : session ? await roleBySession(tx, session, now) : undefined
  if (role === undefined) return key ? fail('incorrect_password') : fail('rest_forbidden', { status: 401 })
  if (!isRole(role) || !isAtLeast({ ...actor, role }, actor.role)) fail('rest_forbidden')
}

async function roleByKey(tx: Tx, { id, digest }: NonNullable<Caller['key']>, now: number): Promise<string | undefined> {
  const found = await sharedRead(tx, `key ${id}`, () => findKeyAndRole(tx, id))
  return found && validDigestsOf(found.key, now).includes(digest) ? found.role : undefined
}

async function roleBySession(tx: Tx, { id }: NonNullable<Caller['session']>, now: number): Promise<string | undefined> {
  const found = await sharedRead(tx, `session ${id}`, () => findSessionAndRole(tx, id))
  return found && isOpen(found.session, now) ? found.role : undefined
}
