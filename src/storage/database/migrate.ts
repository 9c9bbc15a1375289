import { type Kysely, sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import * as baseline from './migrations/0100-baseline.ts'
import { createTables } from './schema/create.ts'
import { search_texts } from './schema/derived.ts'
import { assertKnownSchema, developmentSchema, recordedMigrations, recordProgramVersion } from './schema.version.ts'
import type { Db, Tables, Tx } from './tables.ts'

/** In order. A released migration is frozen, so a correction needs a new number. */
const migrations = {
  '0100-baseline': baseline,
} as const

type MigrationName = keyof typeof migrations

const names = Object.keys(migrations) as readonly MigrationName[]

/** Name of the last migration. It identifies the newest schema of the database. */
export const latestMigration: string = names.at(-1) ?? ''

/** Returns the migration that produces this schema, or undefined if this program does not know it. */
export function migrationOf(schema: string): string | undefined {
  return schema === developmentSchema ? '0100-baseline' : names.find((name) => name === schema)
}

/** Whether these migrations have run, and no others. */
async function hasExactly(db: Db, expected: readonly string[]): Promise<boolean> {
  // An empty database has no such table.
  return (await recordedMigrations(db).catch(() => [])).join() === expected.join()
}

/** Whether the database has the newest schema that this program knows. Also true for a schema of a newer program. */
export async function isSchemaUpToDate(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from kysely_migration where name = ${latestMigration}`.execute(db)
  return rows.length > 0
}

/** @throws StorageError if this program does not know the schema of the database. */
export async function assertKnown(db: Db, shown: string): Promise<void> {
  await assertKnownSchema(db, names, shown)
}

/**
 * Migrates the database to the newest schema: runs all missing migrations in one transaction, or none. If several
 * processes start at once, the first one migrates and the others wait.
 *
 * @param shown The database name, safe to print.
 * @throws StorageError if this program does not know the schema of the database; Error if a migration fails.
 */
export async function migrate(db: Kysely<Tables>, dialect: Dialect, shown: string): Promise<void> {
  if (await hasExactly(db, names)) return
  await db.transaction().execute(async (tx) => {
    await dialect.lockForWriting(tx)
    await createMigrationTable(tx)
    await assertKnown(tx, shown)
    try {
      await migrateInTransaction(tx, dialect)
    } catch (error) {
      throw new Error('The database could not be updated to the newest schema.', { cause: error })
    }
  })
}

/**
 * Does the same in an open transaction that has its turn, and can stop at an earlier schema.
 *
 * @param last Name of the last migration to run.
 */
export async function migrateInTransaction(tx: Tx, dialect: Dialect, last = latestMigration): Promise<void> {
  await createMigrationTable(tx)
  await recognizeDevelopmentSchema(tx, dialect)
  const recorded = await recordedMigrations(tx)
  for (const name of names.filter((name) => name <= last && !recorded.includes(name))) {
    await migrations[name].up(tx as unknown as Kysely<unknown>, dialect)
    await recordMigration(tx, name)
  }
}

/** Earlier programs have a table of this name too, and look there for schemas that they do not know. */
async function createMigrationTable(tx: Tx): Promise<void> {
  await sql`create table if not exists kysely_migration
    (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(tx)
}

async function recordMigration(tx: Tx, name: MigrationName): Promise<void> {
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(tx)
  await recordProgramVersion(tx, name)
}

/**
 * The last schema of the development of the first release is that of the baseline, except for the parts of `search_texts` on
 * PostgreSQL. A test compares the two.
 */
async function recognizeDevelopmentSchema(tx: Tx, dialect: Dialect): Promise<void> {
  if ((await recordedMigrations(tx)).at(-1) !== developmentSchema) return
  if (dialect.name === 'postgres') {
    for (const statement of [
      'alter table search_texts rename to search_texts_before',
      'alter index search_texts_pkey rename to search_texts_before_pkey',
      ...createTables(dialect, { search_texts }),
      'insert into search_texts select place, text from search_texts_before order by place',
      'drop table search_texts_before',
      ...dialect.indexTrigrams(),
    ])
      await sql.raw(statement).execute(tx)
  }
  await sql`delete from kysely_migration`.execute(tx)
  await sql`drop table if exists kysely_migration_lock`.execute(tx)
  await sql`delete from program_versions`.execute(tx)
  await recordMigration(tx, '0100-baseline')
}
