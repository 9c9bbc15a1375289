import type { Worker } from 'node:worker_threads'
import type { NativeCallsElsewhere } from '../../base/concurrency/native.calls.ts'
import type { ThreadJob, ThreadOrder, ThreadReport, ThreadResult } from './reader.messages.ts'

/** A reader thread, as the main thread sees it. It does one job at a time. */
export interface ReaderThread {
  /** Whether it has started. */
  readonly isReady: boolean
  /**
   * Does a job.
   *
   * @throws ThreadEnded
   */
  run(job: ThreadJob): Promise<ThreadResult>
  /** Gives up a response that the thread has begun. */
  release(stream: number): void
  /** Ends the thread. If it is still loading its modules, or a statement runs in it, that ends first. */
  end(): Promise<void>
}

/** The thread has ended before it had done its job. */
export class ThreadEnded extends Error {}

interface ThreadEvents {
  readonly onReady: () => void
  readonly onWrongGuess: (client: string | undefined, target: string | undefined) => void
  /** Called once, whether it was ended or failed. Receives the error with which it failed. */
  readonly onExit: (cause: unknown) => void
}

interface StartedThread {
  readonly worker: Worker
  readonly nativeCalls: NativeCallsElsewhere
}

/** The threads of this process that have not ended. */
const threads = new Set<StartedThread>()
/** The longest time that the end of the process waits for the native call of a thread. */
const exitTimeoutMs = 10_000

/** The process ends all threads when it exits. It must not interrupt a native call either. */
function onProcessExit(): void {
  for (const { nativeCalls } of threads) nativeCalls.endNow(exitTimeoutMs)
}

export function readerThread(started: StartedThread, { onReady, onWrongGuess, onExit }: ThreadEvents): ReaderThread {
  const { worker, nativeCalls } = started
  if (threads.size === 0) process.on('exit', onProcessExit)
  threads.add(started)
  let isReady = false
  let hasEnded = false
  let lastId = 0
  const exited = Promise.withResolvers<void>()
  let current: (PromiseWithResolvers<ThreadResult> & { readonly id: number }) | undefined
  let cause: unknown

  const send = (order: ThreadOrder) => worker.postMessage(order)
  const settle = (finish: (job: PromiseWithResolvers<ThreadResult>) => void) => {
    const job = current
    current = undefined
    if (job) finish(job)
  }
  worker.on('message', (report: ThreadReport) => {
    if (report.kind === 'ready') {
      isReady = true
      onReady()
    } else if (report.kind === 'wrong-guess') onWrongGuess(report.client, report.target)
    else if (report.id === current?.id) settle((job) => job.resolve(report.result))
  })
  // Such as too little memory. The exit follows.
  worker.on('error', (error) => {
    cause = error
  })
  worker.once('exit', () => {
    hasEnded = true
    threads.delete(started)
    if (threads.size === 0) process.off('exit', onProcessExit)
    exited.resolve()
    settle((job) => job.reject(new ThreadEnded('A reader thread has ended.', { cause })))
    onExit(cause)
  })
  return {
    get isReady() {
      return isReady
    },
    run: (job) => {
      if (hasEnded) return Promise.reject(new ThreadEnded('A reader thread has ended.'))
      lastId += 1
      current = { id: lastId, ...Promise.withResolvers<ThreadResult>() }
      send({ kind: 'job', id: lastId, job })
      return current.promise
    },
    release: (stream) => hasEnded || send({ kind: 'release', stream }),
    end: async () => {
      settle((job) => job.reject(new ThreadEnded('A reader thread was ended.')))
      await Promise.race([nativeCalls.end(), exited.promise])
      await worker.terminate()
    },
  }
}
