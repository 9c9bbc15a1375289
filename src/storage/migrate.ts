import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Dialect } from './dialect.ts'
import * as firstTables from './migrations/0001-first-tables.ts'
import * as imports from './migrations/0002-imports.ts'
import type { Tables } from './tables.ts'

/** In order; a migration is frozen once shipped, and a correction is the next number. */
const migrations = {
  '0001-first-tables': firstTables,
  '0002-imports': imports,
} as const

/** Name of the last one: what the newest form of the database is called. */
export const newestMigration: string = Object.keys(migrations).at(-1) ?? ''

/**
 * Brings the database to the newest form: all that is missing in one transaction, or nothing.
 *
 * @returns the names of the migrations that were run.
 * @throws when one fails, or the database is newer than this program.
 */
export async function migrate(db: Kysely<Tables>, dialect: Dialect): Promise<readonly string[]> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(migrations).map(([name, migration]) => [
            name,
            { up: (tx: Kysely<unknown>) => migration.up(tx, dialect) },
          ]),
        ),
    },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw new Error('The database could not be brought to the newest form.', { cause: error })
  return (results ?? []).map((result) => result.migrationName)
}
