export interface PeriodicOptions {
  readonly intervalMs: number
  /**
   * Part of the interval, 0 to 1, by which it is shortened at random each time, so that processes that started together do
   * not all work at the same moment.
   */
  readonly jitter?: number
  /** Runs once right away, and not only after the first interval. */
  readonly isImmediate?: boolean
  /** Is told what a run throws; without it the error is nobody's, and ends the process. */
  readonly onError?: (error: unknown) => void
}

/** Work that runs again and again. */
export interface Periodic {
  /** Runs it no more, and waits for the run that has begun. */
  stop(): Promise<void>
}

/**
 * Runs work in this process every so often until it is stopped. A run never begins while the one before goes on. It keeps no
 * process alive.
 *
 * Work that one process does for all, such as publishing, is a job: see `operate/jobs`.
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
