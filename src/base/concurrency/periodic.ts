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

/**
 * Runs a task in this process at intervals until it is stopped. A run never begins before the previous one has ended.
 * The timer does not keep the process alive.
 *
 * A task that one process does for all, such as publishing, is a job: see `operate/jobs`.
 */
export function startPeriodic(run: () => void | Promise<void>, options: PeriodicOptions): Periodic {
  const { intervalMs, jitter = 0, isImmediate = false, onError } = options
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const runOnce = async () => {
    try {
      await run()
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
  const schedule = () => {
    timer = setTimeout(start, intervalMs * (1 - jitter * Math.random())).unref()
  }
  if (isImmediate) start()
  else schedule()
  return {
    stop: async () => {
      clearTimeout(timer)
      await running
    },
  }
}
