/** How many pieces of work run at the same time, and how many may wait. */
export interface ConcurrencyLimitOptions {
  readonly maxConcurrent: number
  /** Infinity only where something else bounds how many come. */
  readonly maxWaiting: number
  /** What is thrown where too many wait. */
  readonly onFull: () => Error
}

interface RunOptions {
  /**
   * Ends the wait with the reason of the signal; work that has begun goes on. For a time limit, use
   * `AbortSignal.timeout`.
   */
  readonly signal?: AbortSignal | undefined
}

/** Runs a bounded number of pieces of work at the same time, the others in the order in which they came. */
export interface ConcurrencyLimit {
  /**
   * Runs the work when it is its turn.
   *
   * @throws what `onFull` gives, where too many wait; the reason of the signal; what the work throws
   */
  run<T>(work: () => Promise<T>, options?: RunOptions): Promise<T>
  /** Takes a slot for as long as the caller needs it, and gives the function that releases it; undefined where none is free. */
  tryAcquire(): (() => void) | undefined
  running(): number
  waiting(): number
  /** Whether `run` would refuse work now. */
  isFull(): boolean
}

export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { maxConcurrent, maxWaiting, onFull } = options
  // A set keeps the order in which it was filled, and forgets in one step who stops waiting.
  const waiting = new Set<() => void>()
  let running = 0
  const isFull = () => running >= maxConcurrent && waiting.size >= maxWaiting
  /** Whoever is done hands the slot over, so that nobody comes in between. */
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
