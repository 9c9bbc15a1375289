import { sql } from 'kysely'
import { readConfig } from '../../src/base/config/config.ts'
import { derivationsFor } from '../../src/calendar/derivations.ts'
import { auditedTables } from '../../src/operate/audit/audited.fields.ts'
import { openStorage } from '../../src/storage/database/open.ts'
import { newReads, repeatedReads } from './reads.ts'
import { againstSql } from './sql.ts'
import type { Row } from './table.ts'

/** How long the service waits for the database. A benchmark that waits measures nothing. */
const waitSeconds = '5'

/** Fewer and shorter than on SQLite, so that the whole section takes less than two minutes. */
const newLists = 400
const secondsOfLoad = 2

/** Measures reads on PostgreSQL, on a database with a copy of the calendar. */
export async function onPostgres(folder: string, size: number, url: string): Promise<readonly Row[]> {
  // What takes longer than a service allows is measured as well.
  const environment = { DATABASE_URL: url, DATABASE_WAIT_SECONDS: waitSeconds, QUERY_TIMEOUT_MS: '600000' }
  await makeReady(folder, size, environment)
  const served = { folder, size, engine: ', PostgreSQL', environment }
  return [
    ...(await repeatedReads(served, secondsOfLoad)),
    ...(await newReads(served, newLists)),
    ...(await againstSql(folder, size, { postgres: url, target: 2 })),
  ]
}

/**
 * Migrates the database to the current schema, which may take as long as creating it, and updates the planner's
 * statistics.
 *
 * @throws if it contains another calendar.
 */
export async function makeReady(
  folder: string,
  size: number,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  process.stderr.write('  the database is brought to its newest form …\n')
  const unhurried = { ...environment, DATABASE_STATEMENT_TIMEOUT_MS: '600000' }
  const storage = await openStorage(readConfig({ DATA_DIR: folder, ...unhurried }), {
    audited: auditedTables,
    derivations: derivationsFor(),
  })
  try {
    const { rows } = await sql<{ count: number }>`select count(*) as count from events`.execute(storage.db)
    const count = Number(rows[0]?.count)
    if (count !== size)
      throw new Error(`The database has ${count} events and not ${size}: copy the calendar with “db copy”.`)
    await sql`vacuum analyze`.execute(storage.db)
  } finally {
    await storage.close()
  }
}
