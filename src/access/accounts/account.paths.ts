import type { FastifyRequest } from 'fastify'
import { fail, type ProblemCode } from '../../base/problems.ts'
import type { UserId } from '../auth/actor.ts'
import { assertAllowed, mayManageUsers } from '../auth/policy.ts'
import { findUser } from '../auth/user.repository.ts'
import type { ServiceCall } from '../http/service.ts'

/** The number in a part of the path. */
export function numberInPath(request: FastifyRequest, name: string, notFoundCode: ProblemCode): number {
  const text = (request.params as Readonly<Record<string, string>>)[name] ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : fail(notFoundCode)
}

/**
 * The user whom the path names by number, or as `me`: administrators may look at everybody, and all others at
 * themselves.
 *
 * @throws rest_forbidden, user-not-found
 */
export async function userInPath({ deps, actor }: ServiceCall, request: FastifyRequest): Promise<UserId> {
  if (actor.kind === 'visitor') return fail('rest_forbidden', { status: 401 })
  const { user } = request.params as { readonly user: string }
  if (user === 'me' || user === String(actor.id)) return actor.id
  assertAllowed(actor, mayManageUsers(actor))
  const id = numberInPath(request, 'user', 'user-not-found')
  return (await findUser(deps.storage.db, id))?.id ?? fail('user-not-found')
}
