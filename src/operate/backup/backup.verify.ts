import type { BackupKey } from './backup.key.ts'
import { readBackup } from './backup.read.ts'
import { filesOfRow, rowsOf } from './backup.rows.ts'
import { BackupError, type BackupHeader, type Manifest } from './backup.ts'

export interface VerifiedBackup {
  readonly backupHeader: BackupHeader
  readonly manifest: Manifest
  /** The names of its picture files. */
  readonly files: ReadonlySet<string>
}

/**
 * Reads a backup to its end and verifies its format, every row, and that it contains every picture that its rows name.
 *
 * @param name The name of the source in messages.
 * @throws BackupError that says what is damaged, and where.
 */
export async function verifyBackup(
  source: AsyncIterable<Buffer>,
  key: BackupKey | undefined,
  name: string,
): Promise<VerifiedBackup> {
  const named = new Set<string>()
  const files = new Set<string>()
  let backupHeader: BackupHeader | undefined
  let manifest: Manifest | undefined
  for await (const piece of readBackup(source, key, name)) {
    if (piece.kind === 'beginning') backupHeader = piece.backupHeader
    if (piece.kind === 'manifest') manifest = piece.manifest
    if (piece.kind === 'rows') {
      for (const rows of rowsOf(piece.table, piece.lines)) {
        if (piece.table === 'media') for (const row of rows) for (const name of filesOfRow(row)) named.add(name)
      }
    }
    if (piece.kind !== 'picture') continue
    if (!named.has(piece.file))
      throw new BackupError(`The backup has a file that belongs to no picture: ${piece.file}.`)
    files.add(piece.file)
  }
  if (!backupHeader || !manifest) throw new BackupError('The backup is empty.')
  const { removed, missing } = manifest.pictures
  const unread = named.difference(files).difference(new Set([...removed, ...missing]))
  for (const name of unread) throw new BackupError(`The backup lists a picture file that it does not contain: ${name}.`)
  return { backupHeader, manifest, files }
}
