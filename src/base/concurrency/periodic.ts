export interface PeriodicOptions {
  readonly intervalMs: number
  /**
   * Fraction of the interval, 0 to 1, by which each interval is shortened at random, so that processes that start
   * together do not all run at the same moment.
   */
  readonly jitter?: number
  /** Runs once immediately, and not only after the first interval. */
  readonly isImmediate?: boolean
  /** Called with an error that a run throws. Without it, the error is uncaught and ends the process. */
  readonly onError?: (error: unknown) => void
}

/** A task that runs periodically. */
export interface Periodic {
  /** Stops further runs, and waits for the current run. */
  stop(): Promise<void>
}

/** Milliseconds until the next run, or nothing: the interval counts. */
// biome-ignore lint/suspicious/noConfusingVoidType: a task that returns nothing is the usual one.
export type PeriodicResult = number | void

/**
 * Runs a task in this process at intervals until it is stopped. A run never begins before the previous one has ended.
 * The timer does not keep the process alive. A run may return the number of milliseconds after which it wants to run again,
 * which counts if the interval ends later.
 *
 * A task that one process does for all, such as publishing, is a job: see `operate/jobs`.
 */
export function startPeriodic(run: () => PeriodicResult | Promise<PeriodicResult>, options: PeriodicOptions): Periodic {
  const { intervalMs, jitter = 0, isImmediate = false, onError } = options
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let dueAt = 0
  let isStopped = false
  const runOnce = async () => {
    try {
      const sooner = await run()
      if (sooner !== undefined && !isStopped && performance.now() + sooner < dueAt) startAfter(sooner)
    } catch (error) {
      if (!onError) throw error
      onError(error)
    }
  }
  const start = () => {
    schedule()
    running ??= runOnce().finally(() => {
      running = undefined
    })
  }
  const startAfter = (ms: number) => {
    clearTimeout(timer)
    dueAt = performance.now() + ms
    timer = setTimeout(start, ms).unref()
  }
  const schedule = () => startAfter(intervalMs * (1 - jitter * Math.random()))
  if (isImmediate) start()
  else schedule()
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
