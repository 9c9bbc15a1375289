import type { Actor } from '../../access/auth/actor.ts'
import { assertAllowed, mayEdit } from '../../access/auth/policy.ts'
import type { Config } from '../../base/config/config.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { updateRecord } from '../records/record.repository.ts'
import { listTermIdsOfEvent } from '../terms/term.event.repository.ts'
import { setTermsOfEvent } from '../terms/term.service.ts'
import { leaveTranslationGroup, listVersionIds } from '../translations/group.repository.ts'
import { assertTranslatable, joinTranslationGroup } from '../translations/group.service.ts'
import type { EventChanges, NewEvent } from './event.changes.ts'
import { findEventOrFail } from './event.read.service.ts'
import { listLinkIds, setLinks, updateEvent } from './event.repository.ts'
import type { CalendarEvent } from './event.ts'

/** What all translations of an event have in common, by the names it is sent under (languages.md §3). */
const sharedParameters = [
  ...(['start_date', 'end_date', 'timezone', 'all_day', 'venue', 'organizer', 'categories', 'tags'] as const),
  ...(['image', 'featured', 'sticky', 'hide_from_listings', 'show_map', 'show_map_link'] as const),
]

/**
 * The event that is to be translated into this language, for somebody who may change it.
 *
 * @throws rest_forbidden, ml_translation_exists
 */
export async function findTranslatableEvent(
  tx: Tx,
  actor: Actor,
  id: number,
  language: CalendarEvent['language'],
): Promise<CalendarEvent> {
  const event = await findEventOrFail(tx, id)
  assertAllowed(actor, mayEdit(actor, event))
  await assertTranslatable(tx, 'records', { id, language })
  return event
}

/** Whether something was sent that all translations share. */
export function changesSharedValues(sent: EventChanges | NewEvent): boolean {
  return sharedParameters.some((name) => sent[name] !== undefined)
}

/**
 * Gives the other translations what was changed of that which all of them share.
 *
 * @throws rest_forbidden, where the caller may not change one of them
 */
export async function propagateSharedChanges(
  tx: Tx,
  config: Config,
  actor: Actor,
  event: CalendarEvent,
  sent: EventChanges | NewEvent,
): Promise<void> {
  if (!config.sharesFields || !changesSharedValues(sent)) return
  for (const id of await listVersionIds(tx, 'records', [event.id])) {
    if (id === event.id) continue
    const other = await findEventOrFail(tx, id)
    assertAllowed(actor, mayEdit(actor, other))
    await copySharedValues(tx, event, id)
    await updateRecord(tx, other.id, { modified_at: event.modifiedAt })
  }
}

/** Gives the event `to` what `from` has of that which translations share. */
export async function copySharedValues(tx: Tx, from: CalendarEvent, to: number): Promise<void> {
  const event = await findEventOrFail(tx, to)
  const { start, end, zone, startUtc, endUtc, isAllDay, showMap, showMapLink, isHidden, isSticky, isFeatured } = from
  await updateEvent(tx, event, {
    ...event,
    ...{ start, end, zone, startUtc, endUtc, isAllDay },
    ...{ showMap, showMapLink, isHidden, isSticky, isFeatured },
  })
  await updateRecord(tx, event.id, { image_id: from.imageId ?? null })
  for (const kind of ['venue', 'organizer'] as const) {
    await setLinks(tx, kind, to, (await listLinkIds(tx, kind, [from.id])).get(from.id) ?? [])
  }
  await setTermsOfEvent(
    tx,
    to,
    (await listTermIdsOfEvent(tx, from.id)).map((term) => term.id),
  )
}

/**
 * Makes an event a translation of another, from which it takes what translations share; 0 makes it stand alone.
 *
 * @throws rest_forbidden, ml_translation_exists
 */
export async function changeEventTranslationGroup(
  tx: Tx,
  config: Config,
  actor: Actor,
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
