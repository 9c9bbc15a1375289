import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { extract } from 'tar-stream'
import { type BackupKey, lockedMark, openedBy } from './backup.key.ts'
import { unsealed } from './backup.seal.ts'
import {
  BackupDamage,
  BackupError,
  mostPartBytes,
  mostPictureBytes,
  NotABackup,
  type PartName,
  parsePartName,
} from './backup.ts'

/** A part as it comes out of a file. Its bytes have to be read before the next one. */
export interface Part {
  readonly name: string
  readonly what: PartName
  readonly sizeBytes: number
  readonly bytes: AsyncIterable<Buffer>
}

type TarEntry = ReturnType<typeof extract> extends AsyncIterable<infer E> ? E : never

const zstdMark = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/**
 * The parts of a file, one after the other: unlocked, decompressed, and with names and sizes that a backup can have. The
 * seal is checked behind the last of them.
 *
 * @throws BackupError, BackupDamage, NotABackup, or what a library says of what it cannot read
 */
export async function* unpack(source: AsyncIterable<Buffer>, key: BackupKey | undefined): AsyncGenerator<Part> {
  const tar = extract()
  const read = pipeline(source, unlocked(key), unsealed, createZstdDecompress(), tar)
  // What goes wrong reaches the loop below; this is for what goes wrong behind the last part.
  read.catch(() => {})
  try {
    for await (const entry of tar) {
      yield partOf(entry)
      // What nobody has read is passed over.
      entry.resume()
    }
    await read
  } finally {
    tar.destroy()
  }
}

function partOf(entry: TarEntry): Part {
  const { name, size = 0, type, pax } = entry.header
  const what =
    type === 'file' && Object.keys(pax ?? {}).every((key) => key === 'path') ? parsePartName(name) : undefined
  if (!what) throw new BackupDamage(`it has a part that no backup has, ${JSON.stringify(name.slice(0, 200))}`)
  const most = what.kind === 'picture' ? mostPictureBytes : mostPartBytes
  if (size > most) throw new BackupDamage(`the part ${name} has ${size} bytes, more than any may have`)
  return { name, what, sizeBytes: size, bytes: entry as AsyncIterable<Buffer> }
}

/** Decrypts what is encrypted and lets everything else through, where it looks like a backup. */
function unlocked(key: BackupKey | undefined) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const { first, whole } = await peeked(source, lockedMark.length)
    if (first.equals(lockedMark)) {
      if (!key) throw new BackupError('The backup is encrypted: to open it, its key is needed.')
      yield* (await openedBy(key))(whole)
      return
    }
    if (!first.subarray(0, zstdMark.length).equals(zstdMark)) throw new NotABackup()
    yield* whole
  }
}

/** The first bytes of a source, and all of it again. */
async function peeked(source: AsyncIterable<Buffer>, bytes: number) {
  const chunks = source[Symbol.asyncIterator]()
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
