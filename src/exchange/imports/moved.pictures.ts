import type { UserId } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import type { Language } from '../../base/languages/language.ts'
import { plainText } from '../../base/text/sanitize.ts'
import { maxAltTextCharacters, sanitizeAltText } from '../../calendar/media/alt.text.ts'
import { findPictureBySource } from '../../calendar/media/media.repository.ts'
import { addPicture, PictureRejected } from '../../calendar/media/media.service.ts'
import { type PulledPicture, type PullFolder, pictureFile } from '../pull/pull.folder.ts'
import { isObject } from '../pull/pull.lists.ts'
import { textOf } from './moved.merge.ts'
import type { ImportRemark } from './source.ts'
import { trimmedText } from './tec.values.ts'

/** The pictures of a pulled calendar by their ids there, and what is said about them. */
export interface MovedPictures {
  readonly pictures: ReadonlyMap<number, number>
  readonly remarks: readonly ImportRemark[]
}

/** How pictures are added. */
interface PictureOptions {
  readonly ownerId: UserId
  readonly authors: ReadonlyMap<number, UserId>
  readonly language: Language
  /** Whether nothing is added. */
  readonly isDryRun: boolean
}

/** Adds the pictures of a pulled calendar with their alternative texts. Those that were added before are found again. */
export async function addMovedPictures(
  deps: Deps,
  folder: PullFolder,
  options: PictureOptions,
): Promise<MovedPictures> {
  const pictures = new Map<number, number>()
  const remarks: ImportRemark[] = []
  for (const file of await folder.list('media')) {
    const picture = await folder.readJson<PulledPicture>(file)
    if (!picture) continue
    const say = (text: ImportRemark['text']) => remarks.push({ file, path: '', text })
    const raw = isObject(picture.raw) ? picture.raw : {}
    const caption = plainText(textOf(raw.caption))
    if (caption !== '') say({ key: 'import.moved.caption', values: { caption } })
    if (picture.fault !== undefined) {
      say({ key: 'import.moved.picture', values: { reason: picture.fault } })
      continue
    }
    const known = await findPictureBySource(deps.storage.db, picture.url)
    if (known !== undefined) pictures.set(picture.id, known)
    if (known !== undefined || options.isDryRun) continue
    const texts = isObject(raw.alt_texts) ? raw.alt_texts : { [options.language]: raw.alt_text }
    const altTexts = Object.fromEntries(
      Object.entries(texts)
        .map(([language, text]) => [language, sanitizeAltText(trimmedText(text)).slice(0, maxAltTextCharacters)])
        .filter(([, text]) => text !== ''),
    )
    try {
      const added = await addPicture(
        deps,
        { kind: 'user', id: options.authors.get(Number(raw.author)) ?? options.ownerId, role: 'administrator' },
        {
          ...{ localFile: folder.pathOf(pictureFile(file)), fileName: new URL(picture.url).pathname },
          ...{ title: textOf(raw.title) || undefined, url: picture.url },
          alternative: { altTexts, isDecorative: raw.decorative === true },
        },
      )
      pictures.set(picture.id, added.id)
    } catch (error) {
      if (!(error instanceof PictureRejected)) throw error
      say({ refused: { code: 'rest_invalid_param', faults: { image: error.fault } } })
    }
  }
  return { pictures, remarks }
}
