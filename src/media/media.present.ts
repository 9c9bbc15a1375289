import type { Addresses } from '../http/addresses.ts'
import type { Picture } from './media.ts'

/** A picture as records show it (venues-organizers.md §2.2). Contract: no `sizes` where there is none. */
export function presentPicture(addresses: Addresses, picture: Picture) {
  const sizes = Object.entries(picture.sizes).map(([name, size]) => [
    name,
    {
      width: size.width,
      height: size.height,
      'mime-type': size.mimeType,
      filesize: size.sizeBytes,
      url: pictureUrl(addresses, size.file),
    },
  ])
  return {
    url: pictureUrl(addresses, picture.file),
    id: picture.id,
    extension: picture.extension,
    width: picture.width,
    height: picture.height,
    filesize: picture.sizeBytes,
    ...(sizes.length > 0 ? { sizes: Object.fromEntries(sizes) as object } : {}),
  }
}

export function pictureUrl(addresses: Addresses, file: string): string {
  return `${addresses.site}/uploads/${file}`
}
