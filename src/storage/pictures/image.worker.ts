import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createConcurrencyLimit } from '../../base/concurrency/concurrency.limit.ts'
import { Problem } from '../../base/problems.ts'
import { startWorkerProcess } from './picture.command.ts'
import type { PictureOutcome, PictureTask, WorkerMessage } from './picture.formats.ts'

/** Makes pictures outside of the process that answers requests. */
export interface ImageWorker {
  /**
   * @param client Whose picture it is. Clients take turns.
   * @throws Problem service_unavailable if too many tasks wait, no picture can be made, or the service shuts down.
   */
  make(task: PictureTask, client: string): Promise<PictureOutcome>
  /** Number of tasks that wait or are in progress. */
  waiting(): number
  /** Aborts the current task at once. Waiting tasks are not started. */
  close(): Promise<void>
}

/** The task in progress. */
interface PictureJob {
  readonly resolve: (outcome: PictureOutcome) => void
  readonly reject: (error: unknown) => void
}

interface Child {
  readonly process: ChildProcess
  isReady: boolean
  /** Killed, because its picture takes too long. */
  isLate: boolean
}

const maxWaiting = 64
const retryAfterSeconds = 10
/** On a busy machine a process takes seconds to start, which says nothing about its picture. */
const startTimeoutMs = 20_000
/** A child that waits for the next picture keeps memory. */
const maxIdleMs = 30_000

/**
 * An image worker with one child process. The child runs only while pictures arrive, and is restarted after a crash. A task
 * that exceeds the deadline is ended by killing the child, regardless of its decoder.
 *
 * @param timeoutMs How long one picture may take.
 * @param start Starts the process that makes pictures.
 */
export function createImageWorker(timeoutMs: number, start: () => ChildProcess = startWorkerProcess): ImageWorker {
  const closing = new AbortController()
  const inTurn = createConcurrencyLimit({ maxConcurrent: 1, maxWaiting: maxWaiting, onFull: imageWorkerUnavailable })
  let child: Child | undefined
  let current: PictureJob | undefined
  let timer: NodeJS.Timeout | undefined

  const makeNow = (task: PictureTask) =>
    new Promise<PictureOutcome>((resolve, reject) => {
      clearTimeout(timer)
      const job = { resolve, reject }
      current = job
      try {
        assignJob(task)
      } catch (cause) {
        // Not at once: all waiting tasks may fail the same way, and other events must get a turn in between.
        setImmediate(() => {
          if (current === job) settle({ error: imageWorkerUnavailable(cause) })
        })
      }
    })
  /** Ends a process that takes longer. */
  const limit = (started: Child, ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      started.isLate = true
      started.process.kill('SIGKILL')
    }, ms)
  }
  /** @throws if no process can be started */
  const assignJob = (task: PictureTask) => {
    if (!child?.process.connected) child = startWorker()
    const started = child
    const { process } = started
    process.ref()
    process.channel?.ref()
    limit(started, started.isReady ? timeoutMs : Math.max(timeoutMs, startTimeoutMs))
    // A process that could not be started, for example because no file descriptor was free, has no channel and reports
    // it by its error event. A process that has just died reports it by its exit event.
    if (process.connected) process.send(task, () => {})
  }
  /** Waits for the next picture, which may be queued already. */
  const waitIdle = () => {
    clearTimeout(timer)
    child?.process.unref()
    child?.process.channel?.unref()
    timer = setTimeout(() => {
      child?.process.kill('SIGKILL')
      child = undefined
    }, maxIdleMs).unref()
  }
  const settle = (said: { readonly outcome: PictureOutcome } | { readonly error: unknown }) => {
    const job = current
    current = undefined
    if ('outcome' in said) job?.resolve(said.outcome)
    else job?.reject(said.error)
    waitIdle()
  }
  const startWorker = () => {
    const started: Child = { process: start(), isReady: false, isLate: false }
    started.process.on('message', (said: WorkerMessage) => {
      if (child !== started) return
      if (said === 'ready') {
        started.isReady = true
        if (current) limit(started, timeoutMs)
      } else if (!started.isLate) settle('error' in said ? { error: errorOf(said.error) } : said)
    })
    const gone = (cause?: unknown) => {
      if (child !== started) return
      child = undefined
      clearTimeout(timer)
      if (!current) return
      // The current picture is at fault, and no other, regardless of the cause (exceeded memory included).
      if (started.isReady) settle({ outcome: { fault: started.isLate ? 'too-slow' : 'too-demanding' } })
      else
        settle({
          error: imageWorkerUnavailable(cause ?? new Error('The process that resizes pictures does not start.')),
        })
    }
    started.process.once('exit', () => gone())
    // There may be more than one error. Without a listener, the second would end the service.
    started.process.on('error', gone)
    return started
  }

  return {
    make: (task, client) => inTurn.run(() => makeNow(task), { signal: closing.signal, client }),
    waiting: () => inTurn.waiting() + inTurn.running(),
    close: async () => {
      closing.abort(imageWorkerUnavailable())
      clearTimeout(timer)
      current?.reject(imageWorkerUnavailable())
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

function imageWorkerUnavailable(cause?: unknown): Problem {
  const headers = { 'Retry-After': String(retryAfterSeconds) }
  return new Problem('service_unavailable', cause === undefined ? { headers } : { headers, cause })
}

function errorOf({ message, code }: { readonly message: string; readonly code: string | undefined }): Error {
  return Object.assign(new Error(message), { code })
}
