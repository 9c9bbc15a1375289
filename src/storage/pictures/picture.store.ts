import type { Readable } from 'node:stream'

/** A range of bytes in a file, both ends included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

interface StoredFile {
  readonly sizeBytes: number
  /** Opens the file, or a part of it. */
  read(range?: ByteRange): Promise<Readable>
}

/** A store for picture files. Names are paths with slashes that `isStoredName` accepts. */
export interface PictureStore {
  /** Stores a local file under an unused name. The file is durable when the promise is fulfilled. */
  write(name: string, localFile: string, mimeType: string): Promise<void>
  /** Returns undefined if the file does not exist. */
  find(name: string): Promise<StoredFile | undefined>
  /** Removes a file. Does nothing if it does not exist. */
  remove(name: string): Promise<void>
  /** Lists all names with the time when each was stored, in seconds since 1970. */
  list(): AsyncIterable<{ readonly name: string; readonly storedAt: number }>
}

/**
 * Whether a name consists of year, month, and a plain file name. Only such names are stored, so no path leads out of
 * the folder.
 */
export function isStoredName(name: string): boolean {
  return /^\d{4}\/(?:0[1-9]|1[0-2])\/[a-z0-9][a-z0-9_-]{0,120}\.(?:jpg|png|webp|gif|avif)$/.test(name)
}
