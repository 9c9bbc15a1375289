import type { Actor } from '../auth/actor.ts'
import { assertAllowed, mayCreate, mayEdit, mayEditOthers, mayRead } from '../auth/policy.ts'
import type { WriteContext } from '../directory/directory.service.ts'
import type { Values } from '../http/argument.ts'
import type { Language } from '../languages/language.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import { fail } from '../problems.ts'
import { publicationInstant } from '../records/record.date.ts'
import { findKind, insertRecord, updateRecord } from '../records/record.repository.ts'
import { changedSlug, freeSlug, slugFor } from '../records/record.slug.ts'
import { firstPublication, grantedStatus, nextPublication, type Publication } from '../records/record.status.ts'
import { isUnpublished } from '../records/record.ts'
import type { Db, Tx } from '../storage/tables.ts'
import { recountTerms, resolveTerms, setTermsOfEvent } from '../terms/term.service.ts'
import { sanitizeArticle } from '../text/sanitize.ts'
import { slugFrom } from '../text/slug.ts'
import { parseDateText } from '../time/date-text.ts'
import type { Wall } from '../time/wall.ts'
import type { Zone } from '../time/zone.ts'
import { venues } from '../venues/venue.directory.ts'
import type { changeArguments, createArguments } from './event.arguments.ts'
import { readCost } from './event.cost.ts'
import { linkedIds, publishLinked } from './event.links.service.ts'
import { digestPassword, opensPassword } from './event.password.ts'
import { findEvent, insertEvent, setLinks, updateEvent } from './event.repository.ts'
import { rendered, textColumns, titleOf } from './event.texts.ts'
import { type CalendarEvent, type EventFields, type EventTimes, type LinkedEvent, timesOf } from './event.ts'

export type NewEvent = Values<typeof createArguments>
export type EventChanges = Values<typeof changeArguments>

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
): Promise<LinkedEvent> {
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
 * Creates an event with all that is new about it: venue, organizers, categories and tags, in one transaction.
 *
 * @throws rest_forbidden, rest_invalid_param
 */
export async function createEvent(
  tx: Tx,
  context: WriteContext,
  actor: Actor,
  sent: NewEvent,
  language: Language = context.config.defaultLanguage,
): Promise<LinkedEvent> {
  assertAllowed(actor, mayCreate(actor))
  if (actor.kind === 'visitor') return fail('rest_forbidden', { status: 401 })
  assertMayName(actor, sent.author, actor.id)
  const at = context.now()
  const { siteZone } = context.config
  const zone = sent.timezone === undefined || sent.timezone === 'site' ? siteZone : sent.timezone
  const times = timesOf(wallOf(sent.start_date, zone, at), wallOf(sent.end_date, zone, at), zone, sent.all_day ?? false)
  const title = titleOf(sent.title)
  const content = sanitizeArticle(sent.description ?? '')
  const excerpt = sanitizeArticle(sent.excerpt ?? '')
  const status = grantedStatus(actor, 'event', sent.status)
  const publication = firstPublication(status, publicationInstant(sent, siteZone, at), at)
  const venueIds = await linkedIds(tx, context, venues, actor, sent.venue ?? [], language)
  const organizerIds = await linkedIds(tx, context, organizers, actor, sent.organizer ?? [], language)

  const owner = { kind: 'event', language, status: publication.status, id: undefined } as const
  const wantedSlug =
    sent.slug === undefined ? (isUnpublished(publication.status) ? '' : slugFor(title, undefined)) : slugFrom(sent.slug)
  const slug = await freeSlug(tx, owner, wantedSlug)
  const id = await insertRecord(tx, {
    kind: 'event',
    ...publication,
    slug,
    ...rendered({ title, content, excerpt }),
    authorId: sent.author ?? actor.id,
    passwordDigest: sent.event_password ? digestPassword(sent.event_password) : undefined,
    imageId: sent.image ?? undefined,
    language,
    modifiedAt: at,
  })
  // A title without letters or digits gives no slug: the id stands in.
  if (slug === '' && !isUnpublished(publication.status)) {
    await updateRecord(tx, id, { slug: await freeSlug(tx, { ...owner, id }, String(id)) })
  }
  // Contract: an event that is created without a website shows its own page instead; only an update clears it.
  const fields = { ...changedFields(noFields, sent), website: sent.website || undefined }
  await insertEvent(tx, id, { ...times, ...fields })
  await setLinks(tx, 'venue', id, venueIds)
  await setLinks(tx, 'organizer', id, organizerIds)
  await changeTerms(tx, id, sent, language, { before: undefined, after: publication })
  await publishLinked(tx, context, publication, venueIds, organizerIds)
  return findEventOrFail(tx, id)
}

/**
 * Changes what was sent and nothing else (events.md §8, row 1).
 *
 * @throws rest_forbidden, rest_invalid_param, rest-event-not-found, rest-invalid-event-id
 */
export async function changeEvent(
  tx: Tx,
  context: WriteContext,
  actor: Actor,
  id: number,
  sent: EventChanges,
): Promise<LinkedEvent> {
  const event = await findForWriting(tx, actor, id)
  assertMayName(actor, sent.author, event.authorId)
  const at = context.now()
  const { siteZone } = context.config
  const texts = {
    title: sent.title === undefined ? event.title : titleOf(sent.title),
    content: sent.description === undefined ? event.content : sanitizeArticle(sent.description),
    excerpt: sent.excerpt === undefined ? event.excerpt : sanitizeArticle(sent.excerpt),
  }
  const status = sent.status && grantedStatus(actor, 'event', sent.status)
  const publication = nextPublication(event, status, publicationInstant(sent, siteZone, at), at)
  await updateRecord(tx, event.id, {
    ...publicationColumns(event, publication, at),
    slug: await changedSlug(
      tx,
      { ...event, title: texts.title },
      publication.status,
      sent.slug === undefined ? undefined : slugFrom(sent.slug),
    ),
    author_id: sent.author ?? event.authorId,
    ...(sent.image === undefined ? {} : { image_id: sent.image }),
    ...(sent.event_password === undefined
      ? {}
      : { password: sent.event_password === '' ? null : digestPassword(sent.event_password) }),
    ...textColumns(texts),
  })
  await updateEvent(tx, event.id, { ...changedTimes(event, sent, siteZone, at), ...changedFields(event, sent) })

  const { language } = event
  const venueIds = sent.venue && (await linkedIds(tx, context, venues, actor, sent.venue, language))
  const organizerIds = sent.organizer && (await linkedIds(tx, context, organizers, actor, sent.organizer, language))
  if (venueIds) await setLinks(tx, 'venue', event.id, venueIds)
  if (organizerIds) await setLinks(tx, 'organizer', event.id, organizerIds)
  await changeTerms(tx, event.id, sent, language, { before: event, after: publication })
  await publishLinked(
    tx,
    context,
    publication,
    venueIds ?? event.venues.map((venue) => venue.id),
    organizerIds ?? event.organizers.map((organizer) => organizer.id),
  )
  return findEventOrFail(tx, event.id)
}

/**
 * Moves an event to the trash, from where a status brings it back.
 *
 * @throws rest_forbidden, rest-event-not-found, rest-invalid-event-id, event-is-in-trash
 */
export async function trashEvent(tx: Tx, { now }: WriteContext, actor: Actor, id: number): Promise<LinkedEvent> {
  const event = await findForWriting(tx, actor, id)
  if (event.status === 'trash') fail('event-is-in-trash')
  await moveTo(tx, event, { ...event, status: 'trash' }, now())
  return findEventOrFail(tx, event.id)
}

/** Gives an event another state and date and nothing else: its slug and the counts of its terms follow. */
export async function moveTo(tx: Tx, event: LinkedEvent, publication: Publication, at: number): Promise<void> {
  await updateRecord(tx, event.id, {
    ...publicationColumns(event, publication, at),
    slug: await changedSlug(tx, event, publication.status),
  })
  await changeTerms(tx, event.id, {}, event.language, { before: event, after: publication })
}

/** @throws rest-event-not-found, rest-invalid-event-id */
async function findEventOrFail(db: Db, id: number): Promise<LinkedEvent> {
  const event = await findEvent(db, id)
  if (event) return event
  const isOther = Number.isSafeInteger(id) && (await findKind(db, id)) !== undefined
  return fail(isOther ? 'rest-invalid-event-id' : 'rest-event-not-found')
}

/** The event, for somebody who may change it. Who may change nothing at all does not learn what exists. */
async function findForWriting(tx: Tx, actor: Actor, id: number): Promise<LinkedEvent> {
  assertAllowed(actor, mayCreate(actor))
  const event = await findEventOrFail(tx, id)
  assertAllowed(actor, mayEdit(actor, event))
  return event
}

/** Only editors give records to others (decisions.md 1). */
function assertMayName(actor: Actor, author: number | undefined, owner: number): void {
  assertAllowed(actor, author === undefined || author === owner || mayEditOthers(actor))
}

/** The text's own clock; an offset in it is ignored: clients send the wall clock (events.md §8, row 11). */
function wallOf(text: string, zone: Zone, now: number): Wall {
  return parseDateText(text, { nowSeconds: now, zone }).wall
}

function changedTimes(event: CalendarEvent, sent: EventChanges, siteZone: Zone, now: number): EventTimes {
  const { start_date, end_date, all_day, timezone } = sent
  if (start_date === undefined && end_date === undefined && all_day === undefined && timezone === undefined)
    return event
  const zone = timezone === undefined ? event.zone : timezone === 'site' ? siteZone : timezone
  return timesOf(
    start_date === undefined ? event.start : wallOf(start_date, zone, now),
    end_date === undefined ? event.end : wallOf(end_date, zone, now),
    zone,
    all_day ?? event.isAllDay,
  )
}

function changedFields(fields: EventFields, sent: EventChanges | NewEvent): EventFields {
  return {
    cost: sent.cost ?? fields.cost,
    website: sent.website ?? fields.website,
    showMap: sent.show_map ?? fields.showMap,
    showMapLink: sent.show_map_link ?? fields.showMapLink,
    isHidden: sent.hide_from_listings ?? fields.isHidden,
    isSticky: sent.sticky ?? fields.isSticky,
    isFeatured: sent.featured ?? fields.isFeatured,
  }
}

const noFields: EventFields = {
  cost: readCost(''),
  website: undefined,
  showMap: false,
  showMapLink: false,
  isHidden: false,
  isSticky: false,
  isFeatured: false,
}

function publicationColumns(event: CalendarEvent, { status, datedAt, isDated }: Publication, at: number) {
  return {
    status,
    status_before_trash: status === 'trash' ? (event.statusBeforeTrash ?? event.status) : null,
    dated_at: datedAt,
    is_dated: isDated ? (1 as const) : (0 as const),
    modified_at: at,
  }
}

/** Sets the categories and tags that were sent, and keeps every term's count of published events true. */
async function changeTerms(
  tx: Tx,
  id: number,
  sent: Partial<Pick<EventChanges, 'categories' | 'tags'>>,
  language: Language,
  { before, after }: { readonly before: LinkedEvent | undefined; readonly after: Pick<Publication, 'status'> },
): Promise<void> {
  const categoryIds = before?.categories.map((term) => term.id) ?? []
  const tagIds = before?.tags.map((term) => term.id) ?? []
  const next = [
    ...(sent.categories ? await resolveTerms(tx, 'category', sent.categories, language) : categoryIds),
    ...(sent.tags ? await resolveTerms(tx, 'tag', sent.tags, language) : tagIds),
  ]
  if (sent.categories || sent.tags) await setTermsOfEvent(tx, id, next)
  const counted = (status: string | undefined, ids: readonly number[]) => new Set(status === 'publish' ? ids : [])
  await recountTerms(tx, counted(before?.status, [...categoryIds, ...tagIds]), counted(after.status, next))
}
