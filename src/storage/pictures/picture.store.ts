import type { Readable } from 'node:stream'

/** A part of a file, both ends included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

interface StoredFile {
  readonly sizeBytes: number
  /** Opens the file, or a part of it. */
  read(range?: ByteRange): Promise<Readable>
}

/** Where the files of pictures are. Names are paths with slashes that `isStoredName` holds for. */
export interface PictureStore {
  /** Stores a local file under a name that is free; durable when the promise is fulfilled. */
  write(name: string, localFile: string, mimeType: string): Promise<void>
  /** Undefined where there is no such file. */
  find(name: string): Promise<StoredFile | undefined>
  /** Removes a file; nothing where there is none. */
  remove(name: string): Promise<void>
  /** All names with the second, since 1970, at which each was stored. */
  list(): AsyncIterable<{ readonly name: string; readonly storedAt: number }>
}

/** Year, month, and a plain file name: no other name is ever stored, so no path leads out of the folder. */
export function isStoredName(name: string): boolean {
  return /^\d{4}\/(?:0[1-9]|1[0-2])\/[a-z0-9][a-z0-9_-]{0,120}\.(?:jpg|png|webp|gif|avif)$/.test(name)
}
