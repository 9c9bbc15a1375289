import { randomUUID } from 'node:crypto'
import type { Deps } from '../../access/deps.ts'
import { type Periodic, startPeriodic } from '../../base/concurrency/periodic.ts'
import { acquireLease, isLeasedByOther, type Lease, releaseLease } from '../../storage/database/lease.repository.ts'

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

/** The maximum time for which a process that ends in the middle of a job blocks it for the others. */
export const leaseSeconds = 10
/** Prevents processes that start together from checking at the same moment. */
const jitter = 0.1

/** The process that runs a job, and the signal to stop. */
export interface JobRun {
  readonly holder: string
  readonly signal?: AbortSignal | undefined
}

/** `leased`: it has work, but another process runs it, or has ended while it ran it. */
export type JobResult = 'done' | 'not due' | 'leased'

/**
 * Runs a job if it has work and no other process runs it. The lease is acquired only in this case, so that an idle
 * service writes nothing. It is released at the end.
 *
 * @returns What became of the job.
 */
export async function runJob(deps: Deps, job: Job, { holder, signal }: JobRun): Promise<JobResult> {
  const lease = { name: job.name, holder }
  if (!(await job.isDue(deps))) return 'not due'
  if (await isLeasedByOther(deps.storage.db, lease, deps.now())) return 'leased'
  const hold = leaseHolder(deps, lease)
  if (!(await hold())) return 'leased'
  try {
    while (!signal?.aborted && (await job.runBatch(deps))) if (!(await hold())) return 'leased'
    return 'done'
  } finally {
    await deps.storage.writeWithoutRevision((tx) => releaseLease(tx, lease))
  }
}

/** Returns a function that acquires the lease, and later extends it when half of its time has passed. */
function leaseHolder({ storage, now }: Deps, lease: Lease): () => Promise<boolean> {
  let expiresAt = Number.NEGATIVE_INFINITY
  return async () => {
    const at = now()
    if (expiresAt - at > leaseSeconds / 2) return true
    expiresAt = at + leaseSeconds
    return storage.writeWithoutRevision((tx) => acquireLease(tx, lease, { now: at, expiresAt }))
  }
}

/**
 * Runs these jobs now and periodically until they are stopped. A running batch is then completed. If another process
 * holds the lease of a job, this one looks again once that lease may have expired: the holder may have been killed, and an
 * hourly job must not wait for the next hour.
 */
export function startJobs(deps: Deps, jobs: readonly Job[], onError: (error: unknown) => void): Periodic {
  const holder = randomUUID()
  const stopping = new AbortController()
  const running = jobs.map((job) =>
    startPeriodic(
      async () => {
        const result = await runJob(deps, job, { holder, signal: stopping.signal })
        return result === 'leased' ? leaseSeconds * 1000 : undefined
      },
      { intervalMs: job.intervalMs, jitter, isImmediate: true, onError },
    ),
  )
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(running.map((job) => job.stop()))
    },
  }
}
