import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { listFilesInUse } from '../../calendar/media/media.repository.ts'
import { lastGivenId } from '../../storage/database/copies/copy.sequences.ts'
import { countRows, sequenceTables, tableBatches, tableNames } from '../../storage/database/copies/copy.tables.ts'
import type { Snapshot } from '../../storage/database/copies/snapshot.ts'
import { latestMigration } from '../../storage/database/migrate.ts'
import type { PictureStore } from '../../storage/pictures/picture.store.ts'
import type { BackupKey } from './backup.key.ts'
import { type ArchiveResult, type ArchiveWriter, openArchiveWriter } from './backup.pack.ts'
import { filesOfRow, rowLine } from './backup.rows.ts'
import { type BackupTotals, createBackupTotals } from './backup.totals.ts'
import {
  type BackupHeader,
  backupHeaderName,
  formatVersion,
  type Manifest,
  manifestName,
  pictureName,
  rowsName,
  sumsName,
  usualPartBytes,
} from './backup.ts'

export interface CreateOptions {
  /** Runs work on a snapshot of the database. */
  readonly read: <T>(work: (snapshot: Snapshot) => Promise<T>) => Promise<T>
  readonly store: PictureStore
  readonly key: BackupKey | undefined
  readonly service: string
  readonly now: Date
  /** Called with the number of rows and files written, and the total. */
  readonly onProgress?: (done: number, total: number) => void
}

export interface CreateResult extends ArchiveResult {
  readonly backupHeader: BackupHeader
  readonly manifest: Manifest
}

/** A picture file, and the file that the row of its picture names. */
interface NamedFile {
  readonly name: string
  readonly original: string
}

interface BackupWriter {
  readonly archive: ArchiveWriter
  readonly totals: BackupTotals
  /** Adds a part and records its checksum. */
  add(name: string, bytes: Buffer): Promise<void>
  /** Writes the checksums that have not been written. */
  flush(): Promise<void>
}

/**
 * Writes a backup of one moment: the time at which it begins to read the database. It reads the picture files after the
 * database. This is safe, since files are stored before their rows and their content never changes. A file removed
 * during the backup has lost its row by the end, which is checked then.
 *
 * @throws StorageError if the database cannot be read
 */
export async function createBackup(options: CreateOptions, target: Writable): Promise<CreateResult> {
  const archive = await openArchiveWriter(target, options.key, options.now)
  try {
    const backupWriter = createBackupWriter(archive)
    const { backupHeader, files } = await options.read((snapshot) => writeDatabase(snapshot, backupWriter, options))
    const absent = await writePictures(files, backupWriter, options)
    await backupWriter.flush()
    const { files: count, bytes, ...counted } = backupWriter.totals.total(tableNames)
    const pictures = { files: count, bytes, ...(await classifyAbsent(options, absent)) }
    const manifest: Manifest = { format: formatVersion, ...counted, pictures }
    await archive.add(manifestName, asJson(manifest))
    return { ...(await archive.finish()), backupHeader, manifest }
  } catch (error) {
    archive.abandon(error as Error)
    throw error
  }
}

function createBackupWriter(archive: ArchiveWriter): BackupWriter {
  const totals = createBackupTotals()
  let sums = 0
  const flush = async () => {
    const lines = totals.takeSums()
    if (lines.length === 0) return
    sums += 1
    await archive.add(sumsName(sums), Buffer.from(lines.join('')))
  }
  return {
    archive,
    totals,
    add: async (name, bytes) => {
      await archive.add(name, bytes)
      totals.part(name, createHash('sha256').update(bytes).digest('hex'))
      if (totals.hasManySums()) await flush()
    },
    flush,
  }
}

/** Writes all tables, and returns the picture files that they name. */
async function writeDatabase(
  { db, dialect }: Snapshot,
  backupWriter: BackupWriter,
  { service, now, onProgress = () => {} }: CreateOptions,
) {
  const lastIds: Record<string, number> = {}
  for (const table of sequenceTables) lastIds[table] = await lastGivenId(db, dialect, table)
  const backupHeader: BackupHeader = {
    ...{ format: formatVersion, service, createdAt: now.toISOString() },
    ...{ engine: dialect.name, migration: latestMigration, lastIds },
  }
  await backupWriter.add(backupHeaderName, asJson(backupHeader))
  let total = 0
  for (const table of tableNames) total += await countRows(db, table)
  const files: NamedFile[] = []
  let done = 0
  for (const table of tableNames) {
    const part = rowPartWriter(table, backupWriter)
    for await (const rows of tableBatches(db, table)) {
      for (const row of rows) {
        await part.add(rowLine(row))
        if (table === 'media') for (const name of filesOfRow(row)) files.push({ name, original: String(row.file) })
      }
      done += rows.length
      onProgress(done, total)
    }
    await part.end()
  }
  return { backupHeader, files }
}

/** Combines the lines of a table into parts. */
function rowPartWriter(table: string, { add, totals }: BackupWriter) {
  let lines: string[] = []
  let size = 0
  let number = 0
  const end = async () => {
    if (lines.length === 0) return
    const bytes = Buffer.from(lines.join(''))
    lines = []
    size = 0
    number += 1
    totals.rows(table, bytes)
    await add(rowsName(table, number), bytes)
  }
  return {
    add: async (line: string) => {
      lines.push(line)
      size += line.length
      if (size >= usualPartBytes) await end()
    },
    end,
  }
}

/** Writes the files, and returns those that do not exist. */
async function writePictures(
  files: readonly NamedFile[],
  { archive, totals, flush }: BackupWriter,
  { store, onProgress = () => {} }: CreateOptions,
): Promise<readonly NamedFile[]> {
  const absent: NamedFile[] = []
  for (const [index, file] of files.entries()) {
    const opened = await openPicture(store, file.name)
    if (!opened) {
      absent.push(file)
      continue
    }
    const name = pictureName(file.name)
    totals.part(name, await archive.addStream(name, opened.sizeBytes, opened.stream))
    totals.picture(opened.sizeBytes)
    if (totals.hasManySums()) await flush()
    onProgress(index + 1, files.length)
  }
  return absent
}

/** Opens a file. An open file can be read to its end even if it is removed. Returns undefined if it does not exist. */
async function openPicture(store: PictureStore, name: string) {
  const found = await store.find(name)
  if (!found) return undefined
  try {
    const stream = await found.read()
    await once(stream, 'readable')
    return { sizeBytes: found.sizeBytes, stream }
  } catch (error) {
    // The file was removed after the lookup.
    if (!(await store.find(name))) return undefined
    throw error
  }
}

const lookupBatchSize = 100

/** Returns which of these files were removed with their picture, and which are missing although the picture exists. */
async function classifyAbsent(
  { read }: CreateOptions,
  absent: readonly NamedFile[],
): Promise<Pick<Manifest['pictures'], 'removed' | 'missing'>> {
  if (absent.length === 0) return { removed: [], missing: [] }
  const known = await read(async ({ db }) => {
    const originals: string[] = []
    for (let from = 0; from < absent.length; from += lookupBatchSize) {
      const asked = absent.slice(from, from + lookupBatchSize).map(({ original }) => original)
      originals.push(...(await listFilesInUse(db, asked)))
    }
    return new Set(originals)
  })
  const named = (isKnown: boolean) =>
    absent.filter(({ original }) => known.has(original) === isKnown).map(({ name }) => name)
  return { removed: named(false), missing: named(true) }
}

function asJson(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)
}
