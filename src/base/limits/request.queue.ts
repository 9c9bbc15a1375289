import { createConcurrencyLimit } from '../concurrency/concurrency.limit.ts'
import { Problem } from '../problems.ts'

/** The work of a process: what it works on, and what waits for its turn. */
export interface RequestQueue {
  /** Whether a request more would be one too many. */
  isFull(): boolean
  /** How many wait in line. */
  waiting(): number
  /** Begins with a request when it is its turn: at once, but where much has come together. */
  schedule(begin: () => void): void
  /**
   * Works on one request more.
   *
   * @throws service_unavailable, where there are too many.
   */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** What has begun goes on after so long, before anything else begins. */
const sliceMs = 20
const maxSliceMs = 500
const retryAfterSeconds = 1

/**
 * Bounds what a process has to do. Requests that wait for a database or a file are counted while they do. Those that
 * SQLite answers never wait: all that have come together would be answered in one go, and what takes several goes, as
 * writes do, would wait for all of them each time. So only some are begun in each turn of the event loop, and the others
 * wait in line, and are counted there.
 */
export function createRequestQueue(most: number, now: () => number = () => performance.now()): RequestQueue {
  const waiting: (() => void)[] = []
  const works = createConcurrencyLimit({ maxConcurrent: most, maxWaiting: 0, onFull: overloadedProblem })
  let turnBeganMs: number | undefined
  let turnEndedMs = 0
  let lengthMs = sliceMs

  const isFull = () => works.running() + waiting.length >= most
  const hasTime = () => turnBeganMs !== undefined && now() - turnBeganMs < lengthMs
  const nextTurn = () => {
    if (waiting.length === 0) {
      turnBeganMs = undefined
      return
    }
    setImmediate(nextTurn)
    turnBeganMs = now()
    // Where a commit takes long, as on a busy disk, as much is begun before the next one, or there would be nothing else.
    lengthMs = Math.min(Math.max(sliceMs, turnBeganMs - turnEndedMs), maxSliceMs)
    // At least one, however slow the clock or the machine is.
    do waiting.shift()?.()
    while (waiting.length > 0 && hasTime())
    turnEndedMs = now()
  }
  return {
    isFull,
    waiting: () => waiting.length,
    schedule: (begin) => {
      if (turnBeganMs === undefined) {
        turnBeganMs = now()
        turnEndedMs = turnBeganMs
        lengthMs = sliceMs
        setImmediate(nextTurn)
      } else if (waiting.length > 0 || !hasTime()) {
        waiting.push(begin)
        return
      }
      begin()
      turnEndedMs = now()
    },
    run: works.run,
  }
}

/** A process that has as much to do as it can do in good time. */
export function overloadedProblem(): Problem {
  return new Problem('service_unavailable', { headers: { 'Retry-After': String(retryAfterSeconds) } })
}
