import type { AuditedTables } from './audited.tables.ts'
import type { Derivation } from './derivation.ts'
import type { Dialect } from './dialect.ts'
import type { Origin } from './origin.ts'
import type { Db, Tx } from './tables.ts'

/** An open database. */
export interface Storage {
  readonly dialect: Dialect
  /** What every commit keeps up to date. */
  readonly derivations: readonly Derivation[]
  /** For reading outside of a write: sees what is committed. */
  readonly db: Db
  /**
   * Runs `work` in a transaction of its own, while no other one writes. What it returns is durable when the promise is
   * fulfilled; when `work` throws, nothing of it is kept. Inside, only `tx` may be used. `work` may be run again from
   * its start, so it changes nothing but the database. What it did is recorded with it, as of this storage's origin.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The same for what no answer to visitors is made of, such as when a key was last used: the revision stays what it
   * is, so that answers which are kept stay true.
   */
  writeAside<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same storage for writes of another origin; by default they are the service's own. */
  writtenBy(origin: Origin): Storage
  /**
   * The storage as one request uses it: what it writes is known to be the client's, and one that only reads may be
   * answered by a replica that has all that the client wrote.
   */
  forRequest(request: StorageRequest): Storage
  /**
   * A number that no later state of what `db` shows has as well: another one after every commit, of whatever process, but
   * those of `writeAside`. It is read after it was asked for, once for all who ask at the same time.
   */
  revision(): Promise<number>
  /** How many writes wait for their turn, or for the commit that they share. */
  waitingWrites(): number
  /**
   * Whether the database has the form that this program needs, or a newer one. What serves requests may all be busy:
   * this waits for none of it.
   *
   * @throws where the database does not answer.
   */
  isInForm(): Promise<boolean>
  /** How far each replica is behind, in milliseconds; undefined where it is away, or too far behind to be read from. */
  replicaLagsMs(): Promise<readonly (number | undefined)[]>
  close(): Promise<void>
}

export interface StorageRequest {
  readonly origin: Origin
  /** Number of the last write that the user asked for. */
  readonly lastRevision: number
  readonly isReading: boolean
  /** Begins each write of the request, within it: what it throws is thrown by the write, of which nothing is kept. */
  readonly beforeWrite?: (tx: Tx) => Promise<void>
}

export interface StorageOptions {
  /** What is kept up to date with every commit. All programs that write to a database must name the same. */
  readonly derivations: readonly Derivation[]
  /** Bytes that may be kept of what was read, in about; by default nothing is kept. */
  readonly keptBytes?: number
  /** False only for data that need not survive: commits then do not wait for the disk. */
  readonly isDurable?: boolean
  /** Is told the text and the parameters of every statement. */
  readonly onQuery?: (sql: string, parameters: readonly unknown[]) => void
  /** Is told the text of every statement once it has ended, and how long it took. */
  readonly onQueryEnd?: ((sql: string, ms: number) => void) | undefined
  /** Whole seconds since 1970, UTC: when a write was made. */
  readonly now?: () => number
  /** What the audit log shows of each table; by default only that something was changed. */
  readonly audited?: AuditedTables
  /** True for whoever ends a restore that was broken off: nobody else may open what it left. */
  readonly isRestoring?: boolean
  /** Is told what an operator should know while a server is waited for; by default standard error is. */
  readonly say?: (line: string) => void
}

/** The database cannot be opened, for a reason that an operator can mend. */
export class StorageError extends Error {}
