import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { extract } from 'tar-stream'
import { verifyChecksum } from './backup.checksum.ts'
import { ageMagic, type BackupKey, decryptWith } from './backup.key.ts'
import {
  BackupDamagedError,
  BackupError,
  maxPartBytes,
  maxPictureBytes,
  NotABackupError,
  type PartName,
  parsePartName,
} from './backup.ts'

/** A part of a backup file. Its bytes must be read before the next part. */
export interface BackupPart {
  readonly name: string
  readonly what: PartName
  readonly sizeBytes: number
  readonly bytes: AsyncIterable<Buffer>
}

type TarEntry = ReturnType<typeof extract> extends AsyncIterable<infer E> ? E : never

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/**
 * Reads the parts of a file in order: decrypted, decompressed, and with names and sizes that a backup may have. The
 * checksum is verified after the last part.
 *
 * @throws BackupError, BackupDamagedError, NotABackupError, or the error of a library about unreadable data
 */
export async function* unpack(source: AsyncIterable<Buffer>, key: BackupKey | undefined): AsyncGenerator<BackupPart> {
  const tar = extract()
  const read = pipeline(source, decrypted(key), verifyChecksum, createZstdDecompress(), tar)
  // The loop below receives errors before the end; this handles errors after the last part.
  read.catch(() => {})
  try {
    for await (const entry of tar) {
      yield partOf(entry)
      // Skips bytes that the caller has not read.
      entry.resume()
    }
    await read
  } finally {
    tar.destroy()
  }
}

function partOf(entry: TarEntry): BackupPart {
  const { name, size = 0, type, pax } = entry.header
  const what =
    type === 'file' && Object.keys(pax ?? {}).every((key) => key === 'path') ? parsePartName(name) : undefined
  if (!what) throw new BackupDamagedError(`it has a part that no backup has, ${JSON.stringify(name.slice(0, 200))}`)
  const most = what.kind === 'picture' ? maxPictureBytes : maxPartBytes
  if (size > most) throw new BackupDamagedError(`the part ${name} has ${size} bytes, more than any may have`)
  return { name, what, sizeBytes: size, bytes: entry as AsyncIterable<Buffer> }
}

/** Decrypts encrypted data and passes other data through if it looks like a backup. */
function decrypted(key: BackupKey | undefined) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const chunks = source[Symbol.asyncIterator]()
    try {
      const { first, whole } = await peek(chunks, ageMagic.length)
      if (first.equals(ageMagic)) {
        if (!key) throw new BackupError('The backup is encrypted. Give its key with --key-file or BACKUP_KEY.')
        yield* (await decryptWith(key))(whole)
        return
      }
      if (!first.subarray(0, zstdMagic.length).equals(zstdMagic)) throw new NotABackupError()
      yield* whole
    } finally {
      // Closes a file that is not a backup.
      await chunks.return?.()
    }
  }
}

/** Returns the first bytes of a source, and the complete source. */
async function peek(chunks: AsyncIterator<Buffer>, bytes: number) {
  let begun = Buffer.alloc(0)
  while (begun.length < bytes) {
    const { value, done } = await chunks.next()
    if (done) break
    begun = Buffer.concat([begun, value])
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield begun
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
  }
  return { first: begun.subarray(0, bytes), whole: whole() }
}
