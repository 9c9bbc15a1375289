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
}

/** Runs a limited number of tasks at the same time. The others wait in order of arrival. */
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
  tryAcquire(): (() => void) | undefined
  running(): number
  waiting(): number
  /** Whether `run` would refuse a task now. */
  isFull(): boolean
}

export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { maxConcurrent, maxWaiting, onFull } = options
  // A set keeps insertion order, and removes a waiting task in one step.
  const waiting = new Set<() => void>()
  let running = 0
  const isFull = () => running >= maxConcurrent && waiting.size >= maxWaiting
  /** Hands the slot to the next waiting task, so that no other task takes it. */
  const release = () => {
    const [next] = waiting
    if (!next) {
      running -= 1
      return
    }
    waiting.delete(next)
    next()
  }
  const acquire = async (signal: AbortSignal | undefined) => {
    signal?.throwIfAborted()
    if (running < maxConcurrent) {
      running += 1
      return
    }
    if (isFull()) throw onFull()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const stopWaiting = () => {
      waiting.delete(resolve)
      reject(signal?.reason)
    }
    waiting.add(resolve)
    signal?.addEventListener('abort', stopWaiting, { once: true })
    await promise.finally(() => signal?.removeEventListener('abort', stopWaiting))
  }
  return {
    run: async (work, { signal } = {}) => {
      await acquire(signal)
      try {
        return await work()
      } finally {
        release()
      }
    },
    aside: async (wait) => {
      release()
      try {
        const result = await wait()
        if (running >= maxConcurrent) throw onFull()
        return result
      } finally {
        // The task gives it back when it ends.
        running += 1
      }
    },
    tryAcquire: () => {
      if (running >= maxConcurrent) return undefined
      running += 1
      let isHeld = true
      return () => {
        if (isHeld) release()
        isHeld = false
      }
    },
    running: () => running,
    waiting: () => waiting.size,
    isFull,
  }
}
