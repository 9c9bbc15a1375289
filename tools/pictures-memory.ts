// Measures the memory to process the largest pictures of each format. Prints figures for docs/limits.md, tests nothing.
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sharp, { type Sharp } from 'sharp'
import { startWorkerProcess } from '../src/storage/pictures/picture.command.ts'
import { FORMATS, type PictureFormat, type WorkerMessage } from '../src/storage/pictures/picture.formats.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(`Makes pictures with as many pixels as their format may have, each in a process of its own, and prints the
most memory that it held and how long it took. Linux only; takes some minutes.

  node tools/pictures-memory.ts [--only avif] [--json]`)
  process.exit(0)
}

/** The most expensive variant of each format. */
const kinds: readonly (readonly [format: PictureFormat, kind: string, write: (picture: Sharp) => Sharp])[] = [
  ['jpeg', 'baseline', (picture) => picture.jpeg({ quality: 80 })],
  ['jpeg', 'progressive, 4:4:4', (picture) => picture.jpeg({ progressive: true, chromaSubsampling: '4:4:4' })],
  ['jpeg', 'progressive, CMYK, turned', (picture) => turned(picture.toColourspace('cmyk')).jpeg({ progressive: true })],
  ['png', '8 bits', (picture) => picture.png({ compressionLevel: 1 })],
  ['png', 'interlaced, 8 bits', (picture) => picture.png({ progressive: true, compressionLevel: 1 })],
  ['png', 'interlaced, 16 bits, transparent, turned', (picture) => deep(picture).png({ progressive: true })],
  ['webp', 'opaque', (picture) => picture.webp({ effort: 0 })],
  ['webp', 'transparent', (picture) => picture.ensureAlpha(0.5).webp({ effort: 0 })],
  [
    'webp',
    'lossless, transparent, turned',
    (picture) => turned(picture.ensureAlpha(0.5)).webp({ lossless: true, effort: 0 }),
  ],
  ['gif', 'opaque', (picture) => picture.gif({ effort: 1 })],
  ['avif', '8 bits', (picture) => picture.avif({ effort: 0, chromaSubsampling: '4:2:0' })],
  ['avif', '8 bits, 4:4:4', (picture) => picture.avif({ effort: 0 })],
  ['avif', '12 bits, 4:4:4, transparent, turned', (picture) => deep(picture).avif({ effort: 0, bitdepth: 12 })],
]
const turned = (picture: Sharp) => picture.withMetadata({ orientation: 6 })
const deep = (picture: Sharp) => turned(picture.ensureAlpha(0.5).toColourspace('rgb16'))

const figures: object[] = []
for (const [format, kind, write] of kinds) {
  if (!`${format} ${kind}`.includes(values.only)) continue
  const height = Math.floor(Math.sqrt((FORMATS[format].maxMegapixels * 1e6 * 3) / 4))
  const figure = await measured(write(await content(format, Math.floor((height * 4) / 3), height)))
  figures.push({ format, kind, ...figure })
  if (!values.json) console.log(`${format}, ${kind}: ${figure.megabytes} MB, ${figure.seconds} s, ${figure.outcome}`)
}
if (values.json) console.log(JSON.stringify(figures, undefined, 2))

/**
 * Noise, which takes longest. Formats without loss get one colour instead, because the file would be larger than the
 * limit.
 */
async function content(format: PictureFormat, width: number, height: number): Promise<Sharp> {
  if (format === 'png') return sharp({ create: { width, height, channels: 3, background: '#888' } })
  const grain = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const small = sharp({
    create: { width: width >> 3, height: height >> 3, channels: 3, background: '#888', noise: grain },
  })
  return sharp(await small.png().toBuffer()).resize(width, height, { fit: 'fill' })
}

async function measured(picture: Sharp) {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-memory-'))
  const source = join(folder, 'received')
  await picture.toFile(source)
  const child = startWorkerProcess()
  await once(child, 'message')
  const beganAtMs = performance.now()
  child.send({ source, folder })
  const said = await Promise.race([once(child, 'message'), once(child, 'exit')])
  const seconds = ((performance.now() - beganAtMs) / 1000).toFixed(1)
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
  child.kill('SIGKILL')
  await rm(folder, { recursive: true })
  const [answer] = said as [WorkerMessage | number | null]
  const outcome = answer !== null && typeof answer === 'object' && 'outcome' in answer ? answer.outcome : undefined
  return {
    megabytes: Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024),
    seconds,
    outcome: outcome ? ('fault' in outcome ? outcome.fault : 'made') : 'ended',
  }
}
