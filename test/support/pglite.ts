import { PGlite } from '@electric-sql/pglite'
import { Kysely, type LogEvent, PGliteDialect } from 'kysely'
import { derivationsFor } from '../../src/calendar/derivations.ts'
import { auditedTables } from '../../src/operate/audit/audited.fields.ts'
import { prepareAll } from '../../src/storage/database/derivation.ts'
import { postgres } from '../../src/storage/database/dialect.ts'
import { migrate } from '../../src/storage/database/migrate.ts'
import { postgresStorage } from '../../src/storage/database/postgres/postgres.ts'
import type { Storage, StorageOptions } from '../../src/storage/database/storage.ts'
import type { Tables } from '../../src/storage/database/tables.ts'

/** The files of a database with the current schema. Copying them takes a fifth of the time of creating a new one. */
let template: Promise<File | Blob> | undefined

/**
 * Opens an empty database with the current schema in this process: PostgreSQL for machines without a server. It has one
 * connection.
 */
export async function openPglite({ onQuery, now, ...options }: Partial<StorageOptions> = {}): Promise<Storage> {
  template ??= makeTemplate()
  const db = handleOf(new PGlite({ loadDataDir: await template }), onQuery)
  const { audited = auditedTables, derivations = derivationsFor() } = options
  await db.transaction().execute((tx) => prepareAll(derivations, tx, postgres))
  return postgresStorage(db, db, { ...options, audited, derivations, ...(now ? { now } : {}) })
}

async function makeTemplate(): Promise<File | Blob> {
  const pglite = new PGlite()
  const db = handleOf(pglite)
  await migrate(db, postgres, 'PGlite')
  const files = await pglite.dumpDataDir('none')
  await db.destroy()
  return files
}

function handleOf(pglite: PGlite, onQuery?: StorageOptions['onQuery']): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new PGliteDialect({ pglite }),
    ...(onQuery ? { log: (event: LogEvent) => onQuery(event.query.sql, event.query.parameters) } : {}),
  })
}
