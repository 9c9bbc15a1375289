import { assertAllowed, mayEdit } from '../../../access/auth/policy.ts'
import type { Language } from '../../../base/languages/language.ts'
import type { Tx } from '../../../storage/database/tables.ts'
import { updateRecord } from '../../records/record.repository.ts'
import type { WriteContext } from '../../records/write.context.ts'
import { listTermIdsOfEvent } from '../../terms/term.event.repository.ts'
import { setTermsOfEvent } from '../../terms/term.service.ts'
import { leaveTranslationGroup, listTranslationIds } from '../../translations/group.repository.ts'
import { assertTranslatable, joinTranslationGroup } from '../../translations/group.service.ts'
import { listLinkIds, setLinks, updateEvent } from '../event.repository.ts'
import type { EventPatch } from '../model/event.changes.ts'
import { valueFields } from '../model/event.fields.ts'
import type { CalendarEvent } from '../model/event.ts'
import { type SharedCodedField, sharedProperties } from '../model/fields.derived.ts'
import { findEventOrFail, findStoredEventOrFail } from '../read/read.service.ts'

/**
 * Returns the event to translate into this language, if the actor may change it.
 *
 * @throws rest_forbidden, ml_translation_exists
 */
export async function findTranslatableEvent(
  { tx, actor }: WriteContext,
  id: number,
  language: Language,
): Promise<CalendarEvent> {
  const event = await findStoredEventOrFail(tx, id)
  assertAllowed(actor, mayEdit(actor, event))
  await assertTranslatable(tx, 'records', { id, language })
  return event
}

/** Whether the patch changes a value that all translations share (languages.md §3). */
export function changesSharedValues(patch: EventPatch): boolean {
  const values: Readonly<Record<string, unknown>> = { ...patch }
  return sharedProperties.some((property) => values[property] !== undefined)
}

/**
 * Copies the changed shared values to the other translations.
 *
 * @throws rest_forbidden, if the caller may not change one of them
 */
export async function propagateSharedChanges(
  { tx, actor, config }: WriteContext,
  event: CalendarEvent,
  patch: EventPatch,
): Promise<void> {
  if (!config.sharesFields || !changesSharedValues(patch)) return
  for (const id of await listTranslationIds(tx, 'records', [event.id])) {
    if (id === event.id) continue
    const other = await findStoredEventOrFail(tx, id)
    assertAllowed(actor, mayEdit(actor, other))
    await copySharedValues(tx, event, id)
    await updateRecord(tx, other.id, { modified_at: event.modifiedAt })
  }
}

/** Copies the value of a shared field from one event to another. */
type Copy = (tx: Tx, from: CalendarEvent, to: CalendarEvent) => Promise<void>

const copyLinks =
  (kind: 'venue' | 'organizer'): Copy =>
  async (tx, from, to) => {
    await setLinks(tx, kind, { eventId: to.id, ids: (await listLinkIds(tx, kind, [from.id])).get(from.id) ?? [] })
  }

const copies: Readonly<Record<SharedCodedField, Copy>> = {
  times: async (tx, from, to) => {
    const { start, end, zone, startUtc, endUtc, isAllDay } = from
    // In one statement with the plain fields.
    const { statusAt, previousStarts } = from
    const shared = { ...{ start, end, zone, startUtc, endUtc, isAllDay }, ...valueFields.shared(from) }
    // A reason explains one status.
    const statusReason = to.eventStatus === from.eventStatus ? to.statusReason : ''
    await updateEvent(tx, to, { ...to, ...shared, statusAt, previousStarts, statusReason })
  },
  image: (tx, from, to) => updateRecord(tx, to.id, { image_id: from.imageId ?? null }),
  venues: copyLinks('venue'),
  organizers: copyLinks('organizer'),
  terms: async (tx, from, to) => {
    const terms = await listTermIdsOfEvent(tx, from.id)
    await setTermsOfEvent(
      tx,
      to.id,
      terms.map((term) => term.id),
    )
  },
}

/** Copies the values that translations share from the event `from` to the event `to`. */
export async function copySharedValues(tx: Tx, from: CalendarEvent, to: number): Promise<void> {
  const event = await findStoredEventOrFail(tx, to)
  for (const copy of Object.values(copies)) await copy(tx, from, event)
}

/**
 * Makes an event a translation of another and copies the shared values from it. 0 removes the event from its group.
 *
 * @throws rest_forbidden, ml_translation_exists
 */
export async function changeEventTranslationGroup(
  { tx, actor, config }: WriteContext,
  event: CalendarEvent,
  targetId: number,
): Promise<void> {
  if (targetId === 0) {
    await leaveTranslationGroup(tx, 'records', event.id)
    return
  }
  const target = await findEventOrFail(tx, targetId)
  assertAllowed(actor, mayEdit(actor, target))
  await joinTranslationGroup(tx, 'records', { member: event, targetId: target.id })
  if (config.sharesFields) await copySharedValues(tx, target, event.id)
}
