import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Dialect } from './dialect.ts'
import * as firstTables from './migrations/0001-first-tables.ts'
import * as imports from './migrations/0002-imports.ts'
import * as revisions from './migrations/0003-revisions.ts'
import * as listings from './migrations/0004-event-listings.ts'
import * as search from './migrations/0005-search.ts'
import * as audit from './migrations/0006-audit.ts'
import type { Tables } from './tables.ts'

/** In order; a migration is frozen once shipped, and a correction is the next number. */
const migrations = {
  '0001-first-tables': firstTables,
  '0002-imports': imports,
  '0003-revisions': revisions,
  '0004-event-listings': listings,
  '0005-search': search,
  '0006-audit': audit,
} as const

/** Name of the last one: what the newest form of the database is called. */
export const newestMigration: string = Object.keys(migrations).at(-1) ?? ''

/**
 * Brings the database to the newest form: all that is missing in one transaction, or nothing. Of several processes that
 * start at once the first does it, while the others wait.
 *
 * @returns the names of the migrations that were run.
 * @throws when one fails, or the database is newer than this program.
 */
export async function migrate(db: Kysely<Tables>, dialect: Dialect): Promise<readonly string[]> {
  return db.transaction().execute(async (tx) => {
    await dialect.takeTurn(tx)
    const migrator = new Migrator({
      db: tx,
      provider: {
        getMigrations: async () =>
          Object.fromEntries(
            Object.entries(migrations).map(([name, migration]) => [
              name,
              { up: (db: Kysely<unknown>) => migration.up(db, dialect) },
            ]),
          ),
      },
    })
    const { error, results } = await migrator.migrateToLatest()
    if (error) throw new Error('The database could not be brought to the newest form.', { cause: error })
    return (results ?? []).map((result) => result.migrationName)
  })
}
