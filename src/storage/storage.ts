import type { Dialect } from './dialect.ts'
import type { Db, Tx } from './tables.ts'

/** An open database. */
export interface Storage {
  readonly dialect: Dialect
  /** For reading outside of a write: sees what is committed. */
  readonly db: Db
  /**
   * Runs `work` in a transaction of its own. What it returns is durable when the promise is fulfilled; when `work`
   * throws, nothing of it is kept. Inside, only `tx` may be used.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}
