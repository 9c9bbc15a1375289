import { readFile } from 'node:fs/promises'
import packageJson from '../../package.json' with { type: 'json' }
import type { Config } from '../base/config/config.ts'
import { unreadableReason } from '../base/config/file.faults.ts'
import type { RestoredAccess } from '../operate/backup/backup.access.ts'
import { type CreateOptions, type CreateResult, createBackup } from '../operate/backup/backup.create.ts'
import { openBackupFile, writeFileAtomically } from '../operate/backup/backup.file.ts'
import { type BackupKey, newKey, parseBackupKey } from '../operate/backup/backup.key.ts'
import { restoreBackup } from '../operate/backup/backup.restore.ts'
import { BackupError, type Manifest } from '../operate/backup/backup.ts'
import { type VerifiedBackup, verifyBackup } from '../operate/backup/backup.verify.ts'
import { CopyError } from '../storage/database/copies/copy.ts'
import { withSnapshot } from '../storage/database/copies/snapshot.ts'
import { openPictureStore } from '../storage/pictures/picture.open.ts'
import { unavailable } from './database.ts'
import {
  CommandError,
  EXIT,
  type OutputOptions,
  outputErrorText,
  printError,
  printResult,
  say,
  table,
} from './output.ts'
import { progressBar } from './progress.ts'

export interface BackupFlags extends OutputOptions {
  readonly keyFile?: string
  readonly force?: boolean
}

/** The name that stands for standard input and output. */
const standard = '-'

/** Writes a backup of the database and the pictures into a file, or to standard output. */
export async function createInto(config: Config, file: string, flags: BackupFlags): Promise<number> {
  const isStandard = file === standard
  const created = await withCommandErrors(config, async () => {
    const key = await readBackupKey(config, flags)
    const store = await openPictureStore(config.media)
    const progress = await progressBar('Backing up')
    const onProgress = progress ? { onProgress: progress.show } : {}
    const options: CreateOptions = {
      read: (work) => withSnapshot(config, work),
      ...{ store, key, service: packageJson.version, now: new Date(), ...onProgress },
    }
    try {
      if (isStandard) return { ...(await createPrinted(options)), key }
      return await writeFileAtomically(file, { isForced: flags.force ?? false }, async (target) => ({
        ...(await createBackup(options, target)),
        key,
      }))
    } finally {
      progress?.stop()
    }
  })
  const { bytes, sha256, backupHeader, manifest, key } = created
  const { removed, missing } = manifest.pictures
  if (!isStandard) {
    const lock = key ? 'encrypted' : 'not encrypted'
    const outcome = { file, bytes, sha256, isEncrypted: key !== undefined, ...backupHeader, ...manifest }
    printResult(
      flags,
      outcome,
      `${file} was written: ${bytes} bytes, ${lock}, SHA-256 ${sha256}.\n\n${inWords(manifest)}`,
    )
  }
  if (removed.length > 0)
    printError(`${removed.length} picture files were deleted during the backup and are not in it.`)
  if (missing.length === 0) return EXIT.ok
  printError(`The backup is complete, but these picture files were already missing:\n${missing.join('\n')}`)
  return EXIT.failed
}

/** @throws CommandError if standard output does not accept all of it. */
async function createPrinted(options: CreateOptions): Promise<CreateResult> {
  let fault: Error | undefined
  process.stdout.once('error', (error) => {
    fault = error
  })
  return createBackup(options, process.stdout).catch((error) => {
    throw fault ? new CommandError(EXIT.failed, outputErrorText(fault), { cause: error }) : error
  })
}

/** Verifies a backup from a file or from standard input, and prints its contents. */
export async function verifyFile(config: Config, file: string, flags: BackupFlags): Promise<number> {
  const verified = await withCommandErrors(config, async () => {
    const key = await readBackupKey(config, flags)
    if (file === standard) return verifyBackup(process.stdin, key, 'Standard input')
    const progress = await progressBar('Verifying')
    try {
      return await verifyBackup(openBackupFile(file, progress?.show), key, file)
    } finally {
      progress?.stop()
    }
  })
  printResult(
    flags,
    outcomeOf(file, verified),
    `${file} is complete. ${madeBy(verified)}\n\n${inWords(verified.manifest)}`,
  )
  return EXIT.ok
}

/** Restores a backup into the database and the picture store of the settings. */
export async function restoreFrom(config: Config, file: string, flags: BackupFlags): Promise<number> {
  if (file === standard)
    throw new CommandError(EXIT.usage, 'Restoring reads the backup several times, so it must be a file.')
  const restored = await withCommandErrors(config, async () => {
    const verifying = await progressBar('Verifying')
    const progress = await progressBar('Restoring', verifying)
    const listing = await progressBar('Listing', progress)
    try {
      return await restoreBackup({
        ...{ file, config, key: await readBackupKey(config, flags), store: await openPictureStore(config.media) },
        ...{ isForced: flags.force ?? false, now: new Date() },
        onVerified: verifying?.show,
        ...(progress ? { onProgress: progress.show } : {}),
        onDerived: listing?.show,
      })
    } finally {
      verifying?.stop()
      progress?.stop()
      listing?.stop()
    }
  })
  const { databaseFile } = config
  const { strangers, endedSessions, endedLinks, returnedKeys = null } = restored
  printResult(
    flags,
    {
      ...outcomeOf(file, restored),
      ...{ database: databaseFile, strangers, endedSessions, endedLinks, returnedKeys },
    },
    `${file} was restored into ${databaseFile}. ${madeBy(restored)}\n\n${inWords(restored.manifest)}\n\n${accessInWords(restored)}`,
  )
  if (restored.strangers > 0) {
    printError(
      `${restored.strangers} other picture files were already there and are unused now. “media gc” lists them.`,
    )
  }
  return EXIT.ok
}

function accessInWords({ endedSessions, endedLinks, returnedKeys }: RestoredAccess): string {
  const ended = `Everybody is signed out: ${endedSessions} sessions and ${endedLinks} links to choose a password were ended.`
  if (!returnedKeys) {
    return `${ended}\nKeys that were revoked after the backup was made are valid again. “key list” lists all keys.`
  }
  if (returnedKeys.length === 0) return `${ended}\nNo key that had been revoked or replaced is valid again.`
  const rows = returnedKeys.map(({ id, user, label, scope }) => [String(id), user, label, scope])
  const keys = table(['ID', 'USER', 'LABEL', 'SCOPE'], rows)
  return `${ended}\nThese keys had been revoked or replaced and are valid again. “key revoke ID” revokes one.\n\n${keys}`
}

/** Prints a new key, in the format of `age-keygen`. */
export async function printNewKey(): Promise<number> {
  const { identity, recipient } = await newKey()
  say(`# public key: ${recipient}\n${identity}`)
  return EXIT.ok
}

/** Returns the key of the option, or else of the settings; undefined if there is none. */
async function readBackupKey({ backupKey }: Config, { keyFile }: BackupFlags): Promise<BackupKey | undefined> {
  if (keyFile === undefined) return backupKey === undefined ? undefined : parseBackupKey(backupKey)
  const text = await readFile(keyFile, 'utf8').catch((cause: Error) => {
    throw new BackupError(`The key ${keyFile} cannot be read: ${unreadableReason(cause)}.`, { cause })
  })
  return parseBackupKey(text)
}

/** Turns errors that an operator can fix into command errors. */
async function withCommandErrors<T>(config: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BackupError || error instanceof CopyError) {
      throw new CommandError(EXIT.failed, error.message, { cause: error })
    }
    throw unavailable(config, error) ?? unwritable(error) ?? error
  }
}

/**
 * Returns the error for a file that cannot be written, for example because its disk is full or its folder is missing.
 */
function unwritable(error: unknown): CommandError | undefined {
  const { syscall, message } = error as NodeJS.ErrnoException
  return syscall === undefined ? undefined : new CommandError(EXIT.failed, message, { cause: error })
}

function outcomeOf(file: string, { backupHeader, manifest }: VerifiedBackup) {
  return { file, ...backupHeader, ...manifest }
}

function madeBy({ backupHeader: { service, createdAt, engine, migration } }: VerifiedBackup): string {
  return `It was made at ${createdAt} by version ${service} from ${engine}, with schema ${migration}.`
}

function inWords({ tables, pictures: { files, bytes } }: Manifest): string {
  const rows = Object.entries(tables).map(([name, { rows, digest }]) => [name, String(rows), digest])
  return `${table(['TABLE', 'ROWS', 'SHA-256'], rows)}\n\n${files} picture files, ${bytes} bytes.`
}
