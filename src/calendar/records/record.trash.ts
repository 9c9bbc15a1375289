import type { Actor } from '../../access/auth/actor.ts'
import { assertAllowed, mayRestore } from '../../access/auth/policy.ts'
import { fail } from '../../base/problems.ts'
import type { CalendarRecord } from './record.ts'

/**
 * Checks that the caller may restore the record, and that it is in the trash.
 *
 * @throws rest_forbidden, record-not-in-trash
 */
export function assertRestorable(
  actor: Actor,
  record: Pick<CalendarRecord, 'status' | 'statusBeforeTrash' | 'authorId'>,
): void {
  const isTrashed = record.status === 'trash'
  assertAllowed(actor, mayRestore(actor, isTrashed ? record : { ...record, statusBeforeTrash: record.status }))
  if (!isTrashed) fail('record-not-in-trash')
}
