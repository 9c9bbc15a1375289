/**
 * The accepted picture formats, by their names in the decoder, with the maximum number of pixels of each. Within its
 * maximum, a picture of any content takes no more than 800 MB of memory, as `npm run pictures-memory` measures, and a
 * few seconds.
 */
export const FORMATS = {
  jpeg: { extension: 'jpg', mimeType: 'image/jpeg', maxMegapixels: 50 },
  png: { extension: 'png', mimeType: 'image/png', maxMegapixels: 40 },
  webp: { extension: 'webp', mimeType: 'image/webp', maxMegapixels: 25 },
  gif: { extension: 'gif', mimeType: 'image/gif', maxMegapixels: 12 },
  avif: { extension: 'avif', mimeType: 'image/avif', maxMegapixels: 13 },
} as const

export type PictureFormat = keyof typeof FORMATS

const types: ReadonlyMap<string, string> = new Map(
  Object.values(FORMATS).map(({ extension, mimeType }) => [extension, mimeType]),
)

/** Returns the MIME type of a stored file, by its extension. */
export function mimeTypeOf(file: string): string {
  return types.get(file.split('.').at(-1) ?? '') ?? 'application/octet-stream'
}

/**
 * The sizes that are made of a picture. A size is skipped unless it is smaller than the picture
 * (venues-organizers.md §2.2).
 */
export const SIZES = {
  medium: { width: 300, height: 300, isCropped: false },
  large: { width: 1024, height: 1024, isCropped: false },
  thumbnail: { width: 150, height: 150, isCropped: true },
  medium_large: { width: 768, height: undefined, isCropped: false },
  '1536x1536': { width: 1536, height: 1536, isCropped: false },
} as const

/**
 * Megabytes that a process that makes pictures may allocate (RLIMIT_DATA). Node reserves 640 MB of it and never touches
 * them, so no picture gets more than 900 MB of memory.
 */
export const maxChildMegabytes = 1540
export const maxUploadBytes = 15 * 1024 * 1024

/** The reason why a file is not accepted as a picture. */
type PictureFault =
  | 'unknown-format'
  | 'broken'
  | 'too-many-pixels'
  | 'polyglot'
  | 'too-slow' // Not finished before the deadline.
  | 'too-demanding' // It ended the process that made it.

export interface MadeFile {
  /** Temporary path, used until the file is stored. */
  readonly localFile: string
  readonly width: number
  readonly height: number
  readonly sizeBytes: number
}

export interface MadePicture extends MadeFile {
  readonly format: PictureFormat
  readonly sizes: Readonly<Record<string, MadeFile>>
}

/** A request to a child process. */
export interface PictureTask {
  readonly source: string
  /** Empty folder for the files that are made. */
  readonly folder: string
}

export type PictureOutcome =
  | { readonly picture: MadePicture }
  | { readonly fault: Exclude<PictureFault, 'too-many-pixels'> }
  | { readonly fault: 'too-many-pixels'; readonly maxMegapixels: number }

/** A message from a child process. */
export type WorkerMessage =
  | 'ready'
  | { readonly outcome: PictureOutcome }
  | { readonly error: { readonly message: string; readonly code: string | undefined } }
