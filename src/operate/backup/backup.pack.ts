import { createHash } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { pack } from 'tar-stream'
import { checksummed } from './backup.checksum.ts'
import { type BackupKey, encryptWith } from './backup.key.ts'

/** A backup that is being written. */
export interface ArchiveWriter {
  /** Adds a part. */
  add(name: string, bytes: Buffer): Promise<void>
  /** Adds a part of this size from a stream, and returns its SHA-256. */
  addStream(name: string, sizeBytes: number, stream: Readable): Promise<string>
  /** Ends the backup. The backup is complete when the promise is fulfilled. */
  finish(): Promise<ArchiveResult>
  /** Aborts the backup. */
  abandon(error: Error): void
}

/** The size and checksum of the written backup. */
export interface ArchiveResult {
  readonly bytes: number
  readonly sha256: string
}

/** Packs parts into a file: tar, compressed, checksummed, and encrypted if there is a key. */
export async function openArchiveWriter(
  target: Writable,
  key: BackupKey | undefined,
  mtime: Date,
): Promise<ArchiveWriter> {
  const tar = pack()
  const hash = createHash('sha256')
  let bytes = 0
  const written = pipeline(
    tar,
    createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
    checksummed,
    key ? await encryptWith(key) : unchanged,
    async function* (source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    },
    target,
  )
  // `add` and `finish` report the error.
  written.catch(() => {})
  const entry = (name: string, size: number, body?: Buffer) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const settle = (error?: Error | null) => (error ? reject(error) : resolve())
    const header = { name, size, mtime, mode: 0o600 }
    const sink = body ? tar.entry(header, body, settle) : tar.entry(header, settle)
    // `done` reports the error.
    sink.on('error', () => {})
    promise.catch(() => {})
    return { sink, done: Promise.race([promise, written.then(() => promise)]) }
  }
  /** After a failed write, all later steps fail as a result: the error of the write is reported. */
  const adding = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (tar.destroying) await written
      throw error
    }
  }
  return {
    add: (name, body) => adding(() => entry(name, body.length, body).done),
    addStream: (name, sizeBytes, stream) =>
      adding(async () => {
        const sum = createHash('sha256')
        try {
          const { sink, done } = entry(name, sizeBytes)
          const read = async () => {
            for await (const chunk of stream) {
              sum.update(chunk)
              if (!sink.write(chunk)) await new Promise<void>((resolve) => sink.once('drain', () => resolve()))
            }
            sink.end(null)
          }
          await Promise.race([Promise.all([read(), done]), written])
          return sum.digest('hex')
        } finally {
          stream.destroy()
        }
      }),
    finish: async () => {
      tar.finalize()
      await written
      return { bytes, sha256: hash.digest('hex') }
    },
    abandon: (error) => {
      tar.destroy(error)
    },
  }
}

async function* unchanged(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* source
}
