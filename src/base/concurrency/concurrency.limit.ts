import { createFairQueue } from './fair.queue.ts'

/** The number of tasks that run at the same time, and of those that may wait. */
export interface ConcurrencyLimitOptions {
  readonly maxConcurrent: number
  /** Infinity only if another limit bounds the number of tasks. */
  readonly maxWaiting: number
  /** Returns the error to throw if too many tasks wait. */
  readonly onFull: () => Error
}

interface RunOptions {
  /**
   * Ends the wait with the reason of the signal. A task that has started continues. For a time limit, use
   * `AbortSignal.timeout`.
   */
  readonly signal?: AbortSignal | undefined
  /** Who wants it. Without it, the task is that of everybody. */
  readonly client?: string | undefined
}

/**
 * Runs a limited number of tasks at the same time. The others wait in order of arrival. Where tasks have clients, these
 * take turns: one client has at most half of all slots and places to wait, and leaves one slot to others.
 */
export interface ConcurrencyLimit {
  /**
   * Runs the task when a slot is free.
   *
   * @throws what `onFull` returns, if too many tasks wait; the reason of the signal; any error of the task
   */
  run<T>(work: () => Promise<T>, options?: RunOptions): Promise<T>
  /**
   * Gives back the slot of a running task while it waits for something outside, and takes one again afterwards.
   *
   * @throws what `onFull` returns, if no slot is free then
   */
  aside<T>(wait: () => Promise<T>): Promise<T>
  /** Takes a slot and returns the function that releases it; undefined if no slot is free. */
  tryAcquire(client?: string): (() => void) | undefined
  running(): number
  waiting(): number
  /** Whether `run` would refuse a task now. */
  isFull(): boolean
}

/** The client of tasks that name none. */
const everybody = ''

export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { maxConcurrent, maxWaiting, onFull } = options
  const maxRunning = Math.max(1, maxConcurrent - 1)
  const maxOfOne = Math.max(1, Math.floor((maxConcurrent + maxWaiting) / 2))
  const waiting = createFairQueue<() => void>()
  const runningOf = new Map<string, number>()
  let running = 0
  const countRunning = (client: string, change: 1 | -1) => {
    running += change
    if (client === everybody) return
    const count = (runningOf.get(client) ?? 0) + change
    if (count === 0) runningOf.delete(client)
    else runningOf.set(client, count)
  }
  const mayRun = (client: string) => client === everybody || (runningOf.get(client) ?? 0) < maxRunning
  const isFull = (client = everybody) => {
    if (running >= maxConcurrent && waiting.size() >= maxWaiting) return true
    return client !== everybody && (runningOf.get(client) ?? 0) + waiting.countOf(client) >= maxOfOne
  }
  const hasSlot = (client: string) => running < maxConcurrent && mayRun(client)
  /** Hands the slot to the next waiting task, so that no other task takes it. */
  const release = (client: string) => {
    countRunning(client, -1)
    waiting.take(mayRun)?.()
  }
  const acquire = async (client: string, signal: AbortSignal | undefined) => {
    signal?.throwIfAborted()
    if (isFull(client)) throw onFull()
    if (hasSlot(client)) return countRunning(client, 1)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const begin = () => {
      countRunning(client, 1)
      resolve()
    }
    const stopWaiting = () => {
      waiting.remove(client, begin)
      reject(signal?.reason)
    }
    waiting.add(client, begin)
    signal?.addEventListener('abort', stopWaiting, { once: true })
    await promise.finally(() => signal?.removeEventListener('abort', stopWaiting))
  }
  return {
    run: async (work, { signal, client = everybody } = {}) => {
      await acquire(client, signal)
      try {
        return await work()
      } finally {
        release(client)
      }
    },
    aside: async (wait) => {
      release(everybody)
      try {
        const result = await wait()
        if (running >= maxConcurrent) throw onFull()
        return result
      } finally {
        // The task gives it back when it ends.
        countRunning(everybody, 1)
      }
    },
    tryAcquire: (client = everybody) => {
      if (isFull(client) || !hasSlot(client)) return undefined
      countRunning(client, 1)
      let isHeld = true
      return () => {
        if (isHeld) release(client)
        isHeld = false
      }
    },
    running: () => running,
    waiting: waiting.size,
    isFull: () => isFull(),
  }
}
