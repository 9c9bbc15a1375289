import type { Actor } from '../../access/auth/actor.ts'
import { assertAllowed, mayCreate } from '../../access/auth/policy.ts'
import type { Language } from '../../base/languages/language.ts'
import { fail } from '../../base/problems.ts'
import { sanitizeArticle } from '../../base/text/sanitize.ts'
import { slugFrom } from '../../base/text/slug.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import { publicationInstant } from '../records/record.date.ts'
import { assertReferencesExist } from '../records/record.references.ts'
import { insertRecords, type NewRecord, updateRecord } from '../records/record.repository.ts'
import { slugFromTitle, uniqueRecordSlug, uniqueRecordSlugs } from '../records/record.slug.ts'
import { grantedStatus, initialPublication } from '../records/record.status.ts'
import { isUnpublished, type RecordId } from '../records/record.ts'
import type { WriteContext } from '../records/write.context.ts'
import { setTermsOfNewEvents } from '../terms/term.service.ts'
import { joinTranslationGroup, type Translation } from '../translations/group.service.ts'
import { venues } from '../venues/venue.directory.ts'
import { reportEventAdjustments } from './event.adjustments.ts'
import { changedFields, changedTimes, defaultEventFields, type NewEvent, parseLocalDateTime } from './event.changes.ts'
import { linkedIds, linkedIdsOfEach, publishVenuesAndOrganizers } from './event.links.service.ts'
import { digestPassword } from './event.password.ts'
import { findEventOrFail } from './event.read.service.ts'
import { hasUnpublishedLinks, insertEvents, insertLinks, setLinks, updateEvent } from './event.repository.ts'
import { assertMaySetAuthor, publishLinkedDrafts } from './event.service.ts'
import {
  countTermsOf,
  resolveSentTerms,
  resolveSentTermsOfEach,
  setTerms,
  updateTermCounts,
} from './event.terms.service.ts'
import { renderTexts, sanitizedTitle } from './event.texts.ts'
import { copySharedValues, findTranslatableEvent, propagateSharedChanges } from './event.translations.ts'
import { type CalendarEvent, type EventFields, type EventTimes, timesOf } from './event.ts'

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
  await assertReferencesExist(tx, { authorId: sent.author, imageId: sent.image })
  if (of !== undefined) return createTranslation(tx, context, actor, sent, language, of)
  const [id] = (await createEvents(tx, context, actor, [withDefaultWebsite(sent)], language)) as readonly [RecordId]
  const created = await findEventOrFail(tx, id)
  reportEventAdjustments(context, sent, created)
  return created
}

/**
 * Creates events that translate none, in this order, each as it is sent. The number of statements does not grow with
 * theirs, but for what is new beside them.
 *
 * @returns their ids.
 * @throws rest_forbidden, rest_invalid_param
 */
export async function createEvents(
  tx: Tx,
  context: WriteContext,
  actor: Actor,
  sent: readonly NewEvent[],
  language: Language,
): Promise<readonly RecordId[]> {
  const drafts = sent.map((one) => unsavedEventOf(context, actor, one, { authorId: authorOf(actor, one), language }))
  const venueLists = sent.map(({ venue = [] }) => venue)
  const venueIds = await linkedIdsOfEach(tx, context, venues, actor, venueLists, language)
  const organizerLists = sent.map(({ organizer = [] }) => organizer)
  const organizerIds = await linkedIdsOfEach(tx, context, organizers, actor, organizerLists, language)
  const ids = await insertUnsavedEvents(tx, language, drafts)
  const linked = (lists: readonly (readonly number[])[]) =>
    ids.map((eventId, place) => ({ eventId, ids: lists[place] ?? [] }))
  await insertLinks(tx, 'venue', linked(venueIds))
  await insertLinks(tx, 'organizer', linked(organizerIds))
  const termIds = await resolveSentTermsOfEach(tx, context, actor, sent, language)
  const isPublished = (place: number) => drafts[place]?.record.status === 'publish'
  const carrying = ids.map((eventId, place) => ({
    eventId,
    isPublished: isPublished(place),
    termIds: termIds[place] ?? [],
  }))
  await setTermsOfNewEvents(tx, carrying)
  if (!(await hasUnpublishedLinks(tx, ids))) return ids
  const shown = (lists: readonly (readonly number[])[]) => lists.filter((_, place) => isPublished(place)).flat()
  await publishVenuesAndOrganizers(tx, context, actor, language, shown(venueIds), shown(organizerIds))
  return ids
}

/** @throws rest_forbidden, rest_invalid_param, ml_translation_exists */
async function createTranslation(
  tx: Tx,
  context: WriteContext,
  actor: Actor,
  sent: NewEvent,
  language: Language,
  of: number,
): Promise<CalendarEvent> {
  const { config } = context
  const authorId = authorOf(actor, sent)
  const original = await findTranslatableEvent(tx, actor, of, language)
  const draft = unsavedEventOf(context, actor, sent, { authorId, language, original })
  const own = withDefaultWebsite(draft.own)
  const venueIds = sent.venue && (await linkedIds(tx, context, venues, actor, sent.venue, language))
  const organizerIds = sent.organizer && (await linkedIds(tx, context, organizers, actor, sent.organizer, language))
  const [id] = (await insertUnsavedEvents(tx, language, [{ ...draft, own }])) as readonly [RecordId]
  const before = await countTermsOf(tx, [original.id, id])
  await copySharedValues(tx, original, id)
  await updateEvent(tx, await findEventOrFail(tx, id), own) // What was sent comes before what is taken.
  await joinTranslationGroup(tx, 'records', { member: { id, language }, targetId: original.id })
  if (sent.image !== undefined) await updateRecord(tx, id, { image_id: sent.image })
  if (venueIds) await setLinks(tx, 'venue', id, venueIds)
  if (organizerIds) await setLinks(tx, 'organizer', id, organizerIds)
  await setTerms(tx, id, await resolveSentTerms(tx, context, actor, sent, { id, language }))
  const event = await findEventOrFail(tx, id)
  await propagateSharedChanges(tx, config, actor, event, sent)
  await updateTermCounts(tx, before)
  await publishLinkedDrafts(tx, context, actor, event)
  reportEventAdjustments(context, sent, event, original)
  return event
}

/** An event that is not stored yet. */
interface UnsavedEvent {
  readonly record: Omit<NewRecord, 'slug'>
  /** Empty where the id is to stand in. */
  readonly wantedSlug: string
  readonly own: EventTimes & EventFields
}

/**
 * Whoever is to own a new event.
 *
 * @throws rest_forbidden
 */
function authorOf(actor: Actor, { author }: NewEvent): number {
  assertAllowed(actor, mayCreate(actor))
  if (actor.kind === 'visitor') return fail('rest_forbidden', { status: 401 })
  assertMaySetAuthor(actor, author, actor.id)
  return author ?? actor.id
}

/** @throws rest_invalid_param */
function unsavedEventOf(
  context: WriteContext,
  actor: Actor,
  sent: NewEvent,
  of: { readonly authorId: number; readonly language: Language; readonly original?: CalendarEvent },
): UnsavedEvent {
  const { authorId, language, original } = of
  const at = context.now()
  const title = sanitizedTitle(sent.title)
  const content = sent.description === undefined ? (original?.content ?? '') : sanitizeArticle(sent.description)
  const excerpt = sent.excerpt === undefined ? (original?.excerpt ?? '') : sanitizeArticle(sent.excerpt)
  const status = grantedStatus(actor, 'event', sent.status)
  const publication = initialPublication(
    status,
    publicationInstant({ date: sent.date, dateUtc: sent.date_utc }, context.config.siteZone, at),
    at,
  )
  const madeSlug = isUnpublished(publication.status) ? '' : slugFromTitle(title, undefined)
  return {
    record: {
      kind: 'event',
      ...publication,
      ...renderTexts({ title, content, excerpt }),
      authorId,
      passwordDigest: sent.event_password ? digestPassword(sent.event_password) : original?.passwordDigest,
      imageId: sent.image ?? undefined,
      language,
      modifiedAt: sent.modifiedAt ?? at,
    },
    // What nothing remains of counts as left out (rulings.md 40).
    wantedSlug: slugFrom(sent.slug ?? '') || madeSlug,
    own: { ...newTimes(sent, original, context, at), ...changedFields(original ?? defaultEventFields, sent) },
  }
}

/** Stores what is new, without what it is linked to. */
async function insertUnsavedEvents(
  tx: Tx,
  language: Language,
  drafts: readonly UnsavedEvent[],
): Promise<readonly RecordId[]> {
  const owner = { kind: 'event', language } as const
  const wanted = drafts.map(({ record: { status }, wantedSlug }) => ({ status, slug: wantedSlug }))
  const slugs = await uniqueRecordSlugs(tx, owner, wanted)
  const ids = await insertRecords(
    tx,
    drafts.map(({ record }, place) => ({ ...record, slug: slugs[place] ?? '' })),
  )
  for (const [place, id] of ids.entries()) {
    const status = drafts[place]?.record.status
    if (slugs[place] !== '' || !status || isUnpublished(status)) continue
    // A title without letters or digits gives no slug: the id stands in.
    await updateRecord(tx, id, { slug: await uniqueRecordSlug(tx, { ...owner, status, id }, String(id)) })
  }
  await insertEvents(
    tx,
    drafts.map(({ own }, place) => ({ ...own, id: ids[place] as RecordId })),
  )
  return ids
}

/** Contract: an event that is created without a website shows its own page instead; only an update clears it. */
function withDefaultWebsite<F extends Pick<EventFields, 'website'>>(fields: F): F {
  return { ...fields, website: fields.website || undefined }
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
  return timesOf(parseLocalDateTime(start_date, zone, at), parseLocalDateTime(end_date, zone, at), zone, all_day)
}
