import type { Actor } from '../../../access/auth/actor.ts'
import { mayEdit, mayRead } from '../../../access/auth/policy.ts'
import { fail } from '../../../base/problems.ts'
import { slugFrom } from '../../../base/text/slug.ts'
import type { Storage } from '../../../storage/database/storage.ts'
import type { Db } from '../../../storage/database/tables.ts'
import { findIdByPath } from '../../occurrences/occurrence.paths.repository.ts'
import { findRecordKind } from '../../records/record.repository.ts'
import { findIdBySlug } from '../../records/record.translations.repository.ts'
import type { Viewer } from '../../translations/viewer.ts'
import { findEvent, findTemplate, withLinks } from '../event.repository.ts'
import type { CalendarEvent, LinkedEvent } from '../model/event.ts'
import { isPasswordOf } from '../model/password.ts'

/**
 * Returns the event, if the actor may read it.
 *
 * @param canSkipPassword The caller asked to edit. A caller who may edit needs no password (events.md §6).
 * @throws rest-event-not-found, rest-invalid-event-id, event-no-longer-available, event-not-accessible,
 * event-password-protected
 */
export async function readEvent(
  { db, actor }: { readonly db: Db; readonly actor: Actor },
  id: number,
  { password, canSkipPassword }: { readonly password: string | undefined; readonly canSkipPassword: boolean },
): Promise<CalendarEvent> {
  const event = await findEventOrFail(db, id)
  if (event.status === 'trash') fail('event-no-longer-available')
  if (!mayRead(actor, event)) fail('event-not-accessible')
  const isOpen =
    event.passwordDigest === undefined ||
    (password !== undefined && isPasswordOf(event.passwordDigest, password)) ||
    (canSkipPassword && mayEdit(actor, event))
  if (!isOpen) fail('event-password-protected')
  return event
}

/**
 * Returns the event with this id, for any caller.
 *
 * @throws rest-event-not-found, rest-invalid-event-id
 */
export async function findEventOrFail(db: Db, id: number | undefined): Promise<CalendarEvent> {
  if (id === undefined) return fail('rest-event-not-found')
  const event = await findEvent(db, id)
  if (event) return event
  const isOther = Number.isSafeInteger(id) && (await findRecordKind(db, id)) !== undefined
  return fail(isOther ? 'rest-invalid-event-id' : 'rest-event-not-found')
}

/** Returns the event or the template of a series with this id. For writes that treat both alike. */
export async function findStoredEventOrFail(db: Db, id: number): Promise<CalendarEvent> {
  return (await findEvent(db, id)) ?? (await findTemplate(db, id)) ?? fail('rest-event-not-found')
}

/**
 * Returns the event whose page has this slug or path, with the linked items that the viewer may see. Undefined if the
 * viewer may read no such event.
 *
 * @param end The end of the address: `yoga`, or `yoga/2030-01-31` for a date of a series.
 */
export async function findEventOfPage(
  { db, dialect }: Pick<Storage, 'db' | 'dialect'>,
  viewer: Viewer,
  end: string,
): Promise<LinkedEvent | undefined> {
  const id = end.includes('/')
    ? await findIdByPath(db, end.split('/').map(slugFrom).join('/'), viewer)
    : await findIdBySlug(db, { kind: 'event', slug: slugFrom(end) }, viewer)
  const event = id === undefined ? undefined : await findEvent(db, id)
  if (!event || event.status === 'trash' || !mayRead(viewer.actor, event)) return undefined
  const [linked] = await withLinks({ db, dialect, viewer }, [event])
  return linked
}
