import type { Actor } from '../../access/auth/actor.ts'
import { assertAllowed, mayCreate, mayEdit, mayEditOthers } from '../../access/auth/policy.ts'
import { fail } from '../../base/problems.ts'
import { slugFrom } from '../../base/text/slug.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import { publicationInstant } from '../records/record.date.ts'
import { assertReferencesExist } from '../records/record.references.ts'
import { changesFrom, updateRecord } from '../records/record.repository.ts'
import { nextRecordSlug } from '../records/record.slug.ts'
import { grantedStatus, nextPublication, type Publication, restoredPublication } from '../records/record.status.ts'
import { assertRestorable } from '../records/record.trash.ts'
import type { WriteContext } from '../records/write.context.ts'
import { listVersionIds } from '../translations/group.repository.ts'
import { venues } from '../venues/venue.directory.ts'
import { reportEventAdjustments } from './event.adjustments.ts'
import { changedFields, changedTimes, type EventChanges, publicationColumns } from './event.changes.ts'
import { linkedIds, publishVenuesAndOrganizers } from './event.links.service.ts'
import { digestPassword } from './event.password.ts'
import { findEventOrFail } from './event.read.service.ts'
import { findEvent, hasUnpublishedLinks, listLinkIds, setLinks, updateEvent } from './event.repository.ts'
import { countTermsOf, resolveSentTerms, setTerms, updateTermCounts } from './event.terms.service.ts'
import { changedTexts, textColumns } from './event.texts.ts'
import { changeEventTranslationGroup, changesSharedValues, propagateSharedChanges } from './event.translations.ts'
import type { CalendarEvent } from './event.ts'

/**
 * Changes what was sent and nothing else (events.md §8 row 1).
 *
 * @param translationOf Id of the event that this one is to be a translation of; 0: of none any more.
 * @throws rest_forbidden, rest_invalid_param, rest-event-not-found, rest-invalid-event-id, ml_translation_exists
 */
export async function changeEvent(
  tx: Tx,
  context: WriteContext,
  actor: Actor,
  id: number,
  sent: EventChanges,
  translationOf?: number,
): Promise<CalendarEvent> {
  const event = await findEditableEvent(tx, actor, id)
  assertMaySetAuthor(actor, sent.author, event.authorId)
  await assertReferencesExist(tx, { authorId: sent.author, imageId: sent.image })
  const at = context.now()
  const { config } = context
  const texts = changedTexts(event, sent)
  const status = sent.status && grantedStatus(actor, 'event', sent.status)
  const publication = nextPublication(
    event,
    { status, date: publicationInstant({ date: sent.date, dateUtc: sent.date_utc }, config.siteZone, at) },
    at,
  )
  // What nothing remains of counts as left out (rulings.md 40).
  const wantedSlug = slugFrom(sent.slug ?? '') || undefined
  // Counts follow status, terms and groups, and whatever translations share brings the terms along.
  const isCounted = changesSharedValues(sent) || publication.status !== event.status || translationOf !== undefined
  const before = isCounted ? await countTermsOf(tx, [id, ...(translationOf ? [translationOf] : [])]) : undefined
  await updateRecord(
    tx,
    event.id,
    changesFrom(event, {
      ...publicationColumns(event, publication, sent.modifiedAt ?? at),
      slug: await nextRecordSlug(tx, { ...event, ...texts }, { status: publication.status, wanted: wantedSlug }),
      author_id: sent.author ?? event.authorId,
      ...(sent.image === undefined ? {} : { image_id: sent.image }),
      ...passwordColumn(sent.event_password),
      ...(texts && textColumns(texts)),
    }),
  )
  await updateEvent(tx, event, { ...changedTimes(event, sent, config.siteZone, at), ...changedFields(event, sent) })

  const { language } = event
  if (sent.venue) await setLinks(tx, 'venue', id, await linkedIds(tx, context, venues, actor, sent.venue, language))
  if (sent.organizer) {
    await setLinks(tx, 'organizer', id, await linkedIds(tx, context, organizers, actor, sent.organizer, language))
  }
  await setTerms(tx, id, await resolveSentTerms(tx, context, actor, sent, event))
  const changed = await findEventOrFail(tx, id)
  await propagateSharedChanges(tx, config, actor, changed, sent)
  if (translationOf !== undefined) await changeEventTranslationGroup(tx, config, actor, changed, translationOf)
  if (before) await updateTermCounts(tx, before)
  await publishLinkedDrafts(tx, context, actor, changed)
  reportEventAdjustments(context, sent, changed, event)
  return translationOf === undefined ? changed : findEventOrFail(tx, id)
}

/**
 * Moves an event to the trash, from where a status brings it back.
 *
 * @throws rest_forbidden, rest-event-not-found, rest-invalid-event-id, event-is-in-trash
 */
export async function trashEvent(tx: Tx, { now }: WriteContext, actor: Actor, id: number): Promise<CalendarEvent> {
  const event = await findEditableEvent(tx, actor, id)
  if (event.status === 'trash') fail('event-is-in-trash')
  await setPublication(tx, event, { ...event, status: 'trash' }, now())
  return findEventOrFail(tx, event.id)
}

/**
 * Takes an event out of the trash, as it was before; its slug gets a number where another event has it by now.
 *
 * @throws rest_forbidden, record-not-found, record-not-in-trash
 */
export async function restoreEvent(tx: Tx, context: WriteContext, actor: Actor, id: number): Promise<CalendarEvent> {
  assertAllowed(actor, mayCreate(actor))
  const event = (await findEvent(tx, id)) ?? fail('record-not-found')
  assertRestorable(actor, event)
  const at = context.now()
  await setPublication(tx, event, restoredPublication(event, at), at)
  const restored = await findEventOrFail(tx, id)
  await publishLinkedDrafts(tx, context, actor, restored)
  return restored
}

/** Gives an event another state and date and nothing else: its slug and the counts of its terms follow. */
export async function setPublication(
  tx: Tx,
  event: CalendarEvent,
  publication: Publication,
  at: number,
): Promise<void> {
  const before = await countTermsOf(tx, [event.id])
  const columns = publicationColumns(event, publication, at)
  const slug = await nextRecordSlug(tx, event, { status: publication.status })
  await updateRecord(tx, event.id, changesFrom(event, { ...columns, slug }))
  await updateTermCounts(tx, before)
}

/** The event, for somebody who may change it. Who may change nothing at all does not learn what exists. */
async function findEditableEvent(tx: Tx, actor: Actor, id: number): Promise<CalendarEvent> {
  assertAllowed(actor, mayCreate(actor))
  const event = await findEventOrFail(tx, id)
  assertAllowed(actor, mayEdit(actor, event))
  return event
}

/** Only editors give records to others (rulings.md 1). */
export function assertMaySetAuthor(actor: Actor, author: number | undefined, owner: number): void {
  assertAllowed(actor, author === undefined || author === owner || mayEditOthers(actor))
}

function passwordColumn(sent: string | undefined): { readonly password?: string | null } {
  if (sent === undefined) return {}
  return { password: sent === '' ? null : digestPassword(sent) }
}

/** Drafts that the event shows go live with it, and so do those that its translations show, which share its links. */
export async function publishLinkedDrafts(
  tx: Tx,
  context: WriteContext,
  actor: Actor,
  event: CalendarEvent,
): Promise<void> {
  const versionIds = await listVersionIds(tx, 'records', [event.id])
  if (!(await hasUnpublishedLinks(tx, versionIds))) return
  for (const id of versionIds) {
    const version = id === event.id ? event : await findEventOrFail(tx, id)
    if (version.status !== 'publish') continue
    const venueIds = (await listLinkIds(tx, 'venue', [id])).get(id) ?? []
    const organizerIds = (await listLinkIds(tx, 'organizer', [id])).get(id) ?? []
    await publishVenuesAndOrganizers(tx, context, actor, version.language, venueIds, organizerIds)
  }
}
