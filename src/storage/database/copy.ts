import { createHash } from 'node:crypto'
import { leaveUnrecorded } from './audit.ts'
import { continueAfter, lastGivenId } from './copy.sequences.ts'
import { batchesOf, copyTable, countRows, numberedTables, type Row, type TableName, tableNames } from './copy.tables.ts'
import { raiseRevisionToUsers } from './revision.ts'
import type { Snapshot } from './snapshot.ts'
import type { Storage } from './storage.ts'
import type { Db } from './tables.ts'

/** What a table holds: two of them with the same number of rows and the same digest are the same. */
export interface TableDigest {
  readonly rows: number
  /** SHA-256 of all columns of all rows in the order of their key, hex. */
  readonly digest: string
}

export type Digests = Readonly<Record<TableName, TableDigest>>

/** Is told how many of all rows have been copied and compared. */
export type OnCopyProgress = (done: number, total: number) => void

/** A database cannot be copied, for a reason that an operator can mend or must know. */
export class CopyError extends Error {}

/**
 * Copies all that the snapshot shows into an empty database in its newest form. Ids are kept, and none that the source
 * has ever given is given again. It is one transaction of the target: what was written is read again and compared
 * before it is committed, so that the target has all of it or nothing.
 *
 * @returns what both databases hold.
 * @throws CopyError where the target is not empty, or is not the same afterwards.
 */
export async function copyDatabase(
  source: Snapshot,
  target: Storage,
  onProgress: OnCopyProgress = () => {},
): Promise<Digests> {
  return target.write(async (tx) => {
    await refuseRows(tx)
    const tell = await progressOf(source.db, onProgress)
    for (const table of tableNames) await copyTable(source.db, tx, table, tell)
    const digests: [TableName, TableDigest][] = []
    for (const table of tableNames) {
      const expected = await digestOf(source.db, table)
      await assertSame(tx, table, expected, tell)
      digests.push([table, expected])
    }
    for (const table of numberedTables) {
      await continueAfter(tx, target.dialect, table, await lastGivenId(source.db, source.dialect, table))
    }
    await raiseRevisionToUsers(tx)
    await leaveUnrecorded(tx)
    return Object.fromEntries(digests) as Digests
  })
}

/** The digest of a table, computed the same way whatever the engine. */
async function digestOf(db: Db, table: TableName, onRows: (count: number) => void = () => {}) {
  const hash = createHash('sha256')
  let rows = 0
  for await (const batch of batchesOf(db, table)) {
    for (const row of batch) hash.update(`${canonical(row)}\n`)
    rows += batch.length
    onRows(batch.length)
  }
  return { rows, digest: hash.digest('hex') } satisfies TableDigest
}

/**
 * The row as JSON, the same on all engines. Columns stand by name: one that was added later stands last on one side and
 * may stand elsewhere on the other.
 */
export function canonical(row: Row): string {
  return JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
}

/** @throws CopyError where there is content, which says in which tables. */
export async function refuseRows(db: Db): Promise<void> {
  const filled: string[] = []
  for (const table of tableNames) {
    const count = await countRows(db, table)
    if (count > 0) filled.push(`${table} (${count})`)
  }
  if (filled.length > 0) throw new CopyError(`The target is not empty. It has rows in ${filled.join(', ')}.`)
}

/** Counts every row twice: as it is copied, and as it is compared. */
async function progressOf(source: Db, onProgress: OnCopyProgress): Promise<(count: number) => void> {
  let total = 0
  for (const table of tableNames) total += 2 * (await countRows(source, table))
  let done = 0
  return (count) => {
    done += count
    onProgress(done, total)
  }
}

/** @throws CopyError where the table does not hold what it should. */
export async function assertSame(
  db: Db,
  table: TableName,
  expected: TableDigest,
  onRows?: (count: number) => void,
): Promise<void> {
  const found = await digestOf(db, table, onRows)
  if (expected.rows === found.rows && expected.digest === found.digest) return
  throw new CopyError(
    `The copy of ${table} differs from its source: ${found.rows} rows with digest ${found.digest}, ` +
      `not ${expected.rows} with ${expected.digest}.`,
  )
}
