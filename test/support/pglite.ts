import { PGlite } from '@electric-sql/pglite'
import { Kysely, type LogEvent, PGliteDialect } from 'kysely'
import { postgres } from '../../src/storage/dialect.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { postgresStorage } from '../../src/storage/postgres.ts'
import type { Storage, StorageOptions } from '../../src/storage/storage.ts'
import type { Tables } from '../../src/storage/tables.ts'

/** An empty database in this process, in its newest form: PostgreSQL for machines without one. It has one connection. */
export async function openPglite({ onQuery }: StorageOptions = {}): Promise<Storage> {
  const db = new Kysely<Tables>({
    dialect: new PGliteDialect({ pglite: new PGlite() }),
    ...(onQuery ? { log: (event: LogEvent) => onQuery(event.query.sql) } : {}),
  })
  await migrate(db, postgres)
  return postgresStorage(db, db)
}
