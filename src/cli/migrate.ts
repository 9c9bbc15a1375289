import type { Config } from '../base/config/config.ts'
import { latestMigration } from '../storage/database/migrate.ts'
import { withDatabase } from './database.ts'
import { EXIT, type OutputOptions, printResult } from './output.ts'

/** Creates the database if it does not exist, and migrates it to the newest schema. Opening it does both. */
export async function migrateDatabase(config: Config, options: OutputOptions): Promise<number> {
  await withDatabase(config, async () => undefined)
  const { databaseFile } = config
  printResult(
    options,
    { database: databaseFile, migration: latestMigration },
    `The database ${databaseFile} is up to date (${latestMigration}).`,
  )
  return EXIT.ok
}
