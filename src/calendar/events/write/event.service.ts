import type { Actor } from '../../../access/auth/actor.ts'
import { assertAllowed, mayCreate, mayEdit, mayEditOthers } from '../../../access/auth/policy.ts'
import type { Config } from '../../../base/config/config.ts'
import { fail, failParameter } from '../../../base/problems.ts'
import { slugFrom } from '../../../base/text/slug.ts'
import { organizers } from '../../organizers/organizer.directory.ts'
import { publicationInstant } from '../../records/record.date.ts'
import { assertReferencesExist } from '../../records/record.references.ts'
import { changesFrom, updateRecord } from '../../records/record.repository.ts'
import { nextRecordSlug } from '../../records/record.slug.ts'
import { grantedStatus, nextPublication, type Publication, restoredPublication } from '../../records/record.status.ts'
import { assertRestorable } from '../../records/record.trash.ts'
import type { WriteContext } from '../../records/write.context.ts'
import { listTranslationIds } from '../../translations/group.repository.ts'
import { venues } from '../../venues/venue.directory.ts'
import { findEvent, listLinkIds, setLinks, updateEvent } from '../event.repository.ts'
import { reportEventAdjustments } from '../model/adjustments.ts'
import { presentCost, type StoredCost } from '../model/cost.ts'
import { changedFields, changedTimes, type EventPatch, publicationColumns } from '../model/event.changes.ts'
import { type CalendarEvent, isNoDate } from '../model/event.ts'
import { statedCost } from '../model/offers.ts'
import { digestOf, type NewPassword } from '../model/password.ts'
import { followedDates, keepOwnFields, moveDateAlong } from '../model/series.ts'
import { toldStatuses } from '../model/state.titles.ts'
import { changedTexts, textColumns } from '../model/texts.ts'
import { findEventOrFail, findStoredEventOrFail } from '../read/read.service.ts'
import { hasUnpublishedLinks } from './links.repository.ts'
import { linkedIds, publishVenuesAndOrganizers } from './links.service.ts'
import { countTermsOf, resolveSentTerms, setTerms, updateTermCounts } from './terms.service.ts'
import { changeEventTranslationGroup, changesSharedValues, propagateSharedChanges } from './translations.ts'

/**
 * Changes the values that were sent and no others (events.md §8 row 1).
 *
 * @param translationOf Id of the event that this one becomes a translation of. 0 removes the event from its group.
 * @throws rest_forbidden, rest_invalid_param, rest-event-not-found, rest-invalid-event-id, event-is-over,
 *   ml_translation_exists
 */
export async function changeEvent(
  write: WriteContext,
  id: number,
  patch: EventPatch & { readonly translationOf?: number | undefined },
): Promise<CalendarEvent> {
  return changeStoredEvent(write, await findEditableEvent(write, id), patch)
}

interface StoredChange extends EventPatch {
  readonly translationOf?: number | undefined
  readonly isTemplate?: boolean
}

/** Changes an event or the template of a series, which the caller may change. */
export async function changeStoredEvent(
  write: WriteContext,
  event: CalendarEvent,
  { translationOf, isTemplate = false, ...sent }: StoredChange,
): Promise<CalendarEvent> {
  const { tx, actor, config } = write
  const patch = isCostAsShown(event, sent.cost, config) ? { ...sent, cost: undefined } : sent
  const { id } = event
  const dates = await followedDates(tx, event)
  assertMaySetAuthor(actor, patch.authorId, event.authorId)
  await assertReferencesExist(tx, { authorId: patch.authorId, imageId: patch.imageId })
  const at = write.now()
  const texts = changedTexts(
    event,
    patch,
    toldStatuses(config, [event.eventStatus, patch.eventStatus ?? event.eventStatus]),
  )
  const status = patch.status && grantedStatus(actor, 'event', patch.status)
  const date = publicationInstant({ date: patch.date, dateUtc: patch.dateUtc }, config.siteZone, at)
  const publication = nextPublication(event, { status, date }, at)
  if (patch.slug === '' && event.slug !== '') failParameter('slug', 'fault.text')
  // A slug that is empty after sanitizing counts as not sent (rulings.md 40).
  const wantedSlug = slugFrom(patch.slug ?? '') || undefined
  // Counts depend on status, terms and groups. A change of shared values can also copy terms to translations.
  const isCounted = changesSharedValues(patch) || publication.status !== event.status || translationOf !== undefined
  const before = isCounted ? await countTermsOf(tx, [id, ...(translationOf ? [translationOf] : [])]) : undefined
  await updateRecord(
    tx,
    event.id,
    changesFrom(event, {
      ...publicationColumns(event, publication, patch.modifiedAt ?? at),
      slug: await nextRecordSlug(tx, { ...event, ...texts }, { status: publication.status, wanted: wantedSlug }),
      author_id: patch.authorId ?? event.authorId,
      ...(patch.imageId === undefined ? {} : { image_id: patch.imageId }),
      ...passwordColumn(patch.password),
      ...(texts && textColumns(texts, event)),
    }),
  )
  const times = changedTimes(event, patch, { siteZone: config.siteZone, at })
  const isShown = (of: Pick<Publication, 'status'>) => of.status === 'publish' || of.status === 'future'
  if (isNoDate(times.start) && isShown(publication) && !isShown(event)) failParameter('start_date', 'fault.no-date')
  await updateEvent(tx, event, { ...times, ...changedFields(event, patch, { times, at, isTemplate }) })

  const { language } = event
  if (patch.venues) {
    await setLinks(tx, 'venue', {
      eventId: id,
      ids: await linkedIds(write, venues, { links: patch.venues, language }),
    })
  }
  if (patch.organizers) {
    await setLinks(tx, 'organizer', {
      eventId: id,
      ids: await linkedIds(write, organizers, { links: patch.organizers, language }),
    })
  }
  await setTerms(tx, id, await resolveSentTerms(write, patch, event))
  const changed = await findStoredEventOrFail(tx, id)
  await propagateSharedChanges(write, changed, patch)
  if (translationOf !== undefined) await changeEventTranslationGroup(write, changed, translationOf)
  if (before) await updateTermCounts(tx, before)
  await publishLinkedDrafts(write, changed)
  await keepOwnFields(tx, dates, { before: event, after: changed, at })
  reportEventAdjustments(write, patch, { after: changed, before: event })
  return translationOf === undefined ? changed : findStoredEventOrFail(tx, id)
}

/**
 * Moves an event to the trash. A later status change restores it.
 *
 * @throws rest_forbidden, rest-event-not-found, rest-invalid-event-id, event-is-in-trash
 */
export async function trashEvent(write: WriteContext, id: number): Promise<CalendarEvent> {
  const event = await findEditableEvent(write, id)
  if (event.status === 'trash') fail('event-is-in-trash')
  await setPublication(write, event, { ...event, status: 'trash' })
  return findEventOrFail(write.tx, event.id)
}

/**
 * Restores an event from the trash to its earlier state. Its slug gets a number if another event uses it now.
 *
 * @throws rest_forbidden, record-not-found, record-not-in-trash
 */
export async function restoreEvent(write: WriteContext, id: number): Promise<CalendarEvent> {
  const { tx, actor } = write
  assertAllowed(actor, mayCreate(actor))
  const event = (await findEvent(tx, id)) ?? fail('record-not-found')
  assertRestorable(actor, event)
  await setPublication(write, event, restoredPublication(event, write.now()))
  const restored = await findEventOrFail(tx, id)
  await publishLinkedDrafts(write, restored)
  return restored
}

/** Sets the status and date of an event and nothing else. Its slug and the counts of its terms follow. */
export async function setPublication(
  { tx, now }: Pick<WriteContext, 'tx' | 'now'>,
  event: CalendarEvent,
  publication: Publication,
): Promise<void> {
  const at = now()
  const before = await countTermsOf(tx, [event.id])
  const columns = publicationColumns(event, publication, at)
  const slug = await nextRecordSlug(tx, event, publication)
  await updateRecord(tx, event.id, changesFrom(event, { ...columns, slug }))
  await updateTermCounts(tx, before)
  await moveDateAlong(tx, { before: event, after: publication, at })
}

/** Returns the event, if the actor may change it. A caller who may change no events does not learn which exist. */
async function findEditableEvent({ tx, actor }: WriteContext, id: number): Promise<CalendarEvent> {
  assertAllowed(actor, mayCreate(actor))
  const event = await findEventOrFail(tx, id)
  assertAllowed(actor, mayEdit(actor, event))
  return event
}

/** Only editors change the author of a record (rulings.md 1). */
export function assertMaySetAuthor(actor: Actor, author: number | undefined, owner: number): void {
  assertAllowed(actor, author === undefined || author === owner || mayEditOthers(actor))
}

/** Whether a cost is sent as it is shown, with the currency of the site: it stays as it was written (rulings.md 44). */
function isCostAsShown(event: CalendarEvent, sent: StoredCost | undefined, config: Config): boolean {
  const site = { symbol: config.currencySymbol, position: config.currencyPosition }
  return sent?.length === 1 && sent[0] === presentCost(statedCost(event, config.currencyCode), site).cost
}

function passwordColumn(password: NewPassword | undefined): { readonly password?: string | null } {
  if (password === undefined) return {}
  return { password: digestOf(password) ?? null }
}

/**
 * Publishes the drafts that the event shows. Its translations share its links, so the drafts that they show go live
 * too.
 */
export async function publishLinkedDrafts(write: WriteContext, event: CalendarEvent): Promise<void> {
  const { tx } = write
  const versionIds = await listTranslationIds(tx, 'records', [event.id])
  if (!(await hasUnpublishedLinks(tx, versionIds))) return
  for (const id of versionIds) {
    const version = id === event.id ? event : await findStoredEventOrFail(tx, id)
    if (version.status !== 'publish') continue
    await publishVenuesAndOrganizers(write, version.language, {
      venueIds: (await listLinkIds(tx, 'venue', [id])).get(id) ?? [],
      organizerIds: (await listLinkIds(tx, 'organizer', [id])).get(id) ?? [],
    })
  }
}
