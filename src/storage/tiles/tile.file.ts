import { open } from 'node:fs/promises'
import type { Source } from 'pmtiles'

/** Larger than any part of an archive. A caller that requests more reads a broken archive. */
const maxReadBytes = 16 * 1024 * 1024

/** A file that is read in independent parts. */
export interface RandomAccessFile extends Source {
  close(): Promise<void>
}

/**
 * Opens a file for reading parts of it.
 *
 * @throws Error of the system if the file cannot be read.
 */
export async function openRandomAccess(path: string): Promise<RandomAccessFile> {
  const file = await open(path)
  return {
    getKey: () => path,
    getBytes: async (offset, length) => {
      if (length > maxReadBytes) throw new Error(`${path} has a part of ${length} bytes.`)
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position: offset })
      return { data: toArrayBuffer(buffer.subarray(0, bytesRead)) }
    },
    close: () => file.close(),
  }
}

/** Returns the bytes in a buffer of their own. */
export function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
}
