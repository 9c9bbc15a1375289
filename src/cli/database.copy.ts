import type { Config } from '../base/config/config.ts'
import { parseDatabaseUrl, withoutPassword } from '../base/config/database.ts'
import { derivationsFor } from '../calendar/derivations.ts'
import { auditedTables } from '../operate/audit/audited.fields.ts'
import { assertEmpty, CopyError, copyDatabase, type Digests } from '../storage/database/copies/copy.ts'
import { withSnapshot } from '../storage/database/copies/snapshot.ts'
import type { Derivation } from '../storage/database/derivation.ts'
import { openStorage } from '../storage/database/open.ts'
import type { Storage } from '../storage/database/storage.ts'
import { unavailable } from './database.ts'
import { CommandError, EXIT, type OutputOptions, printResult, table } from './output.ts'
import { progressBar } from './progress.ts'
import { configFor } from './settings.ts'

export interface CopyFlags extends OutputOptions {
  /** Addresses in the format of DATABASE_URL. */
  readonly from: string
  readonly to: string
}

/** Copies a database into an empty one of either engine, and prints the row counts of both. */
export async function copyBetween(flags: CopyFlags): Promise<number> {
  const source = configOf('--from', flags.from)
  const target = configOf('--to', flags.to)
  const digests = await withCommandErrors(source, () =>
    withSnapshot(source, (snapshot) =>
      withCommandErrors(target, async () => {
        // A database with content is refused before anything of it is indexed.
        await withTarget(target, [], ({ db }) => assertEmpty(db))
        const progress = await progressBar('Copying')
        const listing = await progressBar('Listing', progress)
        const derivations = derivationsFor(target, { onDerived: listing?.show })
        return withTarget(target, derivations, (storage) =>
          copyDatabase(snapshot, storage, progress?.show).finally(() => {
            progress?.stop()
            listing?.stop()
          }),
        )
      }),
    ),
  )
  const rows = Object.values(digests).reduce((sum, table) => sum + table.rows, 0)
  const [from, to] = [source.databaseFile, target.databaseFile]
  printResult(
    flags,
    { from, to, rows, tables: digests },
    inWords(digests, `${rows} rows copied from ${from} to ${to}.`),
  )
  return EXIT.ok
}

async function withTarget<T>(
  target: Config,
  derivations: readonly Derivation[],
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  // The target waits while the source is read, and while what was written is compared with it: minutes for a million events.
  const options = { audited: auditedTables, derivations }
  const storage = await openStorage({ ...target, databaseStatementTimeoutMs: 0 }, options)
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

function configOf(option: string, text: string): Config {
  try {
    if (!parseDatabaseUrl(text)) throw new Error('sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE')
  } catch (error) {
    const given = withoutPassword(text)
    const wanted = (error as Error).message.replace('empty, ', '')
    throw new CommandError(EXIT.usage, `${option} is “${given}” but must be ${wanted}.`)
  }
  return configFor({ databaseUrl: text })
}

/** Turns errors that an operator can fix into command errors. `config` names the database that `work` uses. */
async function withCommandErrors<T>(config: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CommandError) throw error
    if (error instanceof CopyError) throw new CommandError(EXIT.failed, error.message, { cause: error })
    throw unavailable(config, error) ?? error
  }
}

function inWords(digests: Digests, first: string): string {
  const rows = Object.entries(digests).map(([name, { rows, digest }]) => [name, String(rows), digest])
  return `${first} Both databases were read again and have the same content:\n\n${table(['TABLE', 'ROWS', 'SHA-256'], rows)}`
}
