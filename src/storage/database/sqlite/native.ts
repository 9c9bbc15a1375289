import Database from 'better-sqlite3'
import type { NativeCalls } from '../../../base/concurrency/native.calls.ts'

/** What is used of a handle that only reads. */
export type ReadHandle = Pick<Database.Database, 'prepare' | 'close' | 'inTransaction'>

/** Loads the native code of the driver, which it does not load before it opens a database. */
export function loadDriver(): void {
  new Database(':memory:').close()
}

/** Returns a handle whose calls of native code are announced, so that its thread can be ended between two of them. */
export function withNativeCalls(handle: Database.Database, { run }: NativeCalls): ReadHandle {
  const announced = (statement: Database.Statement) => {
    const own = {
      reader: statement.reader,
      all: (...values: unknown[]) => run(() => statement.all(...values)),
      get: (...values: unknown[]) => run(() => statement.get(...values)),
      run: (...values: unknown[]) => run(() => statement.run(...values)),
      *iterate(...values: unknown[]) {
        const rows = run(() => statement.iterate(...values))
        try {
          for (let row = run(() => rows.next()); !row.done; row = run(() => rows.next())) yield row.value
        } finally {
          run(() => rows.return?.())
        }
      },
      pluck: () => {
        statement.pluck()
        return own
      },
    }
    return own
  }
  const prepare = (source: string) => announced(run(() => handle.prepare(source)))
  return {
    prepare: prepare as unknown as ReadHandle['prepare'],
    close: () => handle.close(),
    get inTransaction() {
      return handle.inTransaction
    },
  }
}
