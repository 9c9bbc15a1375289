import { promisify } from 'node:util'
import {
  type BrotliOptions,
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  type ZlibOptions,
  type ZstdOptions,
  zstdCompress,
} from 'node:zlib'
import { createConcurrencyLimit } from '../../base/concurrency/concurrency.limit.ts'
import { overloadedProblem } from '../../base/limits/request.queue.ts'
import type { Coding } from './accept.encoding.ts'

/** A long answer that is coded piece by piece. */
export interface PieceCoder {
  /** What there is to send of all pieces so far: nothing where the coding waits for more of them. */
  code(piece: Buffer): Promise<Buffer>
  /** The rest of it. */
  end(): Promise<Buffer>
  /** Frees what it holds, also in the middle. */
  close(): void
}

/** Codes answers, in threads beside the one that answers. */
export interface Coder {
  /** Undefined where as much is being coded as may be: what is asked for meanwhile is sent plain. */
  code(coding: Coding, bytes: Buffer, effort: Effort): Promise<Buffer> | undefined
  /** The same for an answer in pieces. */
  pieces(coding: Coding): PieceCoder | undefined
}

/** Threads of Node's four: the others are for files and passwords. */
const mostAtOnce = 2
/** Answers that wait for one of these threads: what comes together, as the parts of a page do. */
const mostWaiting = 16
/** Of all long answers that are read while they are made. */
const mostInPieces = 8
/** What comes out is handed over in chunks of this size. */
const chunkSize = 64 * 1024
/** What a coding in pieces looks back on, as a power of two: it holds that much for as long as a client reads. */
const pieceWindow = 17

/** How well: as quickly as can be what is sent once, better what is kept for a while, and best what never changes. */
type Effort = 'passing' | 'kept' | 'lasting'
const levels: Readonly<Record<Effort, Readonly<Record<Coding, number>>>> = {
  passing: { zstd: 1, br: 1, gzip: 1 },
  kept: { zstd: 3, br: 4, gzip: 6 },
  lasting: { zstd: 15, br: 9, gzip: 9 },
}

const brotli = (effort: Effort, more: NonNullable<BrotliOptions['params']>): BrotliOptions => ({
  chunkSize,
  params: {
    [constants.BROTLI_PARAM_QUALITY]: levels[effort].br,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    ...more,
  },
})
const zstd = (effort: Effort, more: NonNullable<ZstdOptions['params']> = {}): ZstdOptions => ({
  chunkSize,
  params: { [constants.ZSTD_c_compressionLevel]: levels[effort].zstd, ...more },
})
const zipped = (effort: Effort): ZlibOptions => ({ chunkSize, level: levels[effort].gzip })

const [zstdWhole, brotliWhole, gzipWhole] = [promisify(zstdCompress), promisify(brotliCompress), promisify(gzip)]

/** These bytes in a coding. */
export async function coded(coding: Coding, bytes: Buffer, effort: Effort): Promise<Buffer> {
  // Both hold no more for a short text than it needs.
  if (coding === 'zstd') return zstdWhole(bytes, { ...zstd(effort), pledgedSrcSize: bytes.length })
  if (coding === 'br') return brotliWhole(bytes, brotli(effort, { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }))
  return gzipWhole(bytes, zipped(effort))
}

export function createCoder(): Coder {
  const onFull = overloadedProblem
  const whole = createConcurrencyLimit({ maxConcurrent: mostAtOnce, maxWaiting: mostWaiting, onFull })
  const inPieces = createConcurrencyLimit({ maxConcurrent: mostInPieces, maxWaiting: 0, onFull })
  return {
    code: (...what) => (whole.isFull() ? undefined : whole.run(() => coded(...what))),
    pieces: (coding) => {
      const release = inPieces.tryAcquire()
      return release && pieceCoder(coding, release)
    },
  }
}

function pieceCoder(coding: Coding, onClose: () => void): PieceCoder {
  const engine = engineOf(coding)
  const chunks: Buffer[] = []
  let failure: Error | undefined
  engine.on('data', (chunk: Buffer) => chunks.push(chunk))
  engine.on('error', (error) => {
    failure = error
  })
  engine.once('close', onClose)
  const ready = () => Buffer.concat(chunks.splice(0))
  return {
    code: (piece) =>
      new Promise((resolve, reject) => {
        engine.write(piece, (error) => (error ? reject(error) : resolve(ready())))
      }),
    end: () =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure)
        engine.once('error', reject)
        engine.once('end', () => resolve(ready()))
        engine.end()
      }),
    close: () => void engine.destroy(),
  }
}

function engineOf(coding: Coding) {
  if (coding === 'zstd') return createZstdCompress(zstd('passing', { [constants.ZSTD_c_windowLog]: pieceWindow }))
  if (coding === 'br') return createBrotliCompress(brotli('passing', { [constants.BROTLI_PARAM_LGWIN]: pieceWindow }))
  return createGzip(zipped('passing'))
}
