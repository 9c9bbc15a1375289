import { type Periodic, startPeriodic } from '../../base/concurrency/periodic.ts'
import type { Db } from '../../storage/database/tables.ts'
import { readChangeLog } from '../changelog/change.log.repository.ts'

/** The most requests of one process that wait. Further ones are answered at once. */
const mostWaiting = 64
/** How often a process looks for changes while requests wait. */
const lookEveryMs = 250

interface Waiter {
  /** The last number of the log when the wait began. */
  readonly last: number
  readonly untilMs: number
  /** Ends the wait; true if there is a change. */
  readonly wake: (isChanged: boolean) => void
}

interface Watch {
  readonly waiters: Set<Waiter>
  looking: Periodic | undefined
}

/** The requests that wait for changes of each open database: one timer serves all of them. */
const watches = new WeakMap<Db, Watch>()

/**
 * Waits until the log of changes has another number than `last`, until the time is over, or until the signal ends the
 * wait. Returns at once if too many requests wait already.
 *
 * @returns whether there is a change.
 */
export async function waitForChange(
  db: Db,
  { last, untilMs }: Omit<Waiter, 'wake'>,
  signal: AbortSignal,
): Promise<boolean> {
  const watch = watches.get(db) ?? { waiters: new Set(), looking: undefined }
  watches.set(db, watch)
  if (signal.aborted || watch.waiters.size >= mostWaiting) return false
  const { promise, resolve: wake } = Promise.withResolvers<boolean>()
  const waiter = { last, untilMs, wake }
  watch.waiters.add(waiter)
  watch.looking ??= startPeriodic(() => look(db, watch), {
    intervalMs: lookEveryMs,
    // The requests ask again and report the error themselves.
    onError: () => wakeAll(watch),
  })
  const stop = () => wake(false)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', stop)
    watch.waiters.delete(waiter)
    if (watch.waiters.size === 0) {
      void watch.looking?.stop()
      watch.looking = undefined
    }
  }
}

async function look(db: Db, { waiters }: Watch): Promise<void> {
  const { last } = await readChangeLog(db)
  const nowMs = performance.now()
  for (const waiter of waiters) {
    if (waiter.last !== last || nowMs >= waiter.untilMs) waiter.wake(waiter.last !== last)
  }
}

function wakeAll({ waiters }: Watch): void {
  for (const { wake } of waiters) wake(false)
}
