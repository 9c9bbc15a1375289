import type { AuditedTables } from './audit/audited.tables.ts'
import type { Derivation } from './derivation.ts'
import type { Dialect } from './dialect.ts'
import type { Origin } from './origin.ts'
import type { Db, Tx } from './tables.ts'

export interface Storage {
  readonly dialect: Dialect
  /** The data that every commit keeps up to date. */
  readonly derivations: readonly Derivation[]
  /** Handle for reads outside of a write. Sees committed data. */
  readonly db: Db
  /**
   * Runs `work` in a transaction of its own, while no other transaction writes. Clients take turns. Its result is durable when the promise
   * is fulfilled, and every process then reads it. If `work` throws, all its changes are rolled back. Inside, only `tx` may be used. `work` may be run
   * again from its start, so it must change nothing but the database. Its changes are recorded in the same transaction,
   * with the origin of this storage.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Does the same for changes that do not affect responses to visitors, such as the last use of a key. The revision
   * stays the same, so cached responses stay valid.
   */
  writeWithoutRevision<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Returns the same storage for writes of another origin. The default origin is the service itself. */
  withOrigin(origin: Origin): Storage
  /**
   * Returns the storage for one request. Its writes are attributed to the client. If the request only reads, a replica
   * that has all writes of the client may serve it.
   */
  forRequest(request: StorageRequest): Storage
  /**
   * Returns a number that identifies the state that `db` shows. No later state has the same number: it differs after
   * every commit of any process, except those of `writeWithoutRevision`. It includes every write that was acknowledged
   * before the call. On a server, concurrent callers share one read.
   */
  revision(): Promise<number>
  /** Number of writes that wait for their turn, or for the commit that they share. */
  waitingWrites(): number
  /**
   * Whether the database has the schema that this program needs, or a newer one. This does not wait for the connections
   * that serve requests, which may all be busy.
   *
   * @throws if the database does not answer.
   */
  isSchemaCurrent(): Promise<boolean>
  /** The lag of each replica, in milliseconds. Undefined if it is away, or too far behind to be read from. */
  replicaLagsMs(): Promise<readonly (number | undefined)[]>
  close(): Promise<void>
}

export interface StorageRequest {
  readonly origin: Origin
  /** Number of the last write that the user requested. */
  readonly lastRevision: number
  readonly isReading: boolean
  /** Whether its writes pass those of others that wait, as they take a right away. */
  readonly isUrgent?: boolean | undefined
  /**
   * Runs at the start of each write of the request, within its transaction. If it throws, the write fails with that
   * error and is rolled back.
   */
  readonly beforeWrite?: (tx: Tx) => Promise<void>
}

export interface StorageOptions {
  /** Data that every commit keeps up to date. All programs that write to a database must name the same derivations. */
  readonly derivations: readonly Derivation[]
  /** What the audit log shows of each table. Without it, an entry would only show that something was changed. */
  readonly audited: AuditedTables
  /** Approximate number of bytes of read data that may be cached. By default nothing is cached. */
  readonly readCacheBytes?: number
  /** False only for data that need not survive: commits then do not wait for the disk. */
  readonly isDurable?: boolean
  /** Receives the text and the parameters of every statement. */
  readonly onQuery?: (sql: string, parameters: readonly unknown[]) => void
  /** Receives the text and the duration of every statement when it has ended. */
  readonly onQueryEnd?: ((sql: string, ms: number) => void) | undefined
  /** Returns the time of a write, in whole seconds since 1970, UTC. */
  readonly now?: () => number
  /**
   * How many writes of requests of one client may wait for their turn, as many urgent ones, and how many reads for a
   * server that is away. More get service_unavailable.
   */
  readonly maxWaiting?: number | undefined
  /** True only for the caller that completes an interrupted restore. No other caller may open such a database. */
  readonly isRestoring?: boolean
  /** Receives messages for the operator while the service waits for a server. By default they go to standard error. */
  readonly say?: (line: string) => void
}

/** The database cannot be opened, for a reason that an operator can fix. */
export class StorageError extends Error {}
