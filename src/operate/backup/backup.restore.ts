import { createWriteStream, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Config } from '../../base/config/config.ts'
import { Problem } from '../../base/problems.ts'
import { derivationsFor } from '../../calendar/derivations.ts'
import type { OnDerived } from '../../calendar/index/stale.events.repository.ts'
import { withTempFolder } from '../../calendar/media/temp.folder.ts'
import { replaceContent } from '../../storage/database/copies/content.replacement.ts'
import { type TableName, tableNames } from '../../storage/database/copies/copy.tables.ts'
import { assertEmpty, CopyError } from '../../storage/database/copies/copy.ts'
import { isRestoring, markRestoring } from '../../storage/database/copies/restoring.ts'
import { latestMigration, migrationOf } from '../../storage/database/migrate.ts'
import { openStorage } from '../../storage/database/open.ts'
import { developmentSchema, olderSchemaPhrase, versionPhrase } from '../../storage/database/schema.version.ts'
import { isInUse } from '../../storage/database/sqlite/sqlite.ts'
import type { Storage } from '../../storage/database/storage.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { mimeTypeOf } from '../../storage/pictures/picture.formats.ts'
import type { PictureStore } from '../../storage/pictures/picture.store.ts'
import { auditedTables } from '../audit/audited.fields.ts'
import { endRestoredAccess, type RestoredAccess, validDigests } from './backup.access.ts'
import { openBackupFile } from './backup.file.ts'
import type { BackupKey } from './backup.key.ts'
import { readBackup } from './backup.read.ts'
import { rowsOf } from './backup.rows.ts'
import { systemErrorReason } from './backup.system.errors.ts'
import { BackupError, type BackupHeader } from './backup.ts'
import { type VerifiedBackup, verifyBackup } from './backup.verify.ts'

export interface RestoreOptions {
  /** The backup. It is read several times. */
  readonly file: string
  readonly key: BackupKey | undefined
  readonly config: Config
  readonly store: PictureStore
  /** Whether the contents of the database and of the picture store may be replaced. */
  readonly isForced: boolean
  readonly now: Date
  /** Called with the bytes that were verified, and the size of the file. */
  readonly onVerified?: ((done: number, total: number) => void) | undefined
  /** Called with the number of rows written and compared, and pictures stored. */
  readonly onProgress?: (done: number, total: number) => void
  /** Called while the event index is made of the restored rows. */
  readonly onDerived?: OnDerived | undefined
}

export interface RestoreResult extends VerifiedBackup, RestoredAccess {
  /** Files in the picture store that the backup does not contain. */
  readonly strangers: number
}

/**
 * Replaces the contents of the database and the picture store with those of the backup. The whole backup is verified
 * before anything is written. Pictures are stored first, as they always are before their rows. The database then gets
 * all of its rows or none, without sessions and links to choose a password.
 *
 * @throws BackupError, CopyError, StorageError
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { file, key, config, isForced, onVerified } = options
  const verified = await verifyBackup(openBackupFile(file, onVerified), key, file)
  assertKnownTables(verified)
  const { database } = config
  if (database.engine === 'sqlite' && existsSync(database.file) && isInUse(database.file)) {
    throw new BackupError(`${database.file} is in use. Stop the service first.`)
  }
  const derivations = derivationsFor(config, { onDerived: options.onDerived })
  // Whole tables are written and compared: statements have no time limit.
  const storage = await openStorage(
    { ...config, databaseStatementTimeoutMs: 0 },
    { audited: auditedTables, derivations, isRestoring: true },
  )
  try {
    const isEmpty = await hasNoContent(storage)
    const strangers = await countStrangers(options.store, verified.files)
    if (!isForced) assertNoContent(isEmpty, strangers)
    // Existing contents stay unchanged until all of them are replaced at once.
    const now = Math.floor(options.now.getTime() / 1000)
    if (isEmpty) await markRestoring(storage, now)
    const before = isEmpty ? undefined : await validDigests(storage.db, now)
    const access = await restoreContent(storage, options, {
      ...verified,
      complete: (tx) => endRestoredAccess(tx, { before, now }),
    })
    return { ...verified, strangers, ...access }
  } finally {
    await storage.close()
  }
}

/** @throws BackupError if this program does not know the schema of the backup. */
function assertKnownTables({ backupHeader, manifest }: VerifiedBackup): void {
  const { migration } = backupHeader
  if (migration < developmentSchema) {
    throw new BackupError(`The backup has the schema ${migration}. ${olderSchemaPhrase('backup restore')}`)
  }
  if (migrationOf(migration) === undefined) {
    throw new BackupError(
      `The backup has the schema ${migration} and was made by ${versionPhrase(backupHeader.service)}. This is ` +
        `version ${packageJson.version}, which supports schemas up to ${latestMigration}. ` +
        `Restore it with ${versionPhrase(backupHeader.service)} or a newer one.`,
    )
  }
  const unknown = Object.keys(manifest.tables).find((table) => !isTable(table))
  if (unknown) throw new BackupError(`The backup has an unknown table: ${unknown}.`)
}

async function hasNoContent({ db }: Storage): Promise<boolean> {
  if (await isRestoring(db)) return true
  try {
    await assertEmpty(db)
    return true
  } catch (error) {
    if (error instanceof CopyError) return false
    throw error
  }
}

async function countStrangers(store: PictureStore, files: ReadonlySet<string>): Promise<number> {
  let strangers = 0
  for await (const { name } of store.list()) if (!files.has(name)) strangers += 1
  return strangers
}

function assertNoContent(isEmpty: boolean, strangers: number): void {
  if (!isEmpty) throw new BackupError('The database is not empty. To replace all of its content, add --force.')
  if (strangers === 0) return
  throw new BackupError(
    `The picture storage has ${strangers} files that are not in this backup. To restore anyway, add --force.`,
  )
}

async function restoreContent(
  storage: Storage,
  { file, key, store, onProgress = () => {} }: RestoreOptions,
  {
    backupHeader,
    manifest,
    files,
    complete,
  }: VerifiedBackup & { readonly complete: (tx: Tx) => Promise<RestoredAccess> },
): Promise<RestoredAccess> {
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
  let done = 0
  const tell = (count: number) => {
    done += count
    onProgress(done, files.size + 2 * rows)
  }
  await withTempFolder(async (folder) => {
    for await (const piece of readBackup(openBackupFile(file), key, file)) {
      if (piece.kind !== 'picture') continue
      // The file may have changed since it was verified.
      if (!files.has(piece.file)) throw new BackupError('The backup changed while it was being restored.')
      const localFile = join(folder, 'picture')
      await pipeline(piece.bytes, createWriteStream(localFile))
      await store.write(piece.file, localFile, mimeTypeOf(piece.file))
      tell(1)
    }
  }).catch(throwPictureWriteError)
  return replaceContent(
    storage,
    { ...contentOf(backupHeader), tables: manifest.tables, rows: (only) => rowsIn({ file, key }, only) },
    { onRows: tell, complete },
  )
}

/** @throws BackupError if the system cannot write a picture file. */
function throwPictureWriteError(error: unknown): never {
  const reason = systemErrorReason(error instanceof Problem ? error.cause : error)
  if (reason === undefined) throw error
  throw new BackupError(`A picture cannot be written to ${tmpdir()} or to the picture storage: ${reason}.`, {
    cause: error,
  })
}

function contentOf({ migration, lastIds }: BackupHeader) {
  return { migration: migrationOf(migration) ?? migration, lastIds }
}

/** Reads the rows of a backup in batches: all of them or those of one table. */
async function* rowsIn({ file, key }: Pick<RestoreOptions, 'file' | 'key'>, only?: TableName) {
  for await (const piece of readBackup(openBackupFile(file), key, file)) {
    if (piece.kind === 'picture' || piece.kind === 'manifest') return
    if (piece.kind !== 'rows' || !isTable(piece.table) || (only && piece.table !== only)) continue
    for (const rows of rowsOf(piece.table, piece.lines)) yield { table: piece.table, rows }
  }
}

function isTable(name: string): name is TableName {
  return tableNames.some((table) => table === name)
}
