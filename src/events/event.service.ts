import type { Actor } from '../auth/actor.ts'
import { assertAllowed, mayCreate, mayEdit, mayEditOthers } from '../auth/policy.ts'
import type { WriteContext } from '../directory/directory.service.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import { fail } from '../problems.ts'
import { publicationInstant } from '../records/record.date.ts'
import { changesFrom, insertRecord, updateRecord } from '../records/record.repository.ts'
import { changedSlug, freeSlug, slugFor } from '../records/record.slug.ts'
import {
  firstPublication,
  grantedStatus,
  nextPublication,
  type Publication,
  restoredPublication,
} from '../records/record.status.ts'
import { assertRestorable } from '../records/record.trash.ts'
import { isUnpublished } from '../records/record.ts'
import type { Tx } from '../storage/tables.ts'
import { sanitizeArticle } from '../text/sanitize.ts'
import { slugFrom } from '../text/slug.ts'
import { withTranslations } from '../translations/group.repository.ts'
import { joinTranslations, type Translation } from '../translations/group.service.ts'
import { venues } from '../venues/venue.directory.ts'
import {
  changedFields,
  changedTimes,
  type EventChanges,
  type NewEvent,
  noFields,
  publicationColumns,
  wallOf,
} from './event.changes.ts'
import { linkedIds, publishLinked } from './event.links.service.ts'
import { digestPassword } from './event.password.ts'
import { findEventOrFail } from './event.read.service.ts'
import { findEvent, hasUnpublishedLinks, insertEvent, listLinkIds, setLinks, updateEvent } from './event.repository.ts'
import { countedNow, recount, sentTerms, setTerms, uncounted } from './event.terms.service.ts'
import { changedTexts, rendered, textColumns, titleOf } from './event.texts.ts'
import { findTranslated, isSharedSent, regroup, shareChanges, takeShared } from './event.translations.ts'
import { type CalendarEvent, type EventTimes, timesOf } from './event.ts'

/**
 * Creates an event with all that is new about it: venue, organizers, categories and tags, in one transaction. What a
 * translation does not say is that of the event it translates (languages.md §5).
 *
 * @throws rest_forbidden, rest_invalid_param, ml_translation_exists
 */
export async function createEvent(
  tx: Tx,
  context: WriteContext,
  actor: Actor,
  sent: NewEvent,
  { language, of }: Translation,
): Promise<CalendarEvent> {
  assertAllowed(actor, mayCreate(actor))
  if (actor.kind === 'visitor') return fail('rest_forbidden', { status: 401 })
  assertMayName(actor, sent.author, actor.id)
  const at = context.now()
  const { config } = context
  const original = of === undefined ? undefined : await findTranslated(tx, actor, of, language)
  const title = titleOf(sent.title)
  const content = sent.description === undefined ? (original?.content ?? '') : sanitizeArticle(sent.description)
  const excerpt = sent.excerpt === undefined ? (original?.excerpt ?? '') : sanitizeArticle(sent.excerpt)
  const status = grantedStatus(actor, 'event', sent.status)
  const publication = firstPublication(status, publicationInstant(sent, config.siteZone, at), at)
  const venueIds = sent.venue && (await linkedIds(tx, context, venues, actor, sent.venue, language))
  const organizerIds = sent.organizer && (await linkedIds(tx, context, organizers, actor, sent.organizer, language))

  const owner = { kind: 'event', language, status: publication.status, id: undefined } as const
  const madeSlug = isUnpublished(publication.status) ? '' : slugFor(title, undefined)
  const slug = await freeSlug(tx, owner, sent.slug === undefined ? madeSlug : slugFrom(sent.slug))
  const id = await insertRecord(tx, {
    kind: 'event',
    ...publication,
    slug,
    ...rendered({ title, content, excerpt }),
    authorId: sent.author ?? actor.id,
    passwordDigest: sent.event_password ? digestPassword(sent.event_password) : original?.passwordDigest,
    imageId: sent.image ?? undefined,
    language,
    modifiedAt: at,
  })
  // A title without letters or digits gives no slug: the id stands in.
  if (slug === '' && !isUnpublished(publication.status)) {
    await updateRecord(tx, id, { slug: await freeSlug(tx, { ...owner, id }, String(id)) })
  }
  const fields = changedFields(original ?? noFields, sent)
  // Contract: an event that is created without a website shows its own page instead; only an update clears it.
  const own = { ...newTimes(sent, original, context, at), ...fields, website: fields.website || undefined }
  await insertEvent(tx, id, own)
  const before = original ? await countedNow(tx, original) : uncounted
  if (original) {
    await takeShared(tx, original, id)
    await updateEvent(tx, await findEventOrFail(tx, id), own) // What was sent comes before what is taken.
    await joinTranslations(tx, 'records', { id, language }, original.id)
  }
  if (sent.image !== undefined) await updateRecord(tx, id, { image_id: sent.image })
  if (venueIds) await setLinks(tx, 'venue', id, venueIds)
  if (organizerIds) await setLinks(tx, 'organizer', id, organizerIds)
  await setTerms(tx, id, await sentTerms(tx, config, sent, language))
  const event = await findEventOrFail(tx, id)
  if (original) await shareChanges(tx, config, actor, event, sent)
  if (original || sent.categories || sent.tags) await recount(tx, before, await countedNow(tx, event))
  if (original || venueIds || organizerIds) await publishLinks(tx, context, actor, event)
  return event
}

/**
 * Changes what was sent and nothing else (events.md §8, row 1).
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
  const event = await findForWriting(tx, actor, id)
  assertMayName(actor, sent.author, event.authorId)
  const at = context.now()
  const { config } = context
  const texts = changedTexts(event, sent)
  const status = sent.status && grantedStatus(actor, 'event', sent.status)
  const publication = nextPublication(event, status, publicationInstant(sent, config.siteZone, at), at)
  const wantedSlug = sent.slug === undefined ? undefined : slugFrom(sent.slug)
  // Counts follow status and terms, and whatever translations share brings the terms along.
  const before = isSharedSent(sent) || publication.status !== event.status ? await countedNow(tx, event) : undefined
  await updateRecord(
    tx,
    event.id,
    changesFrom(event, {
      ...publicationColumns(event, publication, at),
      slug: await changedSlug(tx, { ...event, ...texts }, publication.status, wantedSlug),
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
  await setTerms(tx, id, await sentTerms(tx, config, sent, language))
  const changed = await findEventOrFail(tx, id)
  await shareChanges(tx, config, actor, changed, sent)
  // Before it changes groups: what the event adds to the counts depends on the group that it is in.
  if (before) await recount(tx, before, await countedNow(tx, changed))
  if (translationOf !== undefined) await regroup(tx, config, actor, changed, translationOf)
  await publishLinks(tx, context, actor, changed)
  return translationOf === undefined ? changed : findEventOrFail(tx, id)
}

/**
 * Moves an event to the trash, from where a status brings it back.
 *
 * @throws rest_forbidden, rest-event-not-found, rest-invalid-event-id, event-is-in-trash
 */
export async function trashEvent(tx: Tx, { now }: WriteContext, actor: Actor, id: number): Promise<CalendarEvent> {
  const event = await findForWriting(tx, actor, id)
  if (event.status === 'trash') fail('event-is-in-trash')
  await moveTo(tx, event, { ...event, status: 'trash' }, now())
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
  await moveTo(tx, event, restoredPublication(event, at), at)
  const restored = await findEventOrFail(tx, id)
  await publishLinks(tx, context, actor, restored)
  return restored
}

/** Gives an event another state and date and nothing else: its slug and the counts of its terms follow. */
export async function moveTo(tx: Tx, event: CalendarEvent, publication: Publication, at: number): Promise<void> {
  const before = await countedNow(tx, event)
  const columns = publicationColumns(event, publication, at)
  const slug = await changedSlug(tx, event, publication.status)
  await updateRecord(tx, event.id, changesFrom(event, { ...columns, slug }))
  await recount(tx, before, { ...before, isPublished: publication.status === 'publish' })
}

/** The event, for somebody who may change it. Who may change nothing at all does not learn what exists. */
async function findForWriting(tx: Tx, actor: Actor, id: number): Promise<CalendarEvent> {
  assertAllowed(actor, mayCreate(actor))
  const event = await findEventOrFail(tx, id)
  assertAllowed(actor, mayEdit(actor, event))
  return event
}

/** Only editors give records to others (decisions.md 1). */
function assertMayName(actor: Actor, author: number | undefined, owner: number): void {
  assertAllowed(actor, author === undefined || author === owner || mayEditOthers(actor))
}

/** The times of a new event: both dates were sent, unless it translates one. */
function newTimes(
  sent: NewEvent,
  original: CalendarEvent | undefined,
  { config }: WriteContext,
  at: number,
): EventTimes {
  if (original) return changedTimes(original, sent, config.siteZone, at)
  const { start_date = '', end_date = '', timezone = 'site', all_day = false } = sent
  const zone = timezone === 'site' ? config.siteZone : timezone
  return timesOf(wallOf(start_date, zone, at), wallOf(end_date, zone, at), zone, all_day)
}

function passwordColumn(sent: string | undefined): { readonly password?: string | null } {
  if (sent === undefined) return {}
  return { password: sent === '' ? null : digestPassword(sent) }
}

/** Drafts that the event shows go live with it, and so do those that its translations show, which share its links. */
export async function publishLinks(tx: Tx, context: WriteContext, actor: Actor, event: CalendarEvent): Promise<void> {
  const versionIds = await withTranslations(tx, 'records', [event.id])
  if (!(await hasUnpublishedLinks(tx, versionIds))) return
  for (const id of versionIds) {
    const version = id === event.id ? event : await findEventOrFail(tx, id)
    const venueIds = (await listLinkIds(tx, 'venue', [id])).get(id) ?? []
    const organizerIds = (await listLinkIds(tx, 'organizer', [id])).get(id) ?? []
    await publishLinked(tx, context, actor, version, venueIds, organizerIds)
  }
}
