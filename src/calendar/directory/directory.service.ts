import { assertAllowed, mayCreate, mayEdit, mayEditOthers, mayRead } from '../../access/auth/policy.ts'
import { fail } from '../../base/problems.ts'
import { renderArticle, renderTitle } from '../../base/text/render.ts'
import { sanitizeArticle, sanitizeTitle } from '../../base/text/sanitize.ts'
import { zeroDateTime } from '../../base/time/wire.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { reportRecordAdjustments } from '../records/record.adjustments.ts'
import { publicationInstant } from '../records/record.date.ts'
import { comparableTitle } from '../records/record.name.ts'
import { assertReferencesExist } from '../records/record.references.ts'
import { insertRecord, updateRecord } from '../records/record.repository.ts'
import { nextRecordSlug, slugFromTitle, uniqueRecordSlug } from '../records/record.slug.ts'
import {
  grantedStatus,
  initialPublication,
  nextPublication,
  type Publication,
  restoredPublication,
} from '../records/record.status.ts'
import { assertRestorable } from '../records/record.trash.ts'
import { isUnpublished } from '../records/record.ts'
import type { WriteContext } from '../records/write.context.ts'
import { joinTranslationGroup, type NewTranslation } from '../translations/group.service.ts'
import type { ReadContext } from '../translations/viewer.ts'
import { findSamePlace } from './directory.apart.ts'
import { findEntry, findEntryOrThrow, listNamesakes } from './directory.repository.ts'
import {
  changeEntryTranslationGroup,
  findTranslatableEntry,
  propagateSharedFields,
  searchText,
} from './directory.translations.ts'
import type { Directory, DirectoryEntry, EntryPatch, Fields } from './directory.ts'

/**
 * Returns the entry if the actor may read it.
 *
 * @throws venue-not-accessible, organizer-not-accessible
 */
export async function readEntry<F extends Fields>(
  { db, viewer }: Pick<ReadContext, 'db' | 'viewer'>,
  directory: Directory<F>,
  id: number,
): Promise<DirectoryEntry<F>> {
  const entry = await findEntry(db, directory, id)
  if (!entry || !mayRead(viewer.actor, entry)) return fail(`${directory.kind}-not-accessible`)
  return entry
}

/** An entry that is not stored yet, in a language. */
interface NewEntry<F extends Fields> extends NewTranslation {
  readonly draft: EntryPatch<F>
  /** If set, it is another one than those of its name, and its slug ends with this. */
  readonly apartBy?: string | undefined
  /** See `NewRecord`. */
  readonly keptId?: number | undefined
}

interface EntryChange<F extends Fields> {
  readonly id: number
  readonly patch: EntryPatch<F>
  /**
   * Id of an entry that this one becomes a translation of. 0 removes the entry from its group. Undefined changes
   * nothing.
   */
  readonly translationOf?: number | undefined
}

/**
 * Creates an entry, or changes the entry of the same name that the caller may edit (venues-organizers.md §4.3). A draft
 * that is apart changes none: it is the entry of the same name and place, or a new one.
 *
 * @throws rest_forbidden, could-not-create-venue, could-not-create-organizer
 */
export async function createEntry<F extends Fields>(
  write: WriteContext,
  directory: Directory<F>,
  { draft, language, of, apartBy, keptId }: NewEntry<F>,
): Promise<DirectoryEntry<F>> {
  const { tx, actor, config, now } = write
  assertAllowed(actor, mayCreate(actor))
  if (actor.kind === 'visitor') return fail('rest_forbidden', { status: 401 })
  const authorId = draft.authorId ?? actor.id
  assertAllowed(actor, authorId === actor.id || mayEditOthers(actor))
  await assertReferencesExist(tx, referencesOf(draft))
  const title = sanitizeTitle(draft.name ?? '')
  if (title === '' || hasNeverDate(draft)) fail(`could-not-create-${directory.kind}`)
  const translated = of === undefined ? undefined : await findTranslatableEntry(write, directory, { id: of, language })
  const content = draft.description === undefined ? (translated?.content ?? '') : sanitizeArticle(draft.description)

  // A place is the same in each language.
  const named = { title, content, language: draft.isApart ? undefined : language }
  const namesakes = translated || apartBy ? [] : await listNamesakes(tx, directory.kind, named)
  const own = namesakes.filter((known) => mayEdit(actor, known))
  if (draft.isApart) {
    const place = { ids: own.map(({ id }) => id), fields: directory.change(directory.blank, draft.fields) }
    const same = await findSamePlace(tx, directory, place)
    if (same) return same
  }
  const [namesake] = draft.isApart ? [] : own
  if (namesake) {
    const existing = await findEntryOrThrow(tx, directory, namesake.id)
    const rewritten = { fields: draft.fields, imageId: draft.imageId }
    const change = { entry: existing, patch: rewritten, publication: existing, at: now() }
    const changed = await writeChanges(tx, directory, change)
    await propagateSharedFields(write, directory, { entry: changed, sent: rewritten })
    reportEntryAdjustments(write, draft, changed)
    return changed
  }

  const at = now()
  const status = grantedStatus(actor, directory.kind, draft.status)
  const publication = initialPublication(status, publicationInstant(datesOf(draft), config.siteZone, at), at)
  const slugOwner = { kind: directory.kind, language, status: publication.status, id: undefined }
  const slug = await uniqueRecordSlug(
    tx,
    slugOwner,
    slugFromTitle(apartBy ? sanitizeTitle(`${draft.name} (${apartBy})`) : title, undefined),
  )
  const fields = directory.change(translated?.fields ?? directory.blank, draft.fields)
  const id = await insertRecord(tx, {
    kind: directory.kind,
    ...publication,
    slug,
    title,
    titleHtml: renderTitle(title),
    content,
    contentHtml: renderArticle(content),
    excerpt: '',
    excerptHtml: '',
    authorId,
    passwordDigest: undefined,
    imageId: (draft.imageId === undefined ? translated?.imageId : draft.imageId) ?? undefined,
    language,
    modifiedAt: draft.modifiedAt ?? at,
    keptId,
    searchText: searchText(directory, { title, content, fields }),
  })
  // A name without letters or digits gives no slug. The slug is then the id.
  if (slug === '') await updateRecord(tx, id, { slug: await uniqueRecordSlug(tx, { ...slugOwner, id }, String(id)) })
  await directory.store.insert(tx, id, fields)
  const entry = await findEntryOrThrow(tx, directory, id)
  reportEntryAdjustments(write, draft, entry)
  if (!translated) return entry
  await joinTranslationGroup(tx, 'records', { member: entry, targetId: translated.id })
  await propagateSharedFields(write, directory, { entry, sent: draft })
  return findEntryOrThrow(tx, directory, id)
}

/**
 * Changes the values that were sent and no others.
 *
 * @throws rest_forbidden
 */
export async function changeEntry<F extends Fields>(
  write: WriteContext,
  directory: Directory<F>,
  { id, patch: sent, translationOf }: EntryChange<F>,
): Promise<DirectoryEntry<F>> {
  const { tx, actor, config, now } = write
  const entry = await findEntryOrThrow(tx, directory, id)
  // The date that a draft gives may come back (rulings.md 44).
  const patch = !entry.isDated && sent.dateUtc === zeroDateTime ? { ...sent, dateUtc: undefined } : sent
  assertAllowed(actor, mayEdit(actor, entry))
  assertAllowed(actor, patch.authorId === undefined || patch.authorId === entry.authorId || mayEditOthers(actor))
  await assertReferencesExist(tx, referencesOf(patch))
  const isBlank = patch.name !== undefined && sanitizeTitle(patch.name) === ''
  if (isBlank || hasNeverDate(patch)) fail(`could-not-update-${directory.kind}`)
  const status = patch.status && grantedStatus(actor, directory.kind, patch.status)
  const at = now()
  const date = publicationInstant(datesOf(patch), config.siteZone, at)
  const publication = nextPublication(entry, { status, date }, at)
  const changed = await writeChanges(tx, directory, { entry, patch, publication, at })
  await propagateSharedFields(write, directory, { entry: changed, sent: patch })
  reportEntryAdjustments(write, patch, changed)
  if (translationOf === undefined) return changed
  await changeEntryTranslationGroup(write, directory, { entry: changed, targetId: translationOf })
  return findEntryOrThrow(tx, directory, id)
}

/**
 * Moves an entry to the trash. Its links stay, but events no longer show it.
 *
 * @throws rest_forbidden, venue-is-in-trash, organizer-is-in-trash
 */
export async function trashEntry<F extends Fields>(
  { tx, actor, now }: WriteContext,
  directory: Directory<F>,
  id: number,
): Promise<DirectoryEntry<F>> {
  const entry = await findEntryOrThrow(tx, directory, id)
  assertAllowed(actor, mayEdit(actor, entry))
  if (entry.status === 'trash') fail(`${directory.kind}-is-in-trash`)
  const publication = { ...entry, status: 'trash' } as const
  return writeChanges(tx, directory, { entry, publication, at: now() })
}

/**
 * Restores an entry from the trash to its earlier state. Events that link to it show it again.
 *
 * @throws rest_forbidden, record-not-found, record-not-in-trash
 */
export async function restoreEntry<F extends Fields>(
  { tx, actor, now }: WriteContext,
  directory: Directory<F>,
  id: number,
): Promise<DirectoryEntry<F>> {
  assertAllowed(actor, mayCreate(actor))
  const entry = (await findEntry(tx, directory, id)) ?? fail('record-not-found')
  assertRestorable(actor, entry)
  const at = now()
  return writeChanges(tx, directory, { entry, publication: restoredPublication(entry, at), at })
}

/** Publishes the drafts and pending entries among these. They go live with an event (events.md §8 row 8). */
export async function publishEntries<F extends Fields>(
  { tx, now }: WriteContext,
  directory: Directory<F>,
  entries: Iterable<DirectoryEntry<F>>,
): Promise<void> {
  const at = now()
  for (const entry of entries) {
    if (!isUnpublished(entry.status)) continue
    const publication = nextPublication(entry, { status: 'publish' }, at)
    await writeChanges(tx, directory, { entry, publication, at })
  }
}

interface EntryWrite<F extends Fields> {
  readonly entry: DirectoryEntry<F>
  readonly patch?: EntryPatch<F>
  readonly publication: Publication
  /** Time of the change. */
  readonly at: number
}

async function writeChanges<F extends Fields>(
  tx: Tx,
  directory: Directory<F>,
  { entry, patch = { fields: {} }, publication, at }: EntryWrite<F>,
): Promise<DirectoryEntry<F>> {
  // What is sent as it is shown stays as it was written (rulings.md 44).
  const { name = entry.titleHtml, description = entry.contentHtml } = patch
  const title = name === entry.titleHtml ? entry.title : sanitizeTitle(name)
  const content = description === entry.contentHtml ? entry.content : sanitizeArticle(description)
  const fields = directory.change(entry.fields, patch.fields)
  const { status, datedAt, isDated } = publication
  await updateRecord(tx, entry.id, {
    status,
    status_before_trash: status === 'trash' ? (entry.statusBeforeTrash ?? entry.status) : null,
    slug: await nextRecordSlug(tx, entry, { status }),
    dated_at: datedAt,
    is_dated: isDated ? 1 : 0,
    modified_at: patch.modifiedAt ?? at,
    author_id: patch.authorId ?? entry.authorId,
    title,
    title_folded: comparableTitle(title),
    title_html: renderTitle(title),
    content,
    content_html: renderArticle(content),
    search_text: searchText(directory, { title, content, fields }),
    ...(patch.imageId === undefined ? {} : { image_id: patch.imageId }),
  })
  await directory.store.update(tx, entry.id, fields)
  return findEntryOrThrow(tx, directory, entry.id)
}

/**
 * Reports values of an entry that differ from the sent ones. An entry that already existed keeps its name and its
 * owner.
 */
function reportEntryAdjustments<F extends Fields>(
  write: WriteContext,
  { name, authorId, status, ...sent }: EntryPatch<F>,
  entry: DirectoryEntry<F>,
): void {
  const { report } = write
  reportRecordAdjustments(write, { status, ...datesOf(sent) }, entry)
  if (name !== undefined && sanitizeTitle(name) !== entry.title) report?.adjust(entry.kind, { to: entry.title })
  if (authorId !== undefined && authorId !== entry.authorId) report?.adjust('author', { to: String(entry.authorId) })
}

/**
 * Contract: clients can read the date of a record that was never published, but a record cannot be published at that
 * date (venues-organizers.md §4.1).
 */
function hasNeverDate({ date, dateUtc }: EntryPatch<Fields>): boolean {
  return date === zeroDateTime || dateUtc === zeroDateTime
}

function datesOf({ date, dateUtc }: EntryPatch<Fields>) {
  return { date, dateUtc }
}

function referencesOf({ authorId, imageId }: EntryPatch<Fields>) {
  return { authorId, imageId }
}
