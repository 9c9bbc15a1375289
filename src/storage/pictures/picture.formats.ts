/**
 * The kinds of pictures that are taken, by what the decoder calls them, and how many pixels each may have: so many that
 * making it takes no more than 800 MB of memory whatever it holds, as `npm run pictures-memory` measures, and a
 * few seconds.
 */
export const FORMATS = {
  jpeg: { extension: 'jpg', mimeType: 'image/jpeg', mostMegapixels: 50 },
  png: { extension: 'png', mimeType: 'image/png', mostMegapixels: 40 },
  webp: { extension: 'webp', mimeType: 'image/webp', mostMegapixels: 25 },
  gif: { extension: 'gif', mimeType: 'image/gif', mostMegapixels: 12 },
  avif: { extension: 'avif', mimeType: 'image/avif', mostMegapixels: 13 },
} as const

export type PictureFormat = keyof typeof FORMATS

const types: ReadonlyMap<string, string> = new Map(
  Object.values(FORMATS).map(({ extension, mimeType }) => [extension, mimeType]),
)

/** The type of a stored file, by the end of its name. */
export function mimeTypeOf(file: string): string {
  return types.get(file.split('.').at(-1) ?? '') ?? 'application/octet-stream'
}

/** The sizes that a picture is made in, each only where it is smaller than the picture (venues-organizers.md §2.2). */
export const SIZES = {
  medium: { width: 300, height: 300, isCropped: false },
  large: { width: 1024, height: 1024, isCropped: false },
  thumbnail: { width: 150, height: 150, isCropped: true },
  medium_large: { width: 768, height: undefined, isCropped: false },
  '1536x1536': { width: 1536, height: 1536, isCropped: false },
} as const

/**
 * What a process that makes pictures may allocate (RLIMIT_DATA). 640 MB of it are what Node reserves and never touches, so
 * that no picture gets more than 900 MB of memory.
 */
export const mostChildMegabytes = 1540
export const mostUploadBytes = 15 * 1024 * 1024

/** What is wrong with a file that is no picture for us. */
type PictureFault =
  | 'unknown-format'
  | 'broken'
  | 'too-many-pixels'
  | 'polyglot'
  | 'too-slow' // Not made before the deadline.
  | 'too-demanding' // It ended the process that was to make it.

/** One file that was made of a picture. */
export interface MadeFile {
  /** Where it lies until it is stored. */
  readonly localFile: string
  readonly width: number
  readonly height: number
  readonly sizeBytes: number
}

export interface MadePicture extends MadeFile {
  readonly format: PictureFormat
  readonly sizes: Readonly<Record<string, MadeFile>>
}

/** What a child is asked for. */
export interface PictureTask {
  readonly source: string
  /** Empty folder that takes what is made. */
  readonly folder: string
}

export type PictureOutcome =
  | { readonly picture: MadePicture }
  | { readonly fault: Exclude<PictureFault, 'too-many-pixels'> }
  | { readonly fault: 'too-many-pixels'; readonly mostMegapixels: number }

/** What a child says. */
export type Said =
  | 'ready'
  | { readonly outcome: PictureOutcome }
  | { readonly error: { readonly message: string; readonly code: string | undefined } }
