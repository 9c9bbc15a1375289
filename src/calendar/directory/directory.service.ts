import type { Actor } from '../../access/auth/actor.ts'
import { assertAllowed, mayCreate, mayEdit, mayEditOthers, mayRead } from '../../access/auth/policy.ts'
import type { Deps } from '../../access/deps.ts'
import type { Call } from '../../access/http/route.ts'
import type { Told } from '../../access/http/told.ts'
import type { Config } from '../../base/config/config.ts'
import { fail } from '../../base/problems.ts'
import { renderArticle, renderTitle } from '../../base/text/render.ts'
import { sanitizeArticle, sanitizeTitle } from '../../base/text/sanitize.ts'
import { zeroDateTime } from '../../base/time/wire.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { reportRecordAdjustments } from '../records/record.adjustments.ts'
import { publicationInstant } from '../records/record.date.ts'
import { assertReferencesExist } from '../records/record.references.ts'
import { comparableTitle, insertRecord, updateRecord } from '../records/record.repository.ts'
import { nextRecordSlug, slugFromTitle, uniqueRecordSlug } from '../records/record.slug.ts'
import { grantedStatus, initialPublication, nextPublication, restoredPublication } from '../records/record.status.ts'
import { assertRestorable } from '../records/record.trash.ts'
import { isUnpublished } from '../records/record.ts'
import { joinTranslationGroup, type Translation } from '../translations/group.service.ts'
import { findEntry, findEntryOrThrow, listNamesakes } from './directory.repository.ts'
import { searchText } from './directory.search.ts'
import { changeEntryTranslationGroup, findTranslatableEntry, propagateSharedFields } from './directory.translations.ts'
import type { Directory, DirectoryEntry, DirectoryEntryInput, Fields } from './directory.ts'

/** What changes need from outside, besides the transaction. */
export interface WriteContext extends Pick<Deps, 'config' | 'now'> {
  /** What of a request is not kept as it was sent; absent where nobody is to be told. */
  readonly told?: Told | undefined
}

/** What a request changes with. */
export function writeContext({ deps, told }: Pick<Call, 'deps' | 'told'>): WriteContext {
  return { config: deps.config, now: deps.now, told }
}

/**
 * The entry, for somebody who may read it.
 *
 * @throws venue-not-accessible, organizer-not-accessible
 */
export async function readEntry<F extends Fields>(
  db: Db,
  directory: Directory<F>,
  actor: Actor,
  id: number,
): Promise<DirectoryEntry<F>> {
  const entry = await findEntry(db, directory, id)
  if (!entry || !mayRead(actor, entry)) return fail(`${directory.kind}-not-accessible`)
  return entry
}

/**
 * Creates an entry, or changes the one of the same name that the caller may edit (venues-organizers.md §4.3).
 *
 * @throws rest_forbidden, could-not-create-venue, could-not-create-organizer
 */
export async function createEntry<F extends Fields>(
  tx: Tx,
  { config, now, told }: WriteContext,
  directory: Directory<F>,
  actor: Actor,
  input: DirectoryEntryInput<F>,
  { language, of }: Translation,
): Promise<DirectoryEntry<F>> {
  assertAllowed(actor, mayCreate(actor))
  if (actor.kind === 'visitor') return fail('rest_forbidden', { status: 401 })
  const authorId = input.author ?? actor.id
  assertAllowed(actor, authorId === actor.id || mayEditOthers(actor))
  await assertReferencesExist(tx, input)
  const title = sanitizeTitle(input.name ?? '')
  if (title === '' || hasNeverDate(input)) fail(`could-not-create-${directory.kind}`)
  const translated = of === undefined ? undefined : await findTranslatableEntry(tx, directory, actor, of, language)
  const content = input.description === undefined ? (translated?.content ?? '') : sanitizeArticle(input.description)

  const namesakes = translated ? [] : await listNamesakes(tx, directory.kind, { title, content, language })
  const namesake = namesakes.find((known) => mayEdit(actor, known))
  if (namesake) {
    const existing = await findEntryOrThrow(tx, directory, namesake.id)
    const rewritten = { fields: input.fields, image: input.image }
    const changed = await writeChanges(tx, directory, existing, rewritten, existing, now())
    await propagateSharedFields(tx, config, directory, actor, changed, rewritten)
    reportEntryAdjustments(told, input, changed, config)
    return changed
  }

  const at = now()
  const status = grantedStatus(actor, directory.kind, input.status)
  const publication = initialPublication(status, publicationInstant(datesOf(input), config.siteZone, at), at)
  const slugOwner = { kind: directory.kind, language, status: publication.status, id: undefined }
  const slug = await uniqueRecordSlug(tx, slugOwner, slugFromTitle(title, undefined))
  const fields = directory.change(translated?.fields ?? directory.blank, input.fields)
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
    imageId: (input.image === undefined ? translated?.imageId : input.image) ?? undefined,
    language,
    modifiedAt: input.modifiedAt ?? at,
    searchText: searchText(directory, title, content, fields),
  })
  // A name without letters or digits gives no slug: the id stands in.
  if (slug === '') await updateRecord(tx, id, { slug: await uniqueRecordSlug(tx, { ...slugOwner, id }, String(id)) })
  await directory.store.insert(tx, id, fields)
  const entry = await findEntryOrThrow(tx, directory, id)
  reportEntryAdjustments(told, input, entry, config)
  if (!translated) return entry
  await joinTranslationGroup(tx, 'records', entry, translated.id)
  await propagateSharedFields(tx, config, directory, actor, entry, input)
  return findEntryOrThrow(tx, directory, id)
}

/**
 * Changes what was sent and nothing else.
 *
 * @throws rest_forbidden
 */
export async function changeEntry<F extends Fields>(
  tx: Tx,
  { config, now, told }: WriteContext,
  directory: Directory<F>,
  actor: Actor,
  id: number,
  input: DirectoryEntryInput<F>,
  translationOf?: number,
): Promise<DirectoryEntry<F>> {
  const entry = await findEntryOrThrow(tx, directory, id)
  assertAllowed(actor, mayEdit(actor, entry))
  assertAllowed(actor, input.author === undefined || input.author === entry.authorId || mayEditOthers(actor))
  await assertReferencesExist(tx, input)
  const isBlank = input.name !== undefined && sanitizeTitle(input.name) === ''
  if (isBlank || hasNeverDate(input)) fail(`could-not-update-${directory.kind}`)
  const status = input.status && grantedStatus(actor, directory.kind, input.status)
  const at = now()
  const date = publicationInstant(datesOf(input), config.siteZone, at)
  const changed = await writeChanges(tx, directory, entry, input, nextPublication(entry, status, date, at), at)
  await propagateSharedFields(tx, config, directory, actor, changed, input)
  reportEntryAdjustments(told, input, changed, config)
  if (translationOf === undefined) return changed
  await changeEntryTranslationGroup(tx, config, directory, actor, changed, translationOf)
  return findEntryOrThrow(tx, directory, id)
}

/**
 * Moves an entry to the trash. Its links stay, but no event shows it from now on.
 *
 * @throws rest_forbidden, venue-is-in-trash, organizer-is-in-trash
 */
export async function trashEntry<F extends Fields>(
  tx: Tx,
  { now }: WriteContext,
  directory: Directory<F>,
  actor: Actor,
  id: number,
): Promise<DirectoryEntry<F>> {
  const entry = await findEntryOrThrow(tx, directory, id)
  assertAllowed(actor, mayEdit(actor, entry))
  if (entry.status === 'trash') fail(`${directory.kind}-is-in-trash`)
  return writeChanges(tx, directory, entry, { fields: {} }, { ...entry, status: 'trash' }, now())
}

/**
 * Takes an entry out of the trash, as it was before. Events that are linked to it show it again.
 *
 * @throws rest_forbidden, record-not-found, record-not-in-trash
 */
export async function restoreEntry<F extends Fields>(
  tx: Tx,
  { now }: WriteContext,
  directory: Directory<F>,
  actor: Actor,
  id: number,
): Promise<DirectoryEntry<F>> {
  assertAllowed(actor, mayCreate(actor))
  const entry = (await findEntry(tx, directory, id)) ?? fail('record-not-found')
  assertRestorable(actor, entry)
  const at = now()
  return writeChanges(tx, directory, entry, { fields: {} }, restoredPublication(entry, at), at)
}

/** Publishes those of these entries that are drafts or pending: they go live with an event (events.md §8 row 8). */
export async function publishEntries<F extends Fields>(
  tx: Tx,
  { now }: WriteContext,
  directory: Directory<F>,
  entries: Iterable<DirectoryEntry<F>>,
): Promise<void> {
  const at = now()
  for (const entry of entries) {
    if (!isUnpublished(entry.status)) continue
    await writeChanges(tx, directory, entry, { fields: {} }, nextPublication(entry, 'publish', undefined, at), at)
  }
}

async function writeChanges<F extends Fields>(
  tx: Tx,
  directory: Directory<F>,
  entry: DirectoryEntry<F>,
  input: DirectoryEntryInput<F>,
  publication: Pick<DirectoryEntry<F>, 'status' | 'datedAt' | 'isDated'>,
  at: number,
): Promise<DirectoryEntry<F>> {
  const title = input.name === undefined ? entry.title : sanitizeTitle(input.name)
  const content = input.description === undefined ? entry.content : sanitizeArticle(input.description)
  const fields = directory.change(entry.fields, input.fields)
  const { status, datedAt, isDated } = publication
  await updateRecord(tx, entry.id, {
    status,
    status_before_trash: status === 'trash' ? (entry.statusBeforeTrash ?? entry.status) : null,
    slug: await nextRecordSlug(tx, entry, status),
    dated_at: datedAt,
    is_dated: isDated ? 1 : 0,
    modified_at: input.modifiedAt ?? at,
    author_id: input.author ?? entry.authorId,
    title,
    title_folded: comparableTitle(title),
    title_html: renderTitle(title),
    content,
    content_html: renderArticle(content),
    search_text: searchText(directory, title, content, fields),
    ...(input.image === undefined ? {} : { image_id: input.image }),
  })
  await directory.store.update(tx, entry.id, fields)
  return findEntryOrThrow(tx, directory, entry.id)
}

/** Tells what an entry has otherwise than it was sent: one that was there already keeps its name and its owner. */
function reportEntryAdjustments<F extends Fields>(
  told: Told | undefined,
  { name, author, ...sent }: DirectoryEntryInput<F>,
  entry: DirectoryEntry<F>,
  { siteZone }: Pick<Config, 'siteZone'>,
): void {
  reportRecordAdjustments(told, sent, entry, siteZone)
  if (name !== undefined && sanitizeTitle(name) !== entry.title) told?.adjust(entry.kind, { to: entry.title })
  if (author !== undefined && author !== entry.authorId) told?.adjust('author', { to: String(entry.authorId) })
}

/** Contract: the date of what was never published can be read, but is none to publish at (venues-organizers.md §4.1). */
function hasNeverDate({ date, date_utc }: DirectoryEntryInput<Fields>): boolean {
  return date === zeroDateTime || date_utc === zeroDateTime
}

function datesOf(input: DirectoryEntryInput<Fields>) {
  return { date: input.date, date_utc: input.date_utc }
}
