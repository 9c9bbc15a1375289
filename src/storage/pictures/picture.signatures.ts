import type { PictureFormat } from './picture.formats.ts'

/** The first bytes of each picture format. The test covers the whole signature, so that no other file passes it. */
const signatures: readonly (readonly [format: PictureFormat, isOne: (bytes: Buffer) => boolean])[] = [
  ['jpeg', (bytes) => has(bytes, 0, '\xff\xd8\xff')],
  // Includes the length and type of the mandatory first chunk (PNG, 5.6).
  ['png', (bytes) => has(bytes, 0, '\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR')],
  ['gif', (bytes) => has(bytes, 0, 'GIF87a') || has(bytes, 0, 'GIF89a')],
  // RFC 9649, 2.4 to 2.7. The decoder checks whether the stated size is that of the file.
  ['webp', (bytes) => has(bytes, 0, 'RIFF') && ['VP8 ', 'VP8L', 'VP8X'].some((chunk) => has(bytes, 8, `WEBP${chunk}`))],
  ['avif', isAvif],
]

/**
 * ISO/IEC 14496-12, 4.3: a box with its size, a brand, a version, and brands of four bytes each. AV1 Image File Format,
 * 6.
 */
function isAvif(bytes: Buffer): boolean {
  if (!has(bytes, 4, 'ftypavif') && !has(bytes, 4, 'ftypavis')) return false
  const size = bytes.readUInt32BE(0)
  return size >= 16 && size <= Math.min(bytes.length, maxBrandBytes) && size % 4 === 0
}

const maxBrandBytes = 1024

function has(bytes: Buffer, at: number, expected: string): boolean {
  return bytes.toString('latin1', at, at + expected.length) === expected
}

/**
 * Byte sequences that no picture contains, in lower case: starts of pages, scripts, documents, archives and programs.
 */
const others = [
  ...['<?php', '<script', '<!doctype', '<html', '<iframe', '<body', '%pdf-', '#!/bin/'],
  ...['rar!\x1a\x07', '7z\xbc\xaf\x27\x1c', '\x7felf\x02'],
]
/** With the next byte: the pixels of every fiftieth picture of ten megabytes contain the first four in some case. */
const drawing = /<svg[\t\n\f\r />:]/
const archiveEnd = 'pk\x05\x06'
/** Includes the longest comment that may follow. */
const maxArchiveEndBytes = 22 + 65_535

/** Returns the picture format by the file's signature. Ignores its name and its declared type. */
export function formatOf(bytes: Buffer): PictureFormat | undefined {
  return signatures.find(([, isOne]) => isOne(bytes))?.[0]
}

/**
 * Whether a picture is also a valid file of another kind for a browser or a server: a page, a script, a document, an
 * archive or a program. Data that cameras append to the picture (moving pictures, depth) is none of these.
 */
export function isPolyglot(bytes: Buffer): boolean {
  const text = bytes.toString('latin1').toLowerCase()
  // Readers of archives start at the end.
  if (drawing.test(text)) return true
  return others.some((sign) => text.includes(sign)) || text.slice(-maxArchiveEndBytes).includes(archiveEnd)
}
