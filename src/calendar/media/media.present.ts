import type { Addresses } from '../../access/http/addresses.ts'
import type { Call } from '../../access/http/call.ts'
import type { Language } from '../../base/languages/language.ts'
import { escapeHtml } from '../../base/text/escape.ts'
import { localDateTimeAt, utcZone } from '../../base/time/zone.ts'
import { altTextIn, chooseAltText } from './alt.text.ts'
import type { ImageJson } from './media.schema.ts'
import type { MediaItem, Picture, PictureSize } from './media.ts'

/**
 * Returns a picture as records show it (venues-organizers.md §2.2). Contract: no `sizes` if the picture has none. The
 * contract does not define `alt`, so it appears only if the picture has an alternative text.
 *
 * @param language The language of the record.
 */
export function presentPicture(addresses: Addresses, picture: Picture, language: Language): ImageJson {
  const alt = chooseAltText(picture, language)
  const sizes = Object.entries(picture.sizes).map(([name, size]) => [name, presentSize(addresses, size)] as const)
  return {
    url: pictureUrl(addresses, picture.file),
    id: picture.id,
    extension: picture.extension,
    width: picture.width,
    height: picture.height,
    filesize: picture.sizeBytes,
    ...(sizes.length > 0 ? { sizes: Object.fromEntries(sizes) } : {}),
    ...(alt ? { alt: alt.text } : {}),
  }
}

function presentSize(addresses: Addresses, { file, width, height, mimeType, sizeBytes }: PictureSize) {
  return { width, height, 'mime-type': mimeType, filesize: sizeBytes, url: pictureUrl(addresses, file) }
}

export function pictureUrl(addresses: Addresses, file: string): string {
  return `${addresses.site}/uploads/${file}`
}

/** Returns a picture as its own resource. */
export function presentMedia(
  { addresses, deps }: Pick<Call, 'addresses' | 'deps'>,
  media: MediaItem,
  language: Language,
): object {
  const { alt: _alt, ...picture } = presentPicture(addresses, media, language)
  return {
    ...picture,
    title: media.title,
    alt_text: altTextIn(media, language),
    alt_texts: media.altTexts,
    decorative: media.isDecorative,
    'mime-type': media.mimeType,
    author: media.authorId,
    date: localDateTimeAt(media.createdAt, deps.config.siteZone),
    date_utc: localDateTimeAt(media.createdAt, utcZone),
  }
}

/** Returns the same with the keys that clients of the original interface read. */
export function presentAttachment(
  { addresses, deps }: Pick<Call, 'addresses' | 'deps'>,
  media: MediaItem,
  language: Language,
): object {
  const nameOf = (file: string) => file.split('/').at(-1) ?? file
  const sizes = Object.entries(media.sizes).map(([name, { file, width, height, mimeType, sizeBytes }]) => [
    name,
    {
      file: nameOf(file),
      width,
      height,
      filesize: sizeBytes,
      mime_type: mimeType,
      source_url: pictureUrl(addresses, file),
    },
  ])
  return {
    id: media.id,
    date: localDateTimeAt(media.createdAt, deps.config.siteZone).replace(' ', 'T'),
    date_gmt: localDateTimeAt(media.createdAt, utcZone).replace(' ', 'T'),
    status: 'inherit',
    type: 'attachment',
    // A picture has no page of its own here. Its link is the address of the file.
    link: pictureUrl(addresses, media.file),
    author: media.authorId,
    title: { rendered: escapeHtml(media.title) },
    alt_text: altTextIn(media, language),
    media_type: 'image',
    mime_type: media.mimeType,
    media_details: {
      width: media.width,
      height: media.height,
      file: media.file,
      filesize: media.sizeBytes,
      sizes: Object.fromEntries(sizes) as object,
    },
    source_url: pictureUrl(addresses, media.file),
  }
}
