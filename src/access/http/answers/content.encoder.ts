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
import { createConcurrencyLimit } from '../../../base/concurrency/concurrency.limit.ts'
import { overloadedProblem } from '../../../base/limits/request.queue.ts'
import type { Coding } from './accept.encoding.ts'

/** Codes a long response piece by piece. */
export interface StreamEncoder {
  /** Returns the encoded bytes that are ready after this piece: none if the coding waits for more input. */
  code(piece: Buffer): Promise<Buffer>
  /** Returns the remaining encoded bytes. */
  end(): Promise<Buffer>
  /** Frees all resources, also before the end. */
  close(): void
}

/** Codes responses in the threads of Node's pool. */
export interface ContentEncoder {
  /** Returns undefined if the limit of concurrent codings is reached. The response is then sent without a coding. */
  code(coding: Coding, bytes: Buffer, effort: Effort): Promise<Buffer> | undefined
  /** Returns a coder for a response in pieces, or undefined if the limit is reached. */
  pieces(coding: Coding): StreamEncoder | undefined
}

/** Of the four threads of Node's pool. The others are for files and password hashes. */
const maxConcurrent = 2
/** Responses that may wait for one of these threads: enough for the parts of a page, which are requested together. */
const maxWaiting = 16
/** Long responses that may be encoded in pieces at the same time. */
const maxStreams = 8
/** The size of the output chunks, in bytes. */
const chunkSize = 64 * 1024
/** The window of a coding in pieces, as a power of two. It takes that much memory for as long as a client reads. */
const streamWindowBits = 17

/**
 * The effort of a coding: fastest for a response that is sent once, better for a cached response, best for a file that
 * never changes.
 */
type Effort = 'passing' | 'kept' | 'lasting'
const levels: Readonly<Record<Effort, Readonly<Record<Coding, number>>>> = {
  passing: { zstd: 1, br: 1, gzip: 1 },
  kept: { zstd: 3, br: 4, gzip: 6 },
  lasting: { zstd: 15, br: 9, gzip: 9 },
}

/** A larger cached response, such as a feed, is encoded like one that is sent once: more effort would take 60 ms more. */
const maxKeptBytes = 1024 * 1024

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
const gzipOptions = (effort: Effort): ZlibOptions => ({ chunkSize, level: levels[effort].gzip })

const [zstdWhole, brotliWhole, gzipWhole] = [promisify(zstdCompress), promisify(brotliCompress), promisify(gzip)]

export async function encodeContent(coding: Coding, bytes: Buffer, asked: Effort): Promise<Buffer> {
  const effort = asked === 'kept' && bytes.length > maxKeptBytes ? 'passing' : asked
  // Given the size, both codings allocate no more memory than a short text needs.
  if (coding === 'zstd') return zstdWhole(bytes, { ...zstd(effort), pledgedSrcSize: bytes.length })
  if (coding === 'br') return brotliWhole(bytes, brotli(effort, { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }))
  return gzipWhole(bytes, gzipOptions(effort))
}

export function createContentEncoder(): ContentEncoder {
  const onFull = overloadedProblem
  const whole = createConcurrencyLimit({ maxConcurrent: maxConcurrent, maxWaiting: maxWaiting, onFull })
  const inPieces = createConcurrencyLimit({ maxConcurrent: maxStreams, maxWaiting: 0, onFull })
  return {
    code: (...what) => (whole.isFull() ? undefined : whole.run(() => encodeContent(...what))),
    pieces: (coding) => {
      const release = inPieces.tryAcquire()
      return release && streamEncoder(coding, release)
    },
  }
}

function streamEncoder(coding: Coding, onClose: () => void): StreamEncoder {
  const engine = createZlibEncoder(coding)
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

function createZlibEncoder(coding: Coding) {
  if (coding === 'zstd') return createZstdCompress(zstd('passing', { [constants.ZSTD_c_windowLog]: streamWindowBits }))
  if (coding === 'br')
    return createBrotliCompress(brotli('passing', { [constants.BROTLI_PARAM_LGWIN]: streamWindowBits }))
  return createGzip(gzipOptions('passing'))
}
