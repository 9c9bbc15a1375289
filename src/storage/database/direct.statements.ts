import { CompiledQuery } from 'kysely'
import type { StorageOptions } from './storage.ts'
import type { Db } from './tables.ts'

// SQLite answers at once. The query builder waits several times for each statement, which takes longer than many
// statements themselves. Statements that are already compiled therefore go to the driver directly. On PostgreSQL they
// need not wait for the statements before them, because the server runs them in order.

/** Runs a statement and returns its rows. */
type RunNow = (text: string, parameters: readonly unknown[]) => readonly unknown[] | Promise<readonly unknown[]>

/** What is used of a handle of the driver. */
interface StatementSource {
  prepare(text: string): {
    readonly reader: boolean
    all(parameters: readonly unknown[]): unknown
    run(parameters: readonly unknown[]): unknown
  }
}

const runs = new WeakMap<Db, RunNow>()

/** Returns a function that runs statements on a handle, and reports them to the callbacks that are set. */
export function directRun(
  source: StatementSource,
  { onQuery, onQueryEnd }: Pick<StorageOptions, 'onQuery' | 'onQueryEnd'>,
): RunNow {
  const run: RunNow = (text, parameters) => {
    const statement = source.prepare(text)
    if (statement.reader) return statement.all(parameters) as readonly unknown[]
    statement.run(parameters)
    return []
  }
  if (!onQuery && !onQueryEnd) return run
  return (text, parameters) => {
    const beganAtMs = performance.now()
    try {
      return run(text, parameters)
    } finally {
      onQuery?.(text, parameters)
      onQueryEnd?.(text, performance.now() - beganAtMs)
    }
  }
}

/** Returns a function that runs statements on the connection of a transaction. */
export async function connectionRun(tx: Db): Promise<RunNow> {
  const connection = await tx.getExecutor().provideConnection(async (own) => own)
  return async (text, parameters) => (await connection.executeQuery(CompiledQuery.raw(text, [...parameters]))).rows
}

/** Lets compiled statements on this handle go to the driver directly. */
export function runDirectly(db: Db, run: RunNow): void {
  runs.set(db, run)
}

/** Does so for a transaction as long as `work` runs. The query builder refuses statements after its end. */
export async function withDirectRun<D extends Db, T>(tx: D, run: RunNow, work: (tx: D) => Promise<T>): Promise<T> {
  runs.set(tx, run)
  try {
    return await work(tx)
  } finally {
    runs.delete(tx)
  }
}

/** Runs a compiled statement and returns its rows. */
export async function runCompiled<Row>(db: Db, query: CompiledQuery<Row>): Promise<readonly Row[]> {
  const run = runs.get(db)
  if (run) return (await run(query.sql, query.parameters)) as readonly Row[]
  return (await db.executeQuery<Row>(query)).rows
}
