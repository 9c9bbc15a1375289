import { setTimeout as wait } from 'node:timers/promises'
import { coalesceReads } from '../../base/concurrency/coalesced.reads.ts'

/**
 * How long a process may use a revision after it asked for it. Every process counts this time from the moment before it
 * asks, by its own clock (docs/decisions/0047-revision.md).
 */
const leaseMs = 2
/** After this time a revision that is in use is read again, while requests still use the earlier one. */
const renewAfterMs = 1
/**
 * How long a write waits after its commit, before it is acknowledged. By then no process uses a revision from before
 * the commit. It is longer than the lease, because the clock of one machine may run faster than that of another.
 */
const acknowledgeAfterMs = 3

/** The clock of this process, in milliseconds. It never goes back, and continues while the process is stopped. */
type Clock = () => number

const processClock: Clock = () => performance.now()

interface KnownRevision {
  readonly revision: number
  readonly askedAtMs: number
}

/**
 * Returns a function that reads the revision, or returns an earlier one whose lease has not ended. Callers that need a
 * read share it. It never returns a revision from before a write that was acknowledged before the call, if all
 * processes that write call `leasesEnded` before they acknowledge.
 */
export function leaseRevision(read: () => Promise<number>, clock: Clock = processClock): () => Promise<number> {
  let known: KnownRevision | undefined
  let isRenewing = false
  const ask = coalesceReads(async () => {
    const askedAtMs = clock()
    known = { revision: await read(), askedAtMs }
    return known.revision
  })
  const renew = () => {
    if (isRenewing) return
    isRenewing = true
    // A failed read leaves the lease to end. The next caller then asks, and gets the error.
    ask()
      .catch(() => {})
      .finally(() => {
        isRenewing = false
      })
  }
  return async () => {
    const ageMs = known ? clock() - known.askedAtMs : Number.POSITIVE_INFINITY
    if (!known || ageMs >= leaseMs) return ask()
    if (ageMs >= renewAfterMs) renew()
    return known.revision
  }
}

/** Waits until no process uses a revision that it read before this call. */
export async function leasesEnded(clock: Clock = processClock): Promise<void> {
  const endMs = clock() + acknowledgeAfterMs
  // A timer counts from the beginning of the turn of the event loop, so it may end too early.
  for (let leftMs = acknowledgeAfterMs; leftMs > 0; leftMs = endMs - clock()) await wait(Math.ceil(leftMs))
}
