import { existsSync } from 'node:fs'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import type { Config } from '../../../base/config/config.ts'
import { type Dialect, postgres, sqlite } from '../dialect.ts'
import { assertKnown, latestMigration } from '../migrate.ts'
import { StorageError } from '../storage.ts'
import type { Db, Tables } from '../tables.ts'
import { interruptedRestore, isRestoring } from './restoring.ts'

/** A database as it was at one moment. Later writes do not affect it. */
export interface Snapshot {
  readonly dialect: Dialect
  readonly db: Db
}

/**
 * Opens the database of this configuration for reading only, runs `work` and closes the database.
 *
 * @throws StorageError if the schema is older than the newest, because a migration would be a write, or if it is unknown.
 */
export async function withSnapshot<T>(config: Config, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const { db, dialect } = await openReadOnly(config)
  try {
    const form = await latestMigrationOf(db)
    if (form !== latestMigration) {
      if (form !== undefined) await assertKnown(db, config.databaseFile)
      throw new StorageError(
        `The database ${config.databaseFile} is not up to date: the migration ${latestMigration} is missing. Run “migrate” first.`,
      )
    }
    if (await isRestoring(db)) throw new StorageError(`${config.databaseFile}: ${interruptedRestore}`)
    return await inSnapshot(db, dialect, work)
  } finally {
    await db.destroy()
  }
}

/** Runs `work` in one read-only transaction. */
export async function inSnapshot<T>(
  db: Kysely<Tables>,
  dialect: Dialect,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  // A transaction of SQLite always sees one moment. One of PostgreSQL must request it.
  const transaction =
    dialect.name === 'sqlite'
      ? db.transaction()
      : db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return transaction.execute((tx) => work({ dialect, db: tx }))
}

async function openReadOnly({ database, databaseWaitSeconds, databasePrepare: prepare }: Config) {
  if (database.engine === 'sqlite') {
    const { file } = database
    if (!existsSync(file)) throw new StorageError(`The database ${file} cannot be used: the file does not exist.`)
    const { default: Database } = await import('better-sqlite3')
    const handle = new Database(file, { readonly: true, fileMustExist: true })
    return { dialect: sqlite, db: new Kysely<Tables>({ dialect: new SqliteDialect({ database: handle }) }) }
  }
  const [{ openPool }, { describeServer }, { waitForServer }] = await Promise.all([
    import('../postgres/pool.ts'),
    import('../postgres/server.ts'),
    import('../postgres/start.ts'),
  ])
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const server = describeServer({ ...database, prepare, say })
  await waitForServer(server, { waitMs: databaseWaitSeconds * 1000, say })
  // The target writes between two batches, which may take any time. Therefore there is no timeout.
  const pool = openPool({ server, size: 1, statementTimeoutMs: 0, isDurable: true })
  return { dialect: postgres, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) }
}

/** Returns the name of the last migration that has run. Undefined if the database does not belong to this program. */
async function latestMigrationOf(db: Db): Promise<string | undefined> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return undefined
  const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db)
  return rows[0]?.name
}
