import type { Worker } from 'node:worker_threads'
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
  /** Ends the thread. If it is still starting, or a statement runs in it, that ends first. */
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

/** Returns a thread that has just been started. */
export function readerThread(worker: Worker, { onReady, onWrongGuess, onExit }: ThreadEvents): ReaderThread {
  let isReady = false
  let hasEnded = false
  let lastId = 0
  /** Resolved when it has started, or has failed to. */
  const started = Promise.withResolvers<void>()
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
      started.resolve()
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
    started.resolve()
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
      // A thread that is ended while it loads the database's native module aborts the whole process.
      await started.promise
      await worker.terminate()
    },
  }
}
