import type { Actor } from '../auth/actor.ts'
import { mayEdit, mayRead } from '../auth/policy.ts'
import { fail } from '../problems.ts'
import { findKind } from '../records/record.repository.ts'
import type { Db } from '../storage/tables.ts'
import { opensPassword } from './event.password.ts'
import { findEvent } from './event.repository.ts'
import type { CalendarEvent } from './event.ts'

/**
 * The event, for somebody who may read it.
 *
 * @param canSkipPassword The caller asked to edit: whoever may needs no password (events.md §6).
 * @throws rest-event-not-found, rest-invalid-event-id, event-no-longer-available, event-not-accessible,
 * event-password-protected
 */
export async function readEvent(
  db: Db,
  actor: Actor,
  id: number,
  { password, canSkipPassword }: { readonly password: string | undefined; readonly canSkipPassword: boolean },
): Promise<CalendarEvent> {
  const event = await findEventOrFail(db, id)
  if (event.status === 'trash') fail('event-no-longer-available')
  if (!mayRead(actor, event)) fail('event-not-accessible')
  const isOpen =
    event.passwordDigest === undefined ||
    (password !== undefined && opensPassword(event.passwordDigest, password)) ||
    (canSkipPassword && mayEdit(actor, event))
  if (!isOpen) fail('event-password-protected')
  return event
}

/**
 * The event with this id, for whoever asks.
 *
 * @throws rest-event-not-found, rest-invalid-event-id
 */
export async function findEventOrFail(db: Db, id: number): Promise<CalendarEvent> {
  const event = await findEvent(db, id)
  if (event) return event
  const isOther = Number.isSafeInteger(id) && (await findKind(db, id)) !== undefined
  return fail(isOther ? 'rest-invalid-event-id' : 'rest-event-not-found')
}
