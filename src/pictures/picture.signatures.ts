import type { PictureFormat } from './picture.formats.ts'

/** What a file begins with that is a picture of a kind. */
const beginnings: readonly (readonly [format: PictureFormat, at: number, bytes: Buffer])[] = [
  ['jpeg', 0, Buffer.from([0xff, 0xd8, 0xff])],
  ['png', 0, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['gif', 0, Buffer.from('GIF87a')],
  ['gif', 0, Buffer.from('GIF89a')],
  ['webp', 8, Buffer.from('WEBP')],
  ['avif', 4, Buffer.from('ftypavif')],
  ['avif', 4, Buffer.from('ftypavis')],
]

/** What no picture holds, in small letters: beginnings of pages, scripts, documents, archives and programs. */
const others = [
  ...['<?php', '<script', '<!doctype', '<html', '<svg', '<iframe', '<body', '%pdf-', '#!/bin/'],
  ...['rar!\x1a\x07', '7z\xbc\xaf\x27\x1c', '\x7felf\x02'],
]
const archiveEnd = 'pk\x05\x06'
/** With the longest comment that may follow. */
const longestArchiveEnd = 22 + 65_535

/** The kind of picture that a file says it is, whatever its name and what was said of it. */
export function formatOf(bytes: Buffer): PictureFormat | undefined {
  return beginnings.find(([, at, expected]) => bytes.subarray(at, at + expected.length).equals(expected))?.[0]
}

/**
 * Whether a picture is something else as well, which a browser or a server may take it for: a page, a script, a
 * document, an archive or a program. What cameras add behind the picture (moving pictures, depth) is none of these.
 */
export function isPolyglot(bytes: Buffer): boolean {
  const text = bytes.toString('latin1').toLowerCase()
  // An archive is read from its end.
  return others.some((sign) => text.includes(sign)) || text.slice(-longestArchiveEnd).includes(archiveEnd)
}
