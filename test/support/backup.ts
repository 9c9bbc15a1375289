import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { type Config, readConfig } from '../../src/base/config/config.ts'
import { checksummed } from '../../src/operate/backup/backup.checksum.ts'
import { type CreateOptions, type CreateResult, createBackup } from '../../src/operate/backup/backup.create.ts'
import { openBackupFile, writeFileAtomically } from '../../src/operate/backup/backup.file.ts'
import { type RestoreOptions, type RestoreResult, restoreBackup } from '../../src/operate/backup/backup.restore.ts'
import { createBackupTotals } from '../../src/operate/backup/backup.totals.ts'
import {
  type BackupHeader,
  formatVersion,
  type Manifest,
  manifestName,
  parsePartName,
  sumsName,
} from '../../src/operate/backup/backup.ts'
import { unpack } from '../../src/operate/backup/backup.unpack.ts'
import { tableNames } from '../../src/storage/database/copies/copy.tables.ts'
import { withSnapshot } from '../../src/storage/database/copies/snapshot.ts'
import { latestMigration } from '../../src/storage/database/migrate.ts'
import { openPictureStore } from '../../src/storage/pictures/picture.open.ts'
import { givenDatabaseUrl } from './database.ts'

type Context = Pick<TestContext, 'after'>

/** Creates an empty folder that is removed when the test ends. */
export async function givenFolder(t: Context): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-backup-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

/** Returns the settings of an empty calendar, on a database of the engine in TEST_ENGINE; undefined on PGlite. */
export async function givenBackupConfig(t: Context): Promise<Config | undefined> {
  const url = await givenDatabaseUrl(t)
  return url === undefined ? undefined : readConfig({ DATA_DIR: await givenFolder(t), DATABASE_URL: url })
}

/** Backs up the calendar of these settings into a file. */
export async function backUp(
  config: Config,
  file: string,
  options: Partial<CreateOptions> = {},
): Promise<CreateResult> {
  const store = await openPictureStore(config.media)
  const given: CreateOptions = {
    read: (work) => withSnapshot(config, work),
    ...{ store, key: undefined, service: '0.0.0', now: new Date() },
    ...options,
  }
  return writeFileAtomically(file, { isForced: false }, (target) => createBackup(given, target))
}

/** Restores a file into the calendar of these settings. */
export async function restore(
  config: Config,
  file: string,
  options: Partial<RestoreOptions> = {},
): Promise<RestoreResult> {
  const store = await openPictureStore(config.media)
  return restoreBackup({ file, key: undefined, config, store, isForced: false, now: new Date(), ...options })
}

/** A part of a backup, with further properties of its header. */
export interface TestPart {
  readonly name: string
  readonly bytes: Buffer
  readonly header?: Readonly<Record<string, unknown>>
}

export function textPart(name: string, text: string): TestPart {
  return { name, bytes: Buffer.from(text) }
}

/** Returns the parts of a backup, except those that describe the others. */
export async function partsOf(file: string): Promise<readonly TestPart[]> {
  const parts: TestPart[] = []
  for await (const { name, what, bytes } of unpack(openBackupFile(file), undefined)) {
    if (what.kind === 'sums' || what.kind === 'manifest') continue
    parts.push({ name, bytes: Buffer.concat(await Array.fromAsync(bytes)) })
  }
  return parts
}

/** Returns the first part of a backup that this program has made of an SQLite database. */
export function beginningPart(changes: Partial<BackupHeader> = {}): TestPart {
  const backupHeader: BackupHeader = {
    ...{ format: formatVersion, service: '0.0.0', createdAt: '2030-01-15T12:00:00Z', engine: 'sqlite' },
    ...{ migration: latestMigration, lastIds: {} },
    ...changes,
  }
  return textPart('backup.json', JSON.stringify(backupHeader))
}

/** Returns the parts with valid checksums and a valid manifest, so that only their contents can be invalid. */
export function withSums(parts: readonly TestPart[], changes: Partial<Manifest> = {}): readonly TestPart[] {
  const ledger = createBackupTotals()
  for (const { name, bytes } of parts) {
    ledger.part(name, createHash('sha256').update(bytes).digest('hex'))
    const what = parsePartName(name)
    if (what?.kind === 'rows') ledger.rows(what.table, bytes)
    if (what?.kind === 'picture') ledger.picture(bytes.length)
  }
  const sums = textPart(sumsName(1), ledger.takeSums().join(''))
  const { files, bytes, ...counted } = ledger.total(tableNames)
  const manifest: Manifest = {
    ...{ format: formatVersion, ...counted, pictures: { files, bytes, removed: [], missing: [] } },
    ...changes,
  }
  return [...parts, sums, textPart(manifestName, JSON.stringify(manifest))]
}

/** Returns the parts as a file with a checksum, as any attacker who can write files can make one. */
export async function packed(parts: readonly TestPart[]): Promise<Buffer> {
  const tar = pack()
  for (const { name, bytes, header } of parts) tar.entry({ name, ...header }, bytes)
  tar.finalize()
  return sealedTar(Buffer.concat(await Array.fromAsync(tar as AsyncIterable<Buffer>)))
}

/** Returns the bytes of a tar file, compressed and checksummed. */
export async function sealedTar(bytes: Buffer): Promise<Buffer> {
  return buffer(Readable.from(checksummed(Readable.from([zstdCompressSync(bytes)]))))
}
