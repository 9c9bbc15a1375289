import {
  CompiledQuery,
  type ConnectionProvider,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  Kysely,
  type QueryResult,
  type SqliteDialect,
} from 'kysely'
import type { StorageOptions } from '../storage.ts'
import type { Db, Tables } from '../tables.ts'

// SQLite answers at once. The query builder waits several times for each statement, which takes longer than many
// statements themselves. Compiled statements, and all statements of handles that only read, therefore go to the driver
// directly. On PostgreSQL, compiled statements of a transaction need not wait for the statements before them, because the
// server runs them in order.

/** Runs a statement and returns its rows. */
type RunNow = (text: string, parameters: readonly unknown[]) => readonly unknown[]

/** Does so at once or when its turn comes. */
type Run = (...statement: Parameters<RunNow>) => readonly unknown[] | Promise<readonly unknown[]>

/** What is used of a handle of the driver. */
interface StatementSource {
  prepare(text: string): {
    readonly reader: boolean
    all(parameters: readonly unknown[]): unknown
    run(parameters: readonly unknown[]): unknown
  }
}

const runs = new WeakMap<Db, Run>()

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

export async function connectionRun(tx: Db): Promise<Run> {
  const connection = await tx.getExecutor().provideConnection(async (own) => own)
  return async (text, parameters) => (await connection.executeQuery(CompiledQuery.raw(text, [...parameters]))).rows
}

/** Runs statements without waiting for a connection. */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #run: RunNow

  constructor(dialect: SqliteDialect, connections: ConnectionProvider, run: RunNow) {
    super(dialect.createQueryCompiler(), dialect.createAdapter(), connections)
    this.#run = run
  }

  override async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return { rows: this.#run(sql, parameters) as R[] }
  }
}

/** Opens a handle that only reads, and whose statements go to the driver directly. */
export function directReader(dialect: SqliteDialect, run: RunNow): Kysely<Tables> {
  const driver = dialect.createDriver()
  // Nothing needs it to have ended: the driver of SQLite only notes its handle.
  void driver.init()
  const connections = new DefaultConnectionProvider(driver)
  const executor = new DirectExecutor(dialect, connections, run)
  const reader = new Kysely<Tables>({ config: { dialect }, driver, executor, dialect })
  runs.set(reader, run)
  return reader
}

/**
 * Lets compiled statements of a transaction go to the driver directly, as long as `work` runs. The query builder
 * refuses statements after its end.
 */
export async function withDirectRun<D extends Db, T>(tx: D, run: Run, work: (tx: D) => Promise<T>): Promise<T> {
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
