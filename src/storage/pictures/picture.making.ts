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
import { formatOf, isPolyglot } from './picture.signatures.ts'

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
  const { maxMegapixels } = FORMATS[format]
  const limitInputPixels = maxMegapixels * 1e6
  if (read.width * read.height > limitInputPixels) return { fault: 'too-many-pixels', maxMegapixels }
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
