import type { Actor } from '../../access/auth/actor.ts'
import { assertAllowed, mayEdit } from '../../access/auth/policy.ts'
import type { RenderedRecord } from './record.ts'

/**
 * Returns a record that an earlier write of the actor has created or changed, if the actor may still see it.
 *
 * @throws rest_forbidden
 */
export function assertMayRecall<R extends Pick<RenderedRecord, 'authorId' | 'status' | 'passwordDigest'>>(
  actor: Actor,
  record: R,
): R {
  const isPublic = record.status === 'publish' && record.passwordDigest === undefined
  assertAllowed(actor, isPublic || mayEdit(actor, record))
  return record
}
