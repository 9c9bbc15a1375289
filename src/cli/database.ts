import type { Deps } from '../access/deps.ts'
import type { Config } from '../base/config/config.ts'
import { DEFAULT_TEXT_LANGUAGE } from '../base/languages/language.ts'
import { message } from '../base/languages/texts.ts'
import { Problem, type ProblemCode } from '../base/problems.ts'
import { openDeps } from '../main.ts'
import { StorageError } from '../storage/database/storage.ts'
import { CommandError, EXIT } from './output.ts'

/** SQLite codes that concern the file or its disk, and not a bug. */
const fileFaults = /^SQLITE_(?:CANTOPEN|NOTADB|CORRUPT|READONLY|PERM|BUSY|LOCKED|IOERR|FULL|AUTH|TOOBIG)/

/** What a database that is away, or takes too long, is answered with. */
const databaseProblems = new Set<ProblemCode>(['service_unavailable', 'query-too-dear'])

/**
 * Opens the database of this configuration for `work`, and closes it afterwards.
 *
 * @throws CommandError if it cannot be opened.
 */
export async function withDatabase<T>(
  config: Config,
  work: (deps: Deps) => Promise<T>,
  options: Parameters<typeof openDeps>[1] = {},
): Promise<T> {
  try {
    // A command, such as a check of everything, may read for as long as any statement may take.
    const deps = await openDeps({ ...config, queryTimeoutMs: config.databaseStatementTimeoutMs }, options)
    try {
      return await work({ ...deps, storage: deps.storage.withOrigin({ via: 'cli' }) })
    } finally {
      await deps.storage.close()
    }
  } catch (error) {
    throw unavailable(config, error) ?? error
  }
}

/** Returns the error for a database that cannot be used; undefined for errors of any other kind. */
export function unavailable({ databaseFile }: Config, error: unknown): CommandError | undefined {
  if (error instanceof StorageError) return new CommandError(EXIT.unavailable, error.message, { cause: error })
  const all = causes(error)
  const reason =
    all.find((cause) => fileFaults.test(codeOf(cause)) || (cause as NodeJS.ErrnoException).syscall === 'mkdir') ??
    all.find((cause) => cause instanceof Problem && databaseProblems.has(cause.code))
  return (
    reason &&
    new CommandError(EXIT.unavailable, `The database ${databaseFile} cannot be used: ${reasonOf(reason)}`, {
      cause: error,
    })
  )
}

function reasonOf(error: Error): string {
  if (error instanceof Problem) return message(DEFAULT_TEXT_LANGUAGE, error.code)
  const { code = '', syscall, path } = error as NodeJS.ErrnoException
  return (syscall === 'mkdir' && folderReasons[code]?.(path ?? '')) || error.message
}

const mayNot = (path: string) =>
  `this user may not create the folder ${path}. Choose another one with DATA_DIR (or --data-dir).`

/** The reason why the database folder does not exist and cannot be created, by system error code. */
const folderReasons: Readonly<Record<string, (path: string) => string>> = {
  EEXIST: (path) => `${path} is a file. DATA_DIR (or --data-dir) must name a folder.`,
  ENOTDIR: (path) => `a part of ${path} is a file. DATA_DIR (or --data-dir) must name a folder.`,
  EACCES: mayNot,
  // In places where no folder can be created, such as below /sys.
  EPERM: mayNot,
  EROFS: (path) => `${path} is on a read-only disk. Choose another folder with DATA_DIR (or --data-dir).`,
}

function codeOf(error: Error): string {
  return String((error as NodeJS.ErrnoException).code ?? '')
}

/** Returns the error, its cause, the cause of that, … */
function causes(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : []
}
