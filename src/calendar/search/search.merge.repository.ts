import { type RawBuilder, sql } from 'kysely'
import { giveWay } from '../../base/concurrency/turns.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { fanout, lastLevel, mergeRows, type RowBodies, shardsOf } from './search.merging.ts'

/** A row of the index: what some documents have of the tokens of a shard. */
export interface IndexRow extends RowBodies {
  readonly level: number
  readonly shard: number
  readonly first: number
}

/** Returns the statement that stores rows. */
export function rowsStatement(rows: readonly IndexRow[]): RawBuilder<unknown> {
  const values = rows.map(
    ({ level, shard, first, documents, positions }) =>
      sql`(${level}, ${shard}, ${first}, ${Buffer.from(documents)}, ${Buffer.from(positions)})`,
  )
  return sql`insert into search_rows (level, shard, first_document, documents, positions) values ${sql.join(values)}`
}

/** Eight neighbouring rows that are complete, and wait to be merged. */
export type DueMerge = Pick<IndexRow, 'level' | 'shard' | 'first'>

/** Returns the statement that notes merges, if there are any. They run in this order. */
export function mergesStatement(merges: readonly DueMerge[]): readonly RawBuilder<unknown>[] {
  if (merges.length === 0) return []
  const values = merges.map(({ level, shard, first }) => sql`(${level}, ${shard}, ${first})`)
  return [sql`insert into search_merges (level, shard, first_document) values ${sql.join(values)}`]
}

/**
 * Returns the merges that are due when a row is complete. Merges run in the order of their documents, so all earlier rows
 * of the shard are complete too.
 */
export function mergesAfter({ level, shard, first }: DueMerge, rowSize: number): readonly DueMerge[] {
  const range = rowSize * fanout ** level
  const isLastOfMerge = (first / range) % fanout === fanout - 1
  if (level >= lastLevel || !isLastOfMerge) return []
  return [{ level, shard, first: first - (fanout - 1) * range }]
}

/**
 * Runs some of the merges that wait.
 *
 * @returns the number of merges that have run.
 */
export async function runMerges(
  { tx, dialect }: { readonly tx: Tx; readonly dialect: Dialect },
  rowSize: number,
  most: number,
): Promise<number> {
  for (let count = 0; count < most; count += 1) {
    const rows = await readNextMerge(tx, rowSize)
    await giveWay()
    const [first] = rows
    if (!first) return count
    await dialect.runTogether(tx, mergeStatements(rows, first, rowSize))
  }
  return most
}

type MergedRow = IndexRow & { readonly id: number }

async function readNextMerge(tx: Tx, rowSize: number): Promise<readonly MergedRow[]> {
  const range = sql.join(
    Array.from(
      { length: lastLevel },
      (_, level) => sql`when ${sql.lit(level)} then ${sql.lit(rowSize * fanout ** (level + 1))}`,
    ),
    sql` `,
  )
  const { rows } = await sql<MergedRow>`
    select due.id, stored.level, stored.shard, stored.first_document as first, stored.documents, stored.positions
    from (select * from search_merges order by id limit 1) due join search_rows stored
      on stored.level = due.level and stored.shard = due.shard and stored.first_document >= due.first_document
      and stored.first_document < due.first_document + case due.level ${range} end
    order by stored.first_document`.execute(tx)
  return rows
}

function mergeStatements(rows: readonly MergedRow[], { id, level, shard, first }: MergedRow, rowSize: number) {
  if (rows.length !== fanout) throw new Error(`The search index has ${rows.length} rows instead of ${fanout} to merge.`)
  const merged = mergeRows(rows, rowSize * fanout ** level).map((bodies, part) => ({
    ...bodies,
    level: level + 1,
    shard: shard + part * shardsOf(level),
    first,
  }))
  const firsts = sql.join(rows.map((row) => row.first))
  return [
    sql`delete from search_rows where level = ${level} and shard = ${shard} and first_document in (${firsts})`,
    rowsStatement(merged),
    sql`delete from search_merges where id = ${id}`,
    ...mergesStatement(merged.flatMap((row) => mergesAfter(row, rowSize))),
  ]
}
