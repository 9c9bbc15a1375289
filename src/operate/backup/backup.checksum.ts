import { createHash } from 'node:crypto'
import { BackupDamagedError } from './backup.ts'

// RFC 8878, 3.1.2: a skippable frame is a magic number, a length, and content that readers ignore.
const head = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0])
const sealBytes = head.length + 32

/** Passes all data through and appends its checksum: a frame with the SHA-256, which zstd readers ignore. */
export async function* checksummed(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
  yield Buffer.concat([head, hash.digest()])
}

/**
 * Passes all data through except the checksum frame, which it verifies at the end.
 *
 * @throws BackupDamagedError if the checksum is missing or does not match the data before it.
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
