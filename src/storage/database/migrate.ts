import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Dialect } from './dialect.ts'
import * as firstTables from './migrations/0001-first-tables.ts'
import * as imports from './migrations/0002-imports.ts'
import * as revisions from './migrations/0003-revisions.ts'
import * as listings from './migrations/0004-event-listings.ts'
import * as search from './migrations/0005-search.ts'
import * as credentials from './migrations/0007-credentials.ts'
import * as changeCounts from './migrations/0008-change-counts.ts'
import * as protectedListings from './migrations/0010-protected-listings.ts'
import * as audit from './migrations/0011-audit.ts'
import * as hiddenVersions from './migrations/0012-hidden-versions.ts'
import * as postgresSearch from './migrations/0014-postgres-search.ts'
import * as linkedStates from './migrations/0015-linked-states.ts'
import * as movedGroups from './migrations/0016-moved-groups.ts'
import * as madeByWhom from './migrations/0017-made-by-whom.ts'
import * as programVersions from './migrations/0018-program-versions.ts'
import * as altTexts from './migrations/0019-alt-texts.ts'
import * as searchTextsAndSlugs from './migrations/0020-search-texts-and-slugs.ts'
import * as languages from './migrations/0021-languages.ts'
import * as leases from './migrations/0022-leases.ts'
import * as eventSets from './migrations/0023-event-sets.ts'
import * as eventStates from './migrations/0025-event-states.ts'
import * as cancellations from './migrations/0027-cancellations.ts'
import * as offers from './migrations/0028-offers.ts'
import * as termChanges from './migrations/0029-term-changes.ts'
import * as idempotencyKeys from './migrations/0030-idempotency-keys.ts'
import * as changes from './migrations/0031-changes.ts'
import * as sources from './migrations/0032-sources.ts'
import * as keyScopes from './migrations/0033-key-scopes.ts'
import * as accessLinks from './migrations/0035-access-links.ts'
import * as merges from './migrations/0036-merges.ts'
import * as eventTitles from './migrations/0037-event-titles.ts'
import * as series from './migrations/0038-series.ts'
import * as searchBySets from './migrations/0039-search-by-sets.ts'
import * as savedViews from './migrations/0040-saved-views.ts'
import * as mergedTerms from './migrations/0041-merged-terms-and-states.ts'
import * as changesOfSeries from './migrations/0042-changes-of-series.ts'
import * as retiredPaths from './migrations/0043-retired-paths.ts'
import * as lastPlaces from './migrations/0044-last-places.ts'
import * as searchShards from './migrations/0045-search-shards.ts'
import * as kindsAndGroups from './migrations/0046-kinds-and-groups.ts'
import * as shownLinks from './migrations/0047-shown-links.ts'
import * as feedKeys from './migrations/0048-feed-keys.ts'
import * as listPages from './migrations/0049-list-pages.ts'
import * as searchTexts from './migrations/0070-search-texts.ts'
import * as plainSigns from './migrations/0071-plain-signs.ts'
import * as formerSlugs from './migrations/0072-former-slugs.ts'
import * as listedEvents from './migrations/0073-listed-events.ts'
import * as oldIds from './migrations/0074-old-ids.ts'
import * as undos from './migrations/0075-undos.ts'
import { assertKnownSchema, recordProgramVersion } from './schema.version.ts'
import { StorageError } from './storage.ts'
import type { Db, Tables, Tx } from './tables.ts'

/** In order. A shipped migration is frozen, so a correction needs a new number. */
const migrations = {
  '0001-first-tables': firstTables,
  '0002-imports': imports,
  '0003-revisions': revisions,
  '0004-event-listings': listings,
  '0005-search': search,
  '0007-credentials': credentials,
  '0008-change-counts': changeCounts,
  '0010-protected-listings': protectedListings,
  '0011-audit': audit,
  '0012-hidden-versions': hiddenVersions,
  '0014-postgres-search': postgresSearch,
  '0015-linked-states': linkedStates,
  '0016-moved-groups': movedGroups,
  '0017-made-by-whom': madeByWhom,
  '0018-program-versions': programVersions,
  '0019-alt-texts': altTexts,
  '0020-search-texts-and-slugs': searchTextsAndSlugs,
  '0021-languages': languages,
  '0022-leases': leases,
  '0023-event-sets': eventSets,
  '0025-event-states': eventStates,
  '0027-cancellations': cancellations,
  '0028-offers': offers,
  '0029-term-changes': termChanges,
  '0030-idempotency-keys': idempotencyKeys,
  '0031-changes': changes,
  '0032-sources': sources,
  '0033-key-scopes': keyScopes,
  '0035-access-links': accessLinks,
  '0036-merges': merges,
  '0037-event-titles': eventTitles,
  '0038-series': series,
  '0039-search-by-sets': searchBySets,
  '0040-saved-views': savedViews,
  '0041-merged-terms-and-states': mergedTerms,
  '0042-changes-of-series': changesOfSeries,
  '0043-retired-paths': retiredPaths,
  '0044-last-places': lastPlaces,
  '0045-search-shards': searchShards,
  '0046-kinds-and-groups': kindsAndGroups,
  '0047-shown-links': shownLinks,
  '0048-feed-keys': feedKeys,
  '0049-list-pages': listPages,
  '0070-search-texts': searchTexts,
  '0071-plain-signs': plainSigns,
  '0072-former-slugs': formerSlugs,
  '0073-listed-events': listedEvents,
  '0074-old-ids': oldIds,
  '0075-undos': undos,
} as const

const names: readonly string[] = Object.keys(migrations)

/** Name of the last migration. It identifies the newest schema of the database. */
export const latestMigration: string = names.at(-1) ?? ''

/** Whether this program knows the schema that this migration produces. */
export function isMigration(name: string): boolean {
  return names.includes(name)
}

/**
 * Whether these migrations have run, and no others. The library would look up all tables and columns, which takes a server
 * longer than everything else at a start.
 */
async function hasExactly(db: Db, expected: readonly string[]): Promise<boolean> {
  const query = sql<{ name: string }>`select name from kysely_migration order by name`
  // An empty database has no such table.
  const { rows } = await query.execute(db).catch(() => ({ rows: [] }))
  return rows.length === expected.length && rows.every(({ name }, place) => name === expected[place])
}

/** Whether the database has the newest schema that this program knows. Also true for a schema of a newer program. */
export async function isSchemaUpToDate(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from kysely_migration where name = ${latestMigration}`.execute(db)
  return rows.length > 0
}

/** @throws StorageError if a newer program has migrated the database. */
export async function assertNotNewer(db: Db, shown: string): Promise<void> {
  await assertKnownSchema(db, names, shown)
}

/**
 * Migrates the database to the newest schema: runs all missing migrations in one transaction, or none. If several
 * processes start at once, the first one migrates and the others wait.
 *
 * @param shown The database name, safe to print.
 * @returns the names of the migrations that were run.
 * @throws StorageError if the database is newer than this program; the error of a migration that fails.
 */
export async function migrate(db: Kysely<Tables>, dialect: Dialect, shown: string): Promise<readonly string[]> {
  if (await hasExactly(db, names)) return []
  return db.transaction().execute(async (tx) => {
    await dialect.lockForWriting(tx)
    try {
      return await migrateInTransaction(tx, dialect)
    } catch (error) {
      await assertNotNewer(tx, shown).catch((refusal: unknown) => {
        // After a failed statement, the transaction accepts no further query.
        throw refusal instanceof StorageError ? refusal : error
      })
      throw error
    }
  })
}

/**
 * Does the same in an open transaction that has its turn, and can stop at an earlier schema.
 *
 * @param last Name of the last migration to run.
 */
export async function migrateInTransaction(
  tx: Tx,
  dialect: Dialect,
  last = latestMigration,
): Promise<readonly string[]> {
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
  const { error, results } = await migrator.migrateTo(last)
  if (error) throw new Error('The database could not be updated to the newest schema.', { cause: error })
  const run = (results ?? []).map((result) => result.migrationName)
  const form = run.at(-1)
  if (form !== undefined) await recordProgramVersion(tx, form)
  return run
}
