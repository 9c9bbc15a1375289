import type { Deps } from '../../access/deps.ts'

/** Periodic work that one process does for all that share a database. */
export interface Job {
  /** Of its lease. */
  readonly name: string
  /** How often each process looks whether there is something to do. */
  readonly intervalMs: number
  /** Whether there is something to do. It costs next to nothing: every process asks. */
  isDue(deps: Deps): Promise<boolean>
  /**
   * Does a part of it, in much less time than a lease lasts. It is right even if another process does the same meanwhile:
   * the lease saves work, and the transaction of the batch decides.
   *
   * @returns Whether there is more to do.
   */
  runBatch(deps: Deps): Promise<boolean>
}
