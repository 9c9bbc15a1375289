import { createConcurrencyLimit } from '../concurrency/concurrency.limit.ts'
import { Problem } from '../problems.ts'

/** The requests of a process: those in progress and those that wait. */
export interface RequestQueue {
  /** Whether one more request would exceed the maximum. */
  isFull(): boolean
  /** How many requests wait. */
  waiting(): number
  /** Starts a request: at once if possible, or when earlier ones of its line have started. */
  schedule(begin: () => void, line?: RequestLine): void
  /**
   * Runs one more request.
   *
   * @throws service_unavailable, if there are too many.
   */
  run<T>(work: () => Promise<T>): Promise<T>
  /**
   * Waits for the body of a request within `run`. It does not count meanwhile: clients that send slowly must not keep
   * others out.
   *
   * @throws service_unavailable, if there are too many others then.
   */
  aside<T>(wait: () => Promise<T>): Promise<T>
}

/** Lines take turns, so that a read does not wait for all writes that arrived before it. */
type RequestLine = 'read' | 'write'

/** After this time, the requests in progress continue before others start. */
const sliceMs = 5
const maxSliceMs = 500
const otherLine = { read: 'write', write: 'read' } as const
const retryAfterSeconds = 1

/**
 * Bounds the work of a process. Requests that wait for a database or a file are counted while they wait. Requests that
 * SQLite answers never wait: all that arrived together would be answered in one turn of the event loop. A request that
 * needs several turns, such as a write, would wait for all of them each time. For this reason, each turn starts only
 * some requests. The others wait in a queue and are counted there.
 */
export function createRequestQueue(most: number, now: () => number = () => performance.now()): RequestQueue {
  const lines: Readonly<Record<RequestLine, (() => void)[]>> = { read: [], write: [] }
  let nextLine: RequestLine = 'read'
  const works = createConcurrencyLimit({ maxConcurrent: most, maxWaiting: 0, onFull: overloadedProblem })
  let turnBeganMs: number | undefined
  let turnEndedMs = 0
  let lengthMs = sliceMs

  const waiting = () => lines.read.length + lines.write.length
  const isFull = () => works.running() + waiting() >= most
  const hasTime = () => turnBeganMs !== undefined && now() - turnBeganMs < lengthMs
  const beginNext = () => {
    const line = lines[nextLine].length > 0 ? nextLine : otherLine[nextLine]
    nextLine = otherLine[line]
    lines[line].shift()?.()
  }
  const nextTurn = () => {
    if (waiting() === 0) {
      turnBeganMs = undefined
      return
    }
    setImmediate(nextTurn)
    turnBeganMs = now()
    // If a commit is slow, as on a busy disk, the next turn takes as long. Otherwise commits would take all the time.
    lengthMs = Math.min(Math.max(sliceMs, turnBeganMs - turnEndedMs), maxSliceMs)
    // At least one, even if the clock or the machine is slow.
    do beginNext()
    while (waiting() > 0 && hasTime())
    turnEndedMs = now()
  }
  return {
    isFull,
    waiting,
    schedule: (begin, line = 'read') => {
      if (turnBeganMs === undefined) {
        turnBeganMs = now()
        turnEndedMs = turnBeganMs
        lengthMs = sliceMs
        setImmediate(nextTurn)
      } else if (waiting() > 0 || !hasTime()) {
        lines[line].push(begin)
        return
      }
      begin()
      turnEndedMs = now()
    },
    run: works.run,
    aside: works.aside,
  }
}

/** Returns the problem of a process that has reached its maximum load. */
export function overloadedProblem(): Problem {
  return new Problem('service_unavailable', { headers: { 'Retry-After': String(retryAfterSeconds) } })
}
