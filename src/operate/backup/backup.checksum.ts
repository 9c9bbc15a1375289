import { createHash } from 'node:crypto'
import { BackupDamagedError } from './backup.ts'

// RFC 8878, 3.1.2: a skippable frame is a magic number, a length, and content that readers pass over.
const head = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0])
const sealBytes = head.length + 32

/** Lets everything through and adds its seal: a frame with its SHA-256, which readers of zstd pass over. */
export async function* checksummed(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
  yield Buffer.concat([head, hash.digest()])
}

/**
 * Lets everything through but the seal, which it checks at the end.
 *
 * @throws BackupDamagedError where it is not there, or not that of what was before it.
 */
export async function* verifyChecksum(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let kept = Buffer.alloc(0)
  for await (const chunk of source) {
    const all = kept.length === 0 ? chunk : Buffer.concat([kept, chunk])
    const passed = all.subarray(0, Math.max(0, all.length - sealBytes))
    kept = Buffer.from(all.subarray(passed.length))
    if (passed.length === 0) continue
    hash.update(passed)
    yield passed
  }
  if (kept.length < sealBytes || !kept.subarray(0, head.length).equals(head)) {
    throw new BackupDamagedError('its end is missing')
  }
  if (!kept.subarray(head.length).equals(hash.digest())) {
    throw new BackupDamagedError('it is not what was written')
  }
}
