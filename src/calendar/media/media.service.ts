import { randomBytes } from 'node:crypto'
import { type Actor, sharerOf } from '../../access/auth/actor.ts'
import { assertAllowed, mayEdit, mayUpload } from '../../access/auth/policy.ts'
import type { Deps } from '../../access/deps.ts'
import { type ListPage, type PageRequest, totalPages } from '../../access/http/arguments/paging.ts'
import type { RecordValidators } from '../../access/http/precondition.ts'
import { type KeyedRequest, type Replay, replayById, writeOnce } from '../../access/idempotency/idempotency.ts'
import { fail, type ParameterFault } from '../../base/problems.ts'
import { slugFrom } from '../../base/text/slug.ts'
import { localDateTimeAt } from '../../base/time/zone.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { FORMATS, type MadePicture, type PictureOutcome } from '../../storage/pictures/picture.formats.ts'
import type { AltTexts, TextAlternatives } from './alt.text.ts'
import {
  countMedia,
  countUses,
  findMedia,
  findMediaValidators,
  insertMedia,
  listMedia,
  type MediaChanges,
  type NewMedia,
  removeMedia,
  updateMedia,
} from './media.repository.ts'
import { filesOf, type MediaItem, type Picture, type PictureSize } from './media.ts'
import { withTempFolder } from './temp.folder.ts'

/** A file that was uploaded or fetched. */
export interface PictureSource {
  /** Path of the file, in a folder of its own from `withTempFolder`. */
  readonly localFile: string
  /** The name that the sender gave. */
  readonly fileName: string
  readonly title: string | undefined
  /** The alternative text, if the sender gave one. */
  readonly alternative?: TextAlternatives
  /** The address that it was fetched from. */
  readonly url: string | undefined
}

/** The error for a file that the service does not accept as a picture. */
export class PictureRejected extends Error {
  readonly fault: ParameterFault

  constructor(outcome: Extract<PictureOutcome, { readonly fault: unknown }>) {
    super(`Refused: ${outcome.fault}`)
    const values = outcome.fault === 'too-many-pixels' ? { values: { most: String(outcome.maxMegapixels) } } : {}
    this.fault = { text: `fault.picture.${outcome.fault}`, ...values }
  }
}

const maxStemLength = 60
const tokenBytes = 5

/**
 * Adds a picture, if the actor may add pictures. Encodes it again in all its sizes, and stores the files before the
 * row.
 *
 * @throws rest_forbidden, service_unavailable, PictureRejected
 */
export async function addPicture(
  deps: Deps,
  actor: Actor,
  source: PictureSource & { readonly keyed?: KeyedRequest | undefined },
): Promise<MediaItem> {
  assertAllowed(actor, mayUpload(actor))
  if (actor.kind === 'visitor') return fail('rest_forbidden', { status: 401 })
  const { config, pictures, now } = deps
  return withTempFolder(async (folder) => {
    const outcome = await pictures.imageWorker.make({ source: source.localFile, folder }, sharerOf(actor))
    if ('fault' in outcome) throw new PictureRejected(outcome)
    const at = now()
    const stored = nameFiles(outcome.picture, stemFor(source.fileName), localDateTimeAt(at, config.siteZone))
    const media: NewMedia = {
      ...stored.picture,
      ...(source.alternative ?? { altTexts: {}, isDecorative: false }),
      title: source.title ?? titleFrom(source.fileName),
      authorId: actor.id,
      createdAt: at,
      language: config.defaultLanguage,
      sourceUrl: source.url,
    }
    // Files without a row belong to no picture. `media gc` finds files that cannot be removed now.
    const removeFiles = () => Promise.allSettled([...stored.files.keys()].map((name) => pictures.store.remove(name)))
    try {
      for (const [name, localFile] of stored.files) await pictures.store.write(name, localFile, media.mimeType)
      const { keyed } = source
      const added = await writeOnce({ deps, keyed }, replayPicture, async (tx) => ({
        ...media,
        id: await insertMedia(tx, media),
        version: 0,
      }))
      if (keyed?.isReplayed) await removeFiles()
      return added
    } catch (error) {
      await removeFiles()
      throw error
    }
  })
}

/** How the result of a write of a picture is found again. */
export const replayPicture = replayById<MediaItem>(
  async (tx, id) => (await findMedia(tx, id)) ?? fail('media-not-found'),
)

/** The changes of a stored picture. An undefined or empty entry of `altTexts` removes the text in its language. */
export interface MediaPatch {
  readonly title?: string | undefined
  readonly altTexts?: AltTexts | undefined
  readonly isDecorative?: boolean | undefined
}

/** The context of a change of a picture. */
interface MediaWriteContext {
  readonly tx: Tx
  readonly actor: Actor
  readonly now: () => number
}

/**
 * Changes the texts of a picture. A picture that gets an alternative text is no longer decorative. A picture that
 * becomes decorative loses its alternative texts.
 *
 * @throws media-not-found, rest_forbidden
 */
export async function changePicture(
  { tx, actor, now }: MediaWriteContext,
  id: number,
  patch: MediaPatch,
): Promise<MediaItem> {
  assertAllowed(actor, mayUpload(actor))
  const found = (await findMedia(tx, id)) ?? fail('media-not-found')
  assertAllowed(actor, mayEdit(actor, { authorId: found.authorId, status: 'publish' }))
  const changes = changesFor(found, patch)
  if (Object.keys(changes).length === 0) return found
  await updateMedia(tx, id, { ...changes, modifiedAt: now() })
  return { ...found, ...changes, version: found.version + 1 }
}

function changesFor(found: MediaItem, { title, altTexts: sent, isDecorative }: MediaPatch): MediaChanges {
  const merged = Object.fromEntries(Object.entries({ ...found.altTexts, ...sent }).filter(([, text]) => text))
  const hasNewText = Object.values(sent ?? {}).some((text) => text)
  const decorates = isDecorative ?? (hasNewText ? false : found.isDecorative)
  const altTexts = decorates ? {} : merged
  return {
    ...(title === undefined || title === found.title ? {} : { title }),
    ...(JSON.stringify(altTexts) === JSON.stringify(found.altTexts) ? {} : { altTexts }),
    ...(decorates === found.isDecorative ? {} : { isDecorative: decorates }),
  }
}

/** Returns the version of a picture, if the actor may change it. */
export async function editablePictureValidators(
  db: Db,
  id: number,
  actor: Actor,
): Promise<RecordValidators | undefined> {
  const found = mayUpload(actor) ? await findMediaValidators(db, id) : undefined
  return found && mayEdit(actor, { authorId: found.authorId, status: 'publish' }) ? found : undefined
}

/**
 * Returns the picture to callers who may add pictures. Other callers get it if a published record without a password
 * shows it.
 *
 * @throws media-not-found, rest_forbidden
 */
export async function readMedia({ storage }: Deps, actor: Actor, id: number): Promise<MediaItem> {
  if (mayUpload(actor)) return (await findMedia(storage.db, id)) ?? fail('media-not-found')
  const media = await findMedia(storage.db, id, { isShown: true })
  // The error does not reveal whether the picture exists.
  assertAllowed(actor, media !== undefined)
  return media as MediaItem
}

/**
 * The number of pictures that visitors may see, by database and revision of its content. It is counted once after every
 * change.
 */
const publicTotals = new WeakMap<Db, { readonly revision: number; readonly total: Promise<number> }>()

/** Returns the pictures that the caller may read according to `readMedia`, newest first, and their total. */
export async function listReadableMedia(
  { storage }: Pick<Deps, 'storage'>,
  actor: Actor,
  request: PageRequest,
): Promise<ListPage<MediaItem>> {
  if (mayUpload(actor)) {
    return { items: await listMedia(storage.db, request), total: await countMedia(storage.db) }
  }
  const revision = await storage.revision()
  const known = publicTotals.get(storage.db)
  const counted = known?.revision === revision ? known : { revision, total: countMedia(storage.db, { isShown: true }) }
  publicTotals.set(storage.db, counted)
  const total = await counted.total.catch((error) => {
    publicTotals.delete(storage.db)
    throw error
  })
  const isThere = request.page <= totalPages(total, request.perPage)
  return { items: isThere ? await listMedia(storage.db, request, { isShown: true }) : [], total }
}

/** A picture that is gone is shown as it was. */
const replayRemoval: Replay<MediaItem> = {
  remember: (media) => media,
  recall: async (_tx, remembered) => remembered as MediaItem,
}

/**
 * Removes a picture and its files.
 *
 * @throws media-not-found, rest_forbidden, media-in-use
 */
export async function deletePicture(
  { deps, actor, keyed }: { readonly deps: Deps; readonly actor: Actor; readonly keyed?: KeyedRequest | undefined },
  id: number,
  { isForced }: { readonly isForced: boolean },
): Promise<MediaItem> {
  assertAllowed(actor, mayUpload(actor))
  const media = await writeOnce({ deps, keyed }, replayRemoval, async (tx) => {
    const found = (await findMedia(tx, id)) ?? fail('media-not-found')
    assertAllowed(actor, mayEdit(actor, { authorId: found.authorId, status: 'publish' }))
    if (!isForced && (await countUses(tx, id)) > 0) fail('media-in-use')
    await removeMedia(tx, id)
    return found
  })
  await Promise.allSettled(filesOf(media).map((name) => deps.pictures.store.remove(name)))
  return media
}

/**
 * Returns names for the files of a picture: its month, its stem with a token that nobody can guess, and the dimensions
 * of each size.
 */
function nameFiles(made: MadePicture, stem: string, localDateTime: string) {
  const { extension, mimeType } = FORMATS[made.format]
  const base = `${localDateTime.slice(0, 4)}/${localDateTime.slice(5, 7)}/${stem}-${randomBytes(tokenBytes).toString('hex')}`
  const files = new Map([[`${base}.${extension}`, made.localFile]])
  const sizes: Record<string, PictureSize> = {}
  for (const [name, { localFile, width, height, sizeBytes }] of Object.entries(made.sizes)) {
    const file = `${base}-${width}x${height}.${extension}`
    files.set(file, localFile)
    sizes[name] = { file, mimeType, width, height, sizeBytes }
  }
  const picture: Omit<Picture, 'id' | keyof TextAlternatives> = {
    file: `${base}.${extension}`,
    mimeType,
    extension,
    width: made.width,
    height: made.height,
    sizeBytes: made.sizeBytes,
    sizes,
  }
  return { picture, files }
}

function stemFor(fileName: string): string {
  const stem = slugFrom(titleFrom(fileName))
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxStemLength)
  return stem.replace(/^-+|-+$/g, '') || 'picture'
}

/** Returns the name of a file without its folder and its extension. */
function titleFrom(fileName: string): string {
  const last = fileName.split(/[/\\]/).at(-1) ?? ''
  return (
    last
      .replace(/\.[^.]*$/, '')
      .slice(0, 200)
      .trim() || 'Picture'
  )
}
