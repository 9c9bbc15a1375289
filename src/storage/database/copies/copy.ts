import { createHash } from 'node:crypto'
import { discardPendingAudit } from '../audit/audit.ts'
import { raiseRevisionAboveUsers } from '../revision.ts'
import type { Storage } from '../storage.ts'
import type { Db } from '../tables.ts'
import { advanceSequence, lastGivenId } from './copy.sequences.ts'
import {
  copyTable,
  countRows,
  sequenceTables,
  type TableName,
  type TableRow,
  tableBatches,
  tableNames,
} from './copy.tables.ts'
import type { Snapshot } from './snapshot.ts'

/** Summary of the content of a table. Two tables with equal row count and digest have the same content. */
export interface TableDigest {
  readonly rows: number
  /** SHA-256 of all columns of all rows in the order of their key, hex. */
  readonly digest: string
}

export type Digests = Readonly<Record<TableName, TableDigest>>

/** Receives the number of rows copied and compared so far, and the total. */
export type OnCopyProgress = (done: number, total: number) => void

/** A database cannot be copied, for a reason that an operator can fix or must know. */
export class CopyError extends Error {}

/**
 * Copies all content of the snapshot into an empty database with the newest schema. Keeps the ids, and never reassigns
 * an id that the source has assigned. Runs as one transaction of the target: the written rows are read back and
 * compared before the commit, so the target has all of the content or none.
 *
 * @returns what both databases contain.
 * @throws CopyError if the target is not empty, or differs from the source afterwards.
 */
export async function copyDatabase(
  source: Snapshot,
  target: Storage,
  onProgress: OnCopyProgress = () => {},
): Promise<Digests> {
  return target.write(async (tx) => {
    await assertEmpty(tx)
    const tell = await progressOf(source.db, onProgress)
    for (const table of tableNames) await copyTable({ from: source.db, to: tx }, table, tell)
    const digests: [TableName, TableDigest][] = []
    for (const table of tableNames) {
      const expected = await tableDigest(source.db, table)
      await assertSameDigest(tx, { table, expected }, tell)
      digests.push([table, expected])
    }
    for (const table of sequenceTables) {
      await advanceSequence(tx, target.dialect, { table, id: await lastGivenId(source.db, source.dialect, table) })
    }
    await raiseRevisionAboveUsers(tx)
    await discardPendingAudit(tx)
    return Object.fromEntries(digests) as Digests
  })
}

/** Returns the digest of a table. The computation is the same on every engine. */
async function tableDigest(db: Db, table: TableName, onRows: (count: number) => void = () => {}) {
  const hash = createHash('sha256')
  let rows = 0
  for await (const batch of tableBatches(db, table)) {
    for (const row of batch) hash.update(`${canonicalJson(row)}\n`)
    rows += batch.length
    onRows(batch.length)
  }
  return { rows, digest: hash.digest('hex') } satisfies TableDigest
}

/**
 * Returns the row as JSON, the same on all engines. Columns are sorted by name, because a column that a migration added
 * may have a different position in each database.
 */
export function canonicalJson(row: TableRow): string {
  return JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
}

/** @throws CopyError if the database has content. The message names the tables. */
export async function assertEmpty(db: Db): Promise<void> {
  const filled: string[] = []
  for (const table of tableNames) {
    const count = await countRows(db, table)
    if (count > 0) filled.push(`${table} (${count})`)
  }
  if (filled.length > 0) throw new CopyError(`The target is not empty. It has rows in ${filled.join(', ')}.`)
}

/** Counts every row twice: once when it is copied and once when it is compared. */
async function progressOf(source: Db, onProgress: OnCopyProgress): Promise<(count: number) => void> {
  let total = 0
  for (const table of tableNames) total += 2 * (await countRows(source, table))
  let done = 0
  return (count) => {
    done += count
    onProgress(done, total)
  }
}

/** @throws CopyError if the table differs from what is expected. */
export async function assertSameDigest(
  db: Db,
  { table, expected }: { readonly table: TableName; readonly expected: TableDigest },
  onRows?: (count: number) => void,
): Promise<void> {
  const found = await tableDigest(db, table, onRows)
  if (expected.rows === found.rows && expected.digest === found.digest) return
  throw new CopyError(
    `The copy of ${table} differs from its source: ${found.rows} rows with digest ${found.digest}, ` +
      `not ${expected.rows} with ${expected.digest}.`,
  )
}
