import { sql } from 'kysely'
import { discardPendingAudit } from '../audit/audit.ts'
import { derivedTables } from '../derivation.ts'
import type { Dialect } from '../dialect.ts'
import { latestMigration, migrateInTransaction } from '../migrate.ts'
import { initRevision, raiseRevisionAboveUsers, readRevision } from '../revision.ts'
import type { Storage } from '../storage.ts'
import type { Tx } from '../tables.ts'
import { advanceSequence } from './copy.sequences.ts'
import {
  insertRows,
  isSelfReferring,
  nonContentTables,
  sequenceTables,
  type TableName,
  type TableRow,
  tableNames,
  writeSelfReferences,
} from './copy.tables.ts'
import { assertSameDigest, CopyError, type TableDigest } from './copy.ts'

/** All content of a database, in a schema that this program knows. */
export interface DatabaseContent {
  /** Name of the migration that produced this schema. */
  readonly migration: string
  readonly tables: Readonly<Partial<Record<TableName, TableDigest>>>
  /** The greatest id ever assigned in a table, by the name of the table. */
  readonly lastIds: Readonly<Record<string, number>>
  /** Rows in batches, table by table in the order of `tableNames`. With `only`, just the rows of that table. */
  rows(only?: TableName): AsyncIterable<{ readonly table: TableName; readonly rows: readonly TableRow[] }>
}

interface ReplacementOptions<T> {
  readonly onRows?: (count: number) => void
  /** Changes the content in the same transaction, in the newest schema. */
  readonly complete: (tx: Tx) => Promise<T>
}

/**
 * Replaces everything in the database by this content, in the newest schema, and returns what `complete` returns. Runs as one transaction: recreates the
 * tables in the schema of the content, fills them, reads them back and compares, and then migrates to the newest
 * schema.
 *
 * @throws CopyError if the content does not match its schema, or differs once it is written.
 */
export async function replaceContent<T>(
  storage: Storage,
  content: DatabaseContent,
  { onRows = () => {}, complete }: ReplacementOptions<T>,
): Promise<T> {
  const { dialect } = storage
  return storage.write(async (tx) => {
    const revision = await readRevision(tx)
    await dialect.dropTables(tx, [
      ...derivedTables(storage.derivations),
      ...nonContentTables,
      ...tableNames.toReversed(),
      'kysely_migration',
      'kysely_migration_lock',
    ])
    await migrateInTransaction(tx, dialect, content.migration)
    await insertContent({ tx, dialect }, content, onRows).catch(throwAsCopyError)
    for (const table of sequenceTables) await advanceSequence(tx, dialect, { table, id: content.lastIds[table] ?? 0 })
    if (content.migration !== latestMigration) await migrateInTransaction(tx, dialect)
    const completed = await complete(tx)
    await discardPendingAudit(tx)
    await initRevision(tx, revision)
    await raiseRevisionAboveUsers(tx)
    return completed
  })
}

/** @throws CopyError if the content breaks a rule of the engine. Rethrows any other error. */
function throwAsCopyError(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException
  // For PostgreSQL, the classes 22, data exceptions, and 23, violated constraints.
  if (!/^(SQLITE_(CONSTRAINT|MISMATCH).*|2[23][0-9A-Z]{3})$/.test(String(code))) throw error
  throw new CopyError(`The content breaks a rule of the database: ${message}`, { cause: error })
}

async function insertContent(
  { tx, dialect }: { readonly tx: Tx; readonly dialect: Dialect },
  content: DatabaseContent,
  onRows: (count: number) => void,
): Promise<void> {
  const columns = await columnsOf(tx, dialect)
  for await (const { table, rows } of content.rows()) {
    const given = Object.keys(rows[0] ?? {}).sort()
    if (given.join() !== columns.get(table)?.join()) {
      throw new CopyError(
        `The table ${table} does not have the columns of the schema ${content.migration}: ${given.join(', ')}.`,
      )
    }
    await insertRows(tx, table, rows)
    onRows(rows.length)
  }
  for (const table of tableNames.filter(isSelfReferring)) {
    for await (const { rows } of content.rows(table)) await writeSelfReferences(tx, table, rows)
  }
  for (const table of tableNames.filter((name) => columns.has(name))) {
    const expected = content.tables[table]
    if (!expected) throw new CopyError(`The table ${table} of the schema ${content.migration} is missing.`)
    await assertSameDigest(tx, { table, expected }, onRows)
  }
}

/** Returns the column names of all existing tables, in order. */
async function columnsOf(tx: Tx, { name }: Dialect): Promise<ReadonlyMap<string, readonly string[]>> {
  const current =
    name === 'sqlite' ? undefined : await sql<{ name: string }>`select current_schema() as name`.execute(tx)
  const tables = (await tx.introspection.getTables()).filter(({ schema }) => schema === current?.rows[0]?.name)
  return new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name).sort()]))
}
