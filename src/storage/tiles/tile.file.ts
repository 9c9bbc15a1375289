import { open } from 'node:fs/promises'
import type { Source } from 'pmtiles'

/** More than any part of an archive has: whoever asks for more reads a broken one. */
const longestPart = 16 * 1024 * 1024

/** A file that parts are read of, each by itself. */
export interface PartedFile extends Source {
  close(): Promise<void>
}

/**
 * Opens a file to read parts of it.
 *
 * @throws Error of the system where it cannot be read.
 */
export async function openParts(path: string): Promise<PartedFile> {
  const file = await open(path)
  return {
    getKey: () => path,
    getBytes: async (offset, length) => {
      if (length > longestPart) throw new Error(`${path} has a part of ${length} bytes.`)
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position: offset })
      return { data: wholeBuffer(buffer.subarray(0, bytesRead)) }
    },
    close: () => file.close(),
  }
}

/** The bytes in a buffer of their own. */
export function wholeBuffer(bytes: Buffer): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
}
