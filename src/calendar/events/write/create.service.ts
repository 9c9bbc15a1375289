import type { Actor } from '../../../access/auth/actor.ts'
import { assertAllowed, mayCreate } from '../../../access/auth/policy.ts'
import type { Language } from '../../../base/languages/language.ts'
import { fail } from '../../../base/problems.ts'
import { sanitizeArticle } from '../../../base/text/sanitize.ts'
import { slugFrom } from '../../../base/text/slug.ts'
import type { Zone } from '../../../base/time/zone.ts'
import type { Tx } from '../../../storage/database/tables.ts'
import { organizers } from '../../organizers/organizer.directory.ts'
import { publicationInstant } from '../../records/record.date.ts'
import { assertReferencesExist } from '../../records/record.references.ts'
import {
  type AddedRecord,
  completeSlug,
  insertRecords,
  insertRecordUnlessTaken,
  type NewRecord,
  updateRecord,
} from '../../records/record.repository.ts'
import { needsFreeSlug, slugFromTitle, uniqueRecordSlug, uniqueRecordSlugs } from '../../records/record.slug.ts'
import { grantedStatus, initialPublication } from '../../records/record.status.ts'
import { isUnpublished, type RecordId } from '../../records/record.ts'
import type { WriteContext } from '../../records/write.context.ts'
import { setTermsOfNewEvents } from '../../terms/term.service.ts'
import { joinTranslationGroup, type NewTranslation } from '../../translations/group.service.ts'
import { venues } from '../../venues/venue.directory.ts'
import { insertEvents, insertLinks, setLinks, updateEvent } from '../event.repository.ts'
import { reportEventAdjustments } from '../model/adjustments.ts'
import { changedTimes, type EventDraft, newFields, parseLocalDateTime } from '../model/event.changes.ts'
import { type CalendarEvent, type EventFields, type EventTimes, timesOf } from '../model/event.ts'
import { digestOf } from '../model/password.ts'
import { translateDate } from '../model/series.ts'
import { toldStatuses } from '../model/state.titles.ts'
import { renderTexts, sanitizedTitle } from '../model/texts.ts'
import { findStoredEventOrFail } from '../read/read.service.ts'
import { assertMaySetAuthor, publishLinkedDrafts } from './event.service.ts'
import { hasUnpublishedLinks } from './links.repository.ts'
import { linkedIds, linkedIdsOfEach, listNamedEntries, publishVenuesAndOrganizers } from './links.service.ts'
import { countTermsOf, resolveSentTerms, resolveSentTermsOfEach, setTerms, updateTermCounts } from './terms.service.ts'
import { copySharedValues, findTranslatableEvent, propagateSharedChanges } from './translations.ts'

/**
 * Creates an event with its new venue, organizers, categories and tags in one transaction. A translation takes the
 * values that were not sent from the event that it translates (languages.md §5).
 *
 * @throws rest_forbidden, rest_invalid_param, ml_translation_exists
 */
export async function createEvent(
  write: WriteContext,
  draft: EventDraft,
  { language, of }: NewTranslation,
): Promise<CalendarEvent> {
  const { tx } = write
  await assertReferencesExist(tx, { authorId: draft.authorId, imageId: draft.imageId })
  if (of !== undefined) return createTranslation(write, draft, { language, of })
  const created = await createOne(write, draft, { language, kind: 'event' })
  reportEventAdjustments(write, draft, { after: created })
  return created
}

/** Creates an event or a template that is not a translation. */
export async function createOne(write: WriteContext, draft: EventDraft, of: NewKind): Promise<CalendarEvent> {
  const [created] = (await createNewEvents(write, [withDefaultWebsite(draft)], of)) as readonly [CalendarEvent]
  return created
}

/** What new rows are: events, or templates of series. */
interface NewKind {
  readonly language: Language
  readonly kind: 'event' | 'series'
}

/**
 * Creates events that are not translations, in this order, each according to its draft. The number of statements does
 * not grow with the number of events, except for new venues, organizers and terms.
 *
 * @returns their ids.
 * @throws rest_forbidden, rest_invalid_param
 */
export async function createEvents(
  write: WriteContext,
  drafts: readonly EventDraft[],
  language: Language,
): Promise<readonly RecordId[]> {
  return (await createNewEvents(write, drafts, { language, kind: 'event' })).map(({ id }) => id)
}

/** Does the same, and returns the events as they are stored. */
async function createNewEvents(
  write: WriteContext,
  drafts: readonly EventDraft[],
  { language, kind }: NewKind,
): Promise<readonly CalendarEvent[]> {
  const { tx, actor } = write
  const unsaved = drafts.map((draft) =>
    unsavedEventOf(write, draft, { authorId: authorOf(actor, draft), language, kind }),
  )
  if (!drafts.some(hasLinks)) return insertUnsavedEvents(tx, language, unsaved)
  const venueLists = drafts.map((draft) => draft.venues ?? [])
  const organizerLists = drafts.map((draft) => draft.organizers ?? [])
  const links = [...venueLists.flat(), ...organizerLists.flat()]
  const entries = await listNamedEntries(tx, links)
  const venueIds = await linkedIdsOfEach(write, venues, { lists: venueLists, entries, language })
  const organizerIds = await linkedIdsOfEach(write, organizers, { lists: organizerLists, entries, language })
  const events = await insertUnsavedEvents(tx, language, unsaved)
  const ids = events.map(({ id }) => id)
  const linked = (lists: readonly (readonly number[])[]) =>
    ids.map((eventId, place) => ({ eventId, ids: lists[place] ?? [] }))
  await insertLinks(tx, 'venue', linked(venueIds))
  await insertLinks(tx, 'organizer', linked(organizerIds))
  const termIds = await resolveSentTermsOfEach(write, drafts, language)
  const isPublished = (place: number) => kind === 'event' && unsaved[place]?.record.status === 'publish'
  const carrying = ids.map((eventId, place) => ({
    ...{ eventId, isPublished: isPublished(place), termIds: termIds[place] ?? [] },
  }))
  await setTermsOfNewEvents(tx, carrying)
  const isNew = links.some((link) => 'create' in link)
  const mayBeUnpublished = isNew || [...entries.values()].some(({ isUnpublished }) => isUnpublished)
  if (!mayBeUnpublished || !(await hasUnpublishedLinks(tx, ids))) return events
  const shown = (lists: readonly (readonly number[])[]) => lists.filter((_, place) => isPublished(place)).flat()
  await publishVenuesAndOrganizers(write, language, { venueIds: shown(venueIds), organizerIds: shown(organizerIds) })
  return events
}

/** Whether the draft of an event that is not a translation names venues, organizers or terms. */
export function hasLinks({ venues = [], organizers = [], categories = [], tags = [] }: EventDraft): boolean {
  return [venues, organizers, categories, tags].some((links) => links.length > 0)
}

/**
 * Creates a translation of an event, or of the template of a series.
 *
 * @throws rest_forbidden, rest_invalid_param, ml_translation_exists
 */
export async function createTranslation(
  write: WriteContext,
  draft: EventDraft,
  { language, of, kind }: NewTranslation & { readonly of: number } & Partial<NewKind>,
): Promise<CalendarEvent> {
  const { tx, actor } = write
  const authorId = authorOf(actor, draft)
  const original = await findTranslatableEvent(write, of, language)
  const unsaved = unsavedEventOf(write, draft, { authorId, language, original, ...(kind ? { kind } : {}) })
  const own = withDefaultWebsite(unsaved.own)
  const venueIds = draft.venues && (await linkedIds(write, venues, { links: draft.venues, language }))
  const organizerIds = draft.organizers && (await linkedIds(write, organizers, { links: draft.organizers, language }))
  const [{ id }] = (await insertUnsavedEvents(tx, language, [{ ...unsaved, own }])) as readonly [CalendarEvent]
  const before = await countTermsOf(tx, [original.id, id])
  await copySharedValues(tx, original, id)
  await updateEvent(tx, await findStoredEventOrFail(tx, id), own) // Sent values take precedence over copied ones.
  await joinTranslationGroup(tx, 'records', { member: { id, language }, targetId: original.id })
  await translateDate(tx, original, { id, language })
  if (draft.imageId !== undefined) await updateRecord(tx, id, { image_id: draft.imageId })
  if (venueIds) await setLinks(tx, 'venue', { eventId: id, ids: venueIds })
  if (organizerIds) await setLinks(tx, 'organizer', { eventId: id, ids: organizerIds })
  await setTerms(tx, id, await resolveSentTerms(write, draft, { id, language }))
  const event = await findStoredEventOrFail(tx, id)
  await propagateSharedChanges(write, event, draft)
  await updateTermCounts(tx, before)
  await publishLinkedDrafts(write, event)
  reportEventAdjustments(write, draft, { after: event, before: original })
  return event
}

/** An event that is not stored yet. */
interface UnsavedEvent {
  readonly record: Omit<NewRecord, 'slug'>
  /** Empty if the slug is the id. */
  readonly wantedSlug: string
  readonly own: EventTimes & EventFields
}

/**
 * Returns the owner of a new event.
 *
 * @throws rest_forbidden
 */
function authorOf(actor: Actor, { authorId }: EventDraft): number {
  assertAllowed(actor, mayCreate(actor))
  if (actor.kind === 'visitor') return fail('rest_forbidden', { status: 401 })
  assertMaySetAuthor(actor, authorId, actor.id)
  return authorId ?? actor.id
}

/** @throws rest_invalid_param */
function unsavedEventOf(
  { actor, config, now }: WriteContext,
  draft: EventDraft,
  of: Partial<NewKind> & {
    readonly authorId: number
    readonly language: Language
    readonly original?: CalendarEvent
  },
): UnsavedEvent {
  const { authorId, language, original, kind = 'event' } = of
  const at = now()
  const statuses = toldStatuses(config, [draft.eventStatus ?? original?.eventStatus ?? 'scheduled'])
  const title = sanitizedTitle(draft.title, { statuses })
  const content = draft.content === undefined ? (original?.content ?? '') : sanitizeArticle(draft.content)
  const excerpt = draft.excerpt === undefined ? (original?.excerpt ?? '') : sanitizeArticle(draft.excerpt)
  const status = grantedStatus(actor, 'event', draft.status)
  const date = publicationInstant({ date: draft.date, dateUtc: draft.dateUtc }, config.siteZone, at)
  const publication = initialPublication(status, date, at)
  const madeSlug = isUnpublished(publication.status) ? '' : slugFromTitle(title, undefined)
  const site = { siteZone: config.siteZone, at }
  const times = original ? changedTimes(original, draft, site) : newTimes(draft, site)
  const own = newFields(original, draft, { times, at })
  return {
    record: {
      kind,
      ...publication,
      ...renderTexts({ title, content, excerpt }, own),
      authorId,
      passwordDigest: digestOf(draft.password ?? '') ?? original?.passwordDigest,
      imageId: draft.imageId ?? undefined,
      language,
      modifiedAt: draft.modifiedAt ?? at,
      keptId: draft.keptId,
    },
    // A slug that is empty after sanitizing counts as not sent (rulings.md 40).
    wantedSlug: slugFrom(draft.slug ?? '') || madeSlug,
    own: { ...times, ...own },
  }
}

/** Stores new events without their links, and returns them. */
async function insertUnsavedEvents(
  tx: Tx,
  language: Language,
  drafts: readonly UnsavedEvent[],
): Promise<readonly CalendarEvent[]> {
  const [draft, ...others] = drafts
  const records =
    draft &&
    others.length === 0 &&
    draft.record.keptId === undefined &&
    needsFreeSlug(draft.record.status, draft.wantedSlug)
      ? [await insertOneRecord(tx, language, draft)]
      : await insertManyRecords(tx, language, drafts)
  return insertEvents(
    tx,
    drafts.map(({ own }, place) => ({ own, record: records[place] as AddedRecord })),
  )
}

/** Stores the shared part of one event. Looks for another slug only if the wanted one turns out to be taken. */
async function insertOneRecord(
  tx: Tx,
  language: Language,
  { record: unsaved, wantedSlug }: UnsavedEvent,
): Promise<AddedRecord> {
  const record = await insertRecordUnlessTaken(tx, { ...unsaved, slug: wantedSlug })
  if (record.slug !== '') return record
  const wanted = { status: unsaved.status, slug: wantedSlug }
  const [slug] = (await uniqueRecordSlugs(tx, { kind: 'event', language }, [wanted])) as readonly [string]
  await completeSlug(tx, record.id, slug)
  return { ...record, slug }
}

async function insertManyRecords(
  tx: Tx,
  language: Language,
  drafts: readonly UnsavedEvent[],
): Promise<readonly AddedRecord[]> {
  const owner = { kind: 'event', language } as const
  const wanted = drafts.map(({ record: { status }, wantedSlug }) => ({ status, slug: wantedSlug }))
  const slugs = await uniqueRecordSlugs(tx, owner, wanted)
  const inserted = await insertRecords(
    tx,
    drafts.map(({ record }, place) => ({ ...record, slug: slugs[place] ?? '' })),
  )
  const records = [...inserted]
  for (const [place, record] of inserted.entries()) {
    const status = drafts[place]?.record.status
    if (record.slug !== '' || !status || isUnpublished(status)) continue
    // A title without letters or digits gives no slug. The slug is then the id.
    const { id } = record
    const slug = await uniqueRecordSlug(tx, { ...owner, status, id }, String(id))
    await updateRecord(tx, id, { slug })
    records[place] = { ...record, slug, change_count: record.change_count + 1 }
  }
  return records
}

/** Contract: an event that is created without a website shows its own page instead. Only an update can clear it. */
function withDefaultWebsite<F extends Pick<EventDraft, 'website'>>(fields: F): F {
  return { ...fields, website: fields.website || undefined }
}

/** Returns the times of a new event that is not a translation. Both dates were sent. */
function newTimes(
  { start = '', end = '', zone: asked = 'site', isAllDay = false, hasInstants }: EventDraft,
  { siteZone, at }: { readonly siteZone: Zone; readonly at: number },
): EventTimes {
  const zone = asked === 'site' ? siteZone : asked
  const reading = { zone, now: at, hasInstants }
  const local = { start: parseLocalDateTime(start, reading), end: parseLocalDateTime(end, reading) }
  return timesOf({ ...local, zone, isAllDay })
}
