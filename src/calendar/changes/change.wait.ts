import type { WaitEnd } from '../../access/http/call.ts'
import { type Periodic, startPeriodic } from '../../base/concurrency/periodic.ts'
import type { Db } from '../../storage/database/tables.ts'
import { readChangeLog } from '../changelog/change.log.repository.ts'

/** The most requests of one process that wait. Further ones are answered at once. */
const maxWaiting = 64
/** The most of them that belong to one client. */
const maxOfClient = 16
/** How often a process looks for changes while requests wait. */
const lookEveryMs = 250

interface Waiter {
  /** The last number of the log when the wait began. */
  readonly last: number
  readonly client: string | undefined
  /** Ends the wait; true if there is a change. */
  readonly wake: (isChanged: boolean) => void
}

interface Watch {
  readonly waiters: Set<Waiter>
  looking: Periodic | undefined
}

/** The requests that wait for changes of each open database. They share one look at the log. */
const watches = new WeakMap<Db, Watch>()

/**
 * Waits until the log of changes has another number than `last`, or for the end of the wait. Returns at once if too many requests
 * wait already.
 *
 * @returns whether there is a change.
 */
export async function waitForChange(db: Db, last: number, { untilMs, signal, client }: WaitEnd): Promise<boolean> {
  const watch = watches.get(db) ?? { waiters: new Set(), looking: undefined }
  watches.set(db, watch)
  if (signal.aborted || !hasRoom(watch, client)) return false
  const { promise, resolve: wake } = Promise.withResolvers<boolean>()
  const waiter = { last, client, wake }
  watch.waiters.add(waiter)
  watch.looking ??= startPeriodic(() => look(db, watch), {
    intervalMs: lookEveryMs,
    // The requests ask again and report the error themselves.
    onError: () => wakeAll(watch),
  })
  const stop = () => wake(false)
  signal.addEventListener('abort', stop, { once: true })
  // Also if the database does not answer.
  const end = setTimeout(stop, untilMs - performance.now())
  try {
    return await promise
  } finally {
    clearTimeout(end)
    signal.removeEventListener('abort', stop)
    watch.waiters.delete(waiter)
    if (watch.waiters.size === 0) {
      void watch.looking?.stop()
      watch.looking = undefined
    }
  }
}

function hasRoom({ waiters }: Watch, client: string | undefined): boolean {
  let ofClient = 0
  for (const waiter of waiters) if (waiter.client === client) ofClient += 1
  return waiters.size < maxWaiting && ofClient < maxOfClient
}

async function look(db: Db, { waiters }: Watch): Promise<void> {
  const { last } = await readChangeLog(db)
  for (const waiter of waiters) if (waiter.last !== last) waiter.wake(true)
}

function wakeAll({ waiters }: Watch): void {
  for (const { wake } of waiters) wake(false)
}
