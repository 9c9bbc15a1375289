import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createConcurrencyLimit } from '../../base/concurrency/concurrency.limit.ts'
import { Problem } from '../../base/problems.ts'
import { startChild } from './picture.command.ts'
import type { PictureOutcome, PictureTask, Said } from './picture.formats.ts'

/** Makes pictures outside of the process that answers requests. */
export interface Workshop {
  /** @throws Problem service_unavailable if too many tasks wait, no picture can be made, or the service shuts down. */
  make(task: PictureTask): Promise<PictureOutcome>
  /** Number of tasks that wait or are in progress. */
  waiting(): number
  /** Aborts the current task at once. Waiting tasks are not started. */
  close(): Promise<void>
}

/** The task in progress. */
interface Order {
  readonly resolve: (outcome: PictureOutcome) => void
  readonly reject: (error: unknown) => void
}

interface Child {
  readonly process: ChildProcess
  isReady: boolean
  /** Killed, because its picture takes too long. */
  isLate: boolean
}

const mostWaiting = 64
const retryAfterSeconds = 10
/** A child that waits for the next picture keeps memory. */
const mostIdleMs = 30_000

/**
 * A workshop with one child process. The child runs only while pictures arrive, and is restarted after a crash. A task
 * that exceeds the deadline is ended by killing the child, regardless of its decoder.
 *
 * @param timeoutMs How long one picture may take.
 * @param start Starts the process that makes pictures.
 */
export function createWorkshop(timeoutMs: number, start: () => ChildProcess = startChild): Workshop {
  const closing = new AbortController()
  const inTurn = createConcurrencyLimit({ maxConcurrent: 1, maxWaiting: mostWaiting, onFull: unavailable })
  let child: Child | undefined
  let current: Order | undefined
  let timer: NodeJS.Timeout | undefined

  const makeNow = (task: PictureTask) =>
    new Promise<PictureOutcome>((resolve, reject) => {
      clearTimeout(timer)
      const order = { resolve, reject }
      current = order
      try {
        give(task)
      } catch (cause) {
        // Not at once: all waiting tasks may fail the same way, and other events must get a turn in between.
        setImmediate(() => {
          if (current === order) settle({ error: unavailable(cause) })
        })
      }
    })
  /** @throws if no process can be started */
  const give = (task: PictureTask) => {
    if (!child?.process.connected) child = hire()
    const hired = child
    const { process } = hired
    process.ref()
    process.channel?.ref()
    timer = setTimeout(() => {
      hired.isLate = true
      process.kill('SIGKILL')
    }, timeoutMs)
    // A process that could not be started, for example because no file descriptor was free, has no channel and reports
    // it by its error event. A process that has just died reports it by its exit event.
    if (process.connected) process.send(task, () => {})
  }
  /** Waits for the next picture, which may be queued already. */
  const rest = () => {
    clearTimeout(timer)
    child?.process.unref()
    child?.process.channel?.unref()
    timer = setTimeout(() => {
      child?.process.kill('SIGKILL')
      child = undefined
    }, mostIdleMs).unref()
  }
  const settle = (said: { readonly outcome: PictureOutcome } | { readonly error: unknown }) => {
    const order = current
    current = undefined
    if ('outcome' in said) order?.resolve(said.outcome)
    else order?.reject(said.error)
    rest()
  }
  const hire = () => {
    const hired: Child = { process: start(), isReady: false, isLate: false }
    hired.process.on('message', (said: Said) => {
      if (child !== hired) return
      if (said === 'ready') hired.isReady = true
      else if (!hired.isLate) settle('error' in said ? { error: errorOf(said.error) } : said)
    })
    const gone = (cause?: unknown) => {
      if (child !== hired) return
      child = undefined
      clearTimeout(timer)
      if (!current) return
      // The current picture is at fault, and no other, regardless of the cause (exceeded memory included).
      if (hired.isReady) settle({ outcome: { fault: hired.isLate ? 'too-slow' : 'too-demanding' } })
      else settle({ error: unavailable(cause ?? new Error('The process that resizes pictures does not start.')) })
    }
    hired.process.once('exit', () => gone())
    // There may be more than one error. Without a listener, the second would end the service.
    hired.process.on('error', gone)
    return hired
  }

  return {
    make: (task) => inTurn.run(() => makeNow(task), { signal: closing.signal }),
    waiting: () => inTurn.waiting() + inTurn.running(),
    close: async () => {
      closing.abort(unavailable())
      clearTimeout(timer)
      current?.reject(unavailable())
      current = undefined
      const last = child?.process
      child = undefined
      if (!last || last.pid === undefined || last.exitCode !== null || last.signalCode !== null) return
      const exit = once(last, 'exit')
      last.ref()
      last.kill('SIGKILL')
      await exit
    },
  }
}

function unavailable(cause?: unknown): Problem {
  const headers = { 'Retry-After': String(retryAfterSeconds) }
  return new Problem('service_unavailable', cause === undefined ? { headers } : { headers, cause })
}

function errorOf({ message, code }: { readonly message: string; readonly code: string | undefined }): Error {
  return Object.assign(new Error(message), { code })
}
