import { randomUUID } from 'node:crypto'
import type { Deps } from '../../access/deps.ts'
import { type Periodic, startPeriodic } from '../../base/concurrency/periodic.ts'
import { acquireLease, isLeasedByOther, type Lease, releaseLease } from '../../storage/database/lease.repository.ts'
import type { Job } from './job.ts'

/** A process that ends in the middle of a job keeps the others from it for at most this long. */
export const leaseSeconds = 10
/** Processes that start together do not look at the same moment. */
const jitter = 0.1

/** Which process runs a job, and when it is to stop. */
export interface JobRun {
  readonly holder: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs a job if there is something to do and no other process does it. The lease is taken only then, so that a service at
 * rest writes nothing, and it is given up at the end.
 *
 * @returns Whether this process has done something.
 */
export async function runJob(deps: Deps, job: Job, { holder, signal }: JobRun): Promise<boolean> {
  const lease = { name: job.name, holder }
  if (!(await job.isDue(deps))) return false
  if (await isLeasedByOther(deps.storage.db, lease, deps.now())) return false
  const hold = leaseHolder(deps, lease)
  if (!(await hold())) return false
  try {
    while (!signal?.aborted && (await job.runBatch(deps)) && (await hold()));
  } finally {
    await deps.storage.writeAside((tx) => releaseLease(tx, lease))
  }
  return true
}

/** Gives a function that takes the lease, and later extends it where half of its time has passed. */
function leaseHolder({ storage, now }: Deps, lease: Lease): () => Promise<boolean> {
  let expiresAt = Number.NEGATIVE_INFINITY
  return async () => {
    const at = now()
    if (expiresAt - at > leaseSeconds / 2) return true
    expiresAt = at + leaseSeconds
    return storage.writeAside((tx) => acquireLease(tx, lease, { now: at, expiresAt }))
  }
}

/** Runs these jobs now and from then on, until they are stopped: what has begun then is done up to the end of its batch. */
export function startJobs(deps: Deps, jobs: readonly Job[], onError: (error: unknown) => void): Periodic {
  const holder = randomUUID()
  const stopping = new AbortController()
  const running = jobs.map((job) =>
    startPeriodic(async () => void (await runJob(deps, job, { holder, signal: stopping.signal })), {
      ...{ intervalMs: job.intervalMs, jitter, isImmediate: true, onError },
    }),
  )
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(running.map((job) => job.stop()))
    },
  }
}
