import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Metadata, type OutputInfo, type Sharp } from 'sharp'
import {
  FORMATS,
  type MadeFile,
  type PictureFormat,
  type PictureOutcome,
  type PictureTask,
  SIZES,
} from './picture.formats.ts'

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
function formatOf(bytes: Buffer): PictureFormat | undefined {
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

// One picture at a time, in one thread: requests need the processors more.
sharp.concurrency(1)
sharp.cache(false)
// Only the loaders of accepted formats are enabled, regardless of the type that a file claims: no SVG, no TIFF, no
// metafile.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((loader) => `VipsForeignLoad${loader}`),
})

const reading = { failOn: 'warning', sequentialRead: true, pages: 1 } as const

/**
 * Re-encodes an uploaded picture and makes its sizes: upright, not animated, and without metadata of cameras and
 * programs, such as the location of the photo.
 */
export async function makePicture({ source, folder }: PictureTask): Promise<PictureOutcome> {
  const bytes = await readFile(source)
  const format = formatOf(bytes)
  if (!format) return { fault: 'unknown-format' }
  if (isPolyglot(bytes)) return { fault: 'polyglot' }
  const read = await sharp(bytes, { ...reading, limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  if (!read || read.width * (read.pageHeight ?? read.height) === 0) return { fault: 'broken' }
  if (!isOf(format, read)) return { fault: 'unknown-format' }
  const { mostMegapixels } = FORMATS[format]
  const limitInputPixels = mostMegapixels * 1e6
  if (read.width * read.height > limitInputPixels) return { fault: 'too-many-pixels', mostMegapixels }
  const whole = await madeFile(
    sharp(bytes, { ...reading, limitInputPixels }).rotate(),
    format,
    join(folder, `whole.${FORMATS[format].extension}`),
  )
  if (!whole) return { fault: 'broken' }
  const sizes: Record<string, MadeFile> = {}
  for (const [name, { width, height, isCropped }] of Object.entries(SIZES)) {
    if (whole.width <= width && (height === undefined || whole.height <= height)) continue
    const file = join(folder, `${name}.${FORMATS[format].extension}`)
    const resized = sharp(whole.localFile, reading).resize({
      width,
      ...(height === undefined ? {} : { height }),
      fit: isCropped ? 'cover' : 'inside',
      withoutEnlargement: true,
    })
    const made = await madeFile(resized, format, file)
    if (!made) return { fault: 'broken' }
    sizes[name] = made
  }
  return { picture: { ...whole, format, sizes } }
}

/** Whether the decoder found the format that the signature indicates. */
function isOf(format: PictureFormat, { format: found, compression }: Metadata): boolean {
  return format === 'avif' ? found === 'heif' && compression === 'av1' : found === format
}

/** Returns undefined if the picture cannot be decoded completely. */
async function madeFile(picture: Sharp, format: PictureFormat, localFile: string): Promise<MadeFile | undefined> {
  const info: OutputInfo | undefined = await encoded(picture, format)
    .toFile(localFile)
    .catch(() => undefined)
  return info && { localFile, width: info.width, height: info.height, sizeBytes: info.size }
}

function encoded(picture: Sharp, format: PictureFormat): Sharp {
  switch (format) {
    case 'jpeg':
      return picture.jpeg({ quality: 85, mozjpeg: false })
    case 'png':
      return picture.png()
    case 'webp':
      return picture.webp({ quality: 85 })
    case 'gif':
      return picture.gif()
    case 'avif':
      // More effort and full-size colours take twice the memory and four times as long, for files of the same size.
      return picture.avif({ quality: 60, effort: 0, chromaSubsampling: '4:2:0', bitdepth: 8 })
  }
}
