import { Problem } from '../problems.ts'

/** The work of a process. */
export interface InFlight {
  /** Whether a request that has just come would wait too long. */
  isFull(): boolean
  /**
   * Works on one request more.
   *
   * @throws service_unavailable, where there are too many.
   */
  run<T>(work: () => Promise<T>): Promise<T>
}

const retryAfterSeconds = 1

/**
 * Bounds what a process has to do in two ways. Requests that wait for a database or a file are counted. Those that SQLite
 * answers never wait, and so never add up: but all that have come meanwhile are read in one turn of the event loop, one
 * after the other, and the last of them has waited for as long as the turn is old.
 */
export function createInFlight(most: number, mostWaitMs: number): InFlight {
  let count = 0
  let turnBeganMs: number | undefined
  const endTurn = () => {
    turnBeganMs = undefined
  }
  const isLate = () => {
    const nowMs = performance.now()
    if (turnBeganMs !== undefined) return nowMs - turnBeganMs > mostWaitMs
    turnBeganMs = nowMs
    setImmediate(endTurn)
    return false
  }
  return {
    isFull: () => isLate() || count >= most,
    run: async (work) => {
      if (count >= most) throw tooBusy()
      count += 1
      try {
        return await work()
      } finally {
        count -= 1
      }
    },
  }
}

/** A process that has as much to do as it can do in good time. */
export function tooBusy(): Problem {
  return new Problem('service_unavailable', { headers: { 'Retry-After': String(retryAfterSeconds) } })
}
