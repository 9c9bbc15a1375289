import { fail } from '../../base/problems.ts'
import type { UserId } from '../auth/actor.ts'
import { assertAllowed, mayManageUsers } from '../auth/policy.ts'
import { findUser } from '../auth/user.repository.ts'
import type { EndpointRequest } from '../http/call.ts'
import type { userPath } from './account.arguments.ts'

/** A request whose path names a user. */
type UserRequest = EndpointRequest<typeof userPath>

/**
 * Returns the user whom the path names by number, or as `me`. Administrators may read every user, all others only
 * themselves.
 *
 * @throws rest_forbidden, user-not-found
 */
export async function userInPath({ deps, actor, path: { user } }: UserRequest): Promise<UserId> {
  if (actor.kind === 'visitor') return fail('rest_forbidden', { status: 401 })
  if (user === 'me' || user === String(actor.id)) return actor.id
  assertAllowed(actor, mayManageUsers(actor))
  const id = /^\d{1,15}$/.test(user) ? Number(user) : fail('user-not-found')
  return (await findUser(deps.storage.db, id))?.id ?? fail('user-not-found')
}
