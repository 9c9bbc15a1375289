import type { Deps } from '../../access/deps.ts'

/** A periodic job that one process runs for all processes that share a database. */
export interface Job {
  readonly name: string
  /** How often each process checks whether the job has work. */
  readonly intervalMs: number
  /** Returns whether the job has work. Must be cheap, since every process calls it. */
  isDue(deps: Deps): Promise<boolean>
  /**
   * Runs one batch, in much less time than a lease lasts. The result is correct even if another process runs the same
   * batch at the same time: the lease only saves work, and the transaction of the batch ensures correctness.
   *
   * @returns Whether there is more to do.
   */
  runBatch(deps: Deps): Promise<boolean>
}
