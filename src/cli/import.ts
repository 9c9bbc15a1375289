import { readFile, stat } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import type { UserId } from '../access/auth/actor.ts'
import { groupedInFours } from '../access/auth/credentials.ts'
import { findUserByLogin, hasAnyUser, insertUser, listUsers } from '../access/auth/user.repository.ts'
import { createFirstAdministrator } from '../access/auth/user.service.ts'
import type { Deps } from '../access/deps.ts'
import type { Config } from '../base/config/config.ts'
import { unreadableReason } from '../base/config/file.faults.ts'
import { DEFAULT_TEXT_LANGUAGE, type Language } from '../base/languages/language.ts'
import { type ImportOptions, importRecordings } from '../exchange/imports/import.service.ts'
import { type ImportSummary, importGroups, presentRemark, presentSummary } from '../exchange/imports/import.summary.ts'
import { IdsTakenError } from '../exchange/imports/moved.ids.ts'
import { importMoved, type PulledCalendar } from '../exchange/imports/moved.import.ts'
import { emptyRecording, type ImportRemark, type Recording, type Recordings } from '../exchange/imports/source.ts'
import { readTecRecording } from '../exchange/imports/tec.ts'
import { parseTranslations, type TranslationLinks, TranslationsError } from '../exchange/imports/translations.ts'
import { openPullFolder } from '../exchange/pull/pull.folder.ts'
import type { Db, Tx } from '../storage/database/tables.ts'
import { withDatabase } from './database.ts'
import { CommandError, EXIT, type OutputOptions, printError, printResult, table } from './output.ts'
import { progressBar } from './progress.ts'
import { readSecretFile } from './secret.ts'

const maxFileBytes = 256 * 1024 * 1024

export interface ImportFlags extends OutputOptions {
  readonly shiftToToday?: boolean
  readonly author?: string
  readonly dryRun?: boolean
  readonly quiet?: boolean
  readonly language?: string
  readonly translationOf?: string
  readonly eventPasswordFile?: string
  readonly keepIds?: boolean
}

/** Imports recorded lists of events, and prints the results. */
export async function importFiles(config: Config, files: readonly string[], flags: ImportFlags): Promise<number> {
  const { shiftToToday = false, dryRun = false, quiet = false, keepIds = false } = flags
  keepYoungSmall()
  const language = languageFor(config, flags)
  const translations = flags.translationOf === undefined ? undefined : await readTranslations(flags.translationOf)
  const eventPassword =
    flags.eventPasswordFile === undefined
      ? undefined
      : await readSecretFile(flags.eventPasswordFile, 'the password of the events')
  const progress = quiet ? undefined : await progressBar('Importing')
  const pulled = await pulledIn(files)
  if (keepIds && !pulled)
    throw new CommandError(EXIT.usage, '--keep-ids needs the folder of “pull tec” or “export folder”.')
  const importAll = async (deps: Deps) => {
    const options: ImportOptions = {
      authorId: await authorFor(deps, flags),
      isShifted: shiftToToday,
      isDryRun: dryRun,
      keepsIds: keepIds,
      ...(language ? { language } : {}),
      ...(translations ? { translations } : {}),
      ...(eventPassword === undefined ? {} : { eventPassword }),
      ...(progress ? { onProgress: progress.show } : {}),
    }
    return pulled ? importMoved(deps, pulled, options) : importRecordings(deps, recordingsIn(files), options)
  }
  const summary = await withDatabase(config, importAll)
    .catch((error) => {
      if (!(error instanceof IdsTakenError)) throw error
      throw new CommandError(
        EXIT.failed,
        '--keep-ids needs an empty calendar, or one with nothing but what the same command has imported. This one has other records. Import without --keep-ids, or into another folder (--data-dir).',
      )
    })
    .finally(() => progress?.stop())
  if (!quiet) printRemarks(summary.warnings)
  printRemarks(summary.failures)
  printResult(
    flags,
    { dry_run: dryRun, ...presentSummary(summary, DEFAULT_TEXT_LANGUAGE) },
    summaryText(
      summary,
      pulled ? pulled.folder.path : `${files.length} ${files.length === 1 ? 'file' : 'files'}`,
      dryRun,
    ),
  )
  return summary.failures.length > 0 ? EXIT.failed : EXIT.ok
}

/**
 * Limits the memory for young objects. An import creates many short-lived objects and keeps few. By default, the engine
 * would enlarge the space for new objects, which costs as much time and a hundred megabytes.
 */
function keepYoungSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

export function languageFor({ languages }: Config, { language }: Pick<ImportFlags, 'language'>): Language | undefined {
  const known = languages.find((code) => code === language)
  if (language === undefined || known) return known
  throw new CommandError(EXIT.usage, `--language must be one of ${languages.join(', ')}.`)
}

async function readTranslations(file: string): Promise<TranslationLinks> {
  try {
    return parseTranslations(await readFile(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof TranslationsError) throw new CommandError(EXIT.usage, `${file} ${message}.`)
    if (code !== undefined) throw new CommandError(EXIT.usage, `${file} cannot be read: ${unreadableReason(error)}.`)
    throw error
  }
}

async function pulledIn([path, ...others]: readonly string[]): Promise<PulledCalendar | undefined> {
  if (path === undefined || others.length > 0) return undefined
  const folder = openPullFolder(path)
  const manifest = await folder.readManifest()
  return manifest && { folder, manifest }
}

/** Returns the recordings in these files. A source that can be read only once, such as a pipe, is kept in memory. */
function recordingsIn(files: readonly string[]): Recordings {
  const kept = new Map<string, Recording>()
  return {
    async *[Symbol.asyncIterator]() {
      for (const file of files) {
        const recording = kept.get(file) ?? (await readRecording(file))
        if (!(await isFile(file))) kept.set(file, recording)
        yield recording
      }
    },
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

/** Reads a recording. An unreadable file is a fault like others: the rest is imported. */
async function readRecording(file: string): Promise<Recording> {
  try {
    const bytes = await readFile(file)
    if (bytes.length <= maxFileBytes) return readTecRecording(file, bytes.toString('utf8'))
    return { ...emptyRecording, faults: [{ file, path: '', text: { key: 'import.file.too-large' } }] }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return {
      ...emptyRecording,
      faults: [
        { file, path: '', text: { key: 'import.file.unreadable', values: { reason: unreadableReason(error) } } },
      ],
    }
  }
}

/**
 * Returns the owner of the imported records: the user named by the option, or else the first administrator. If the
 * database is empty, this administrator is created as at startup, once there are records to import. A dry run rolls
 * this back with everything else.
 */
async function authorFor(deps: Deps, { author, dryRun = false }: ImportFlags): Promise<ImportOptions['authorId']> {
  if (author === undefined) return dryRun ? (transact) => transact((tx) => standIn(tx, deps)) : () => owner(deps)
  const user = await findUserByLogin(deps.storage.db, author)
  if (!user) throw new CommandError(EXIT.failed, `User ${author} not found.`)
  return user.id
}

async function standIn(tx: Tx, { config, now }: Deps): Promise<UserId> {
  if (await hasAnyUser(tx)) return administratorIn(tx)
  return (await insertUser(tx, { name: config.adminUser, email: '', role: 'administrator' }, now())).id
}

export async function owner(deps: Deps): Promise<UserId> {
  const first = await createFirstAdministrator(deps)
  if (first && deps.config.adminPassword === undefined) {
    printError(
      `The administrator ${first.user.name} was created. Application password, shown only now: ${groupedInFours(first.secret)}`,
    )
  }
  return administratorIn(deps.storage.db)
}

async function administratorIn(db: Db): Promise<UserId> {
  const administrator = (await listUsers(db)).find(({ role }) => role === 'administrator')
  if (!administrator) throw new CommandError(EXIT.failed, 'There is no administrator. Choose a user with --author.')
  return administrator.id
}

function printRemarks(remarks: readonly ImportRemark[]): void {
  for (const remark of remarks) {
    const { file, path, text } = presentRemark(DEFAULT_TEXT_LANGUAGE, remark)
    printError(`${[file, path].filter(Boolean).join(': ')}: ${text}`)
  }
}

/** Returns texts about what was not imported unchanged. The guide says what to do about each. */
function skippedTexts(summary: ImportSummary): readonly string[] {
  const { skippedImages, protectedEvents, hiddenEvents, removedEmbeds, unrecordedEvents, lostParents } = summary
  const told: readonly (readonly [count: number, one: string, many: string])[] = [
    [skippedImages, 'picture was not copied.', 'pictures were not copied.'],
    [
      protectedEvents,
      'protected event was refused: its content is not in the files.',
      'protected events were refused: their content is not in the files.',
    ],
    [hiddenEvents, 'event is hidden from lists, as in the source.', 'events are hidden from lists, as in the source.'],
    [
      removedEmbeds,
      'embedded element was left out of a description.',
      'embedded elements were left out of descriptions.',
    ],
    [
      unrecordedEvents,
      'event of a recorded list is in no file: record all of its pages.',
      'events of recorded lists are in no file: record all of their pages.',
    ],
    [
      lostParents,
      'category was moved to the top level, because its parent is in no file. Import the list of categories as well.',
      'categories were moved to the top level, because their parents are in no file. Import the list of categories as well.',
    ],
  ]
  return told.flatMap(([count, one, many]) => (count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]))
}

function summaryText(summary: ImportSummary, from: string, isDryRun: boolean): string {
  const { events, found, shiftDays } = summary
  const counts = table(
    ['', 'CREATED', 'UPDATED', 'UNCHANGED', 'FAILED'],
    importGroups.map((group) => {
      const { created, updated, unchanged, failed } = summary[group]
      return [group, ...[created, updated, unchanged, failed].map(String)]
    }),
  )
  return [
    `${found - events.failed} of ${found} events imported from ${from}.`,
    ...(isDryRun ? ['This was a dry run: nothing was changed.'] : []),
    ...(shiftDays > 0 && events.created > 0 ? [`New events were moved by ${shiftDays} days.`] : []),
    ...skippedTexts(summary),
    '',
    counts,
  ].join('\n')
}
