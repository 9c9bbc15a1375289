import type { Config } from '../base/config/config.ts'
import { derivationsFor } from '../calendar/derivations.ts'
import { latestMigration } from '../storage/database/migrate.ts'
import { withDatabase } from './database.ts'
import { EXIT, type OutputOptions, printResult } from './output.ts'
import { progressBar } from './progress.ts'

/** Creates the database if it does not exist, and migrates it to the newest schema. Opening it does both. */
export async function migrateDatabase(config: Config, options: OutputOptions): Promise<number> {
  const listing = await progressBar('Listing')
  const derivations = derivationsFor(config, { onDerived: listing?.show })
  await withDatabase(config, async () => undefined, { derivations }).finally(() => listing?.stop())
  const { databaseFile } = config
  printResult(
    options,
    { database: databaseFile, migration: latestMigration },
    `The database ${databaseFile} is up to date (${latestMigration}).`,
  )
  return EXIT.ok
}
