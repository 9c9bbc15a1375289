import type { Worker } from 'node:worker_threads'
import { watchNativeCalls } from '../../base/concurrency/native.calls.ts'
import { overloadedProblem } from '../../base/limits/request.queue.ts'
import { tooDear } from '../../storage/database/unavailable.ts'
import { createFairQueue, type WaitingWork } from './fair.queue.ts'
import type { ThreadJob, ThreadResult } from './reader.messages.ts'
import { type ReaderThread, readerThread, ThreadEnded } from './reader.thread.ts'

/** A job is ended after this many times its time, however little processor time the process has had. */
const busyFactor = 4

/**
 * Calls `onSpent` when a job has had its time. The processor time of one thread is not known from outside while a statement
 * runs in it. That of the process is at least as long: if it is below the time, so is that of the thread, and the
 * machine has kept it waiting. Asking for it takes as long as a short statement, so it is counted after a quarter of the
 * time only, when most jobs have ended.
 *
 * @returns a function that ends the budget.
 */
function startBudget(timeoutMs: number, onSpent: () => void): () => void {
  const lastMs = performance.now() + busyFactor * timeoutMs
  const uncountedMs = timeoutMs / 4
  let timer: NodeJS.Timeout
  const count = () => {
    const before = process.cpuUsage()
    const check = () => {
      const { user, system } = process.cpuUsage(before)
      const leftMs = timeoutMs - uncountedMs - (user + system) / 1000
      const leftInAllMs = lastMs - performance.now()
      if (leftMs < 1 || leftInAllMs < 1) onSpent()
      else timer = setTimeout(check, Math.min(leftMs, leftInAllMs))
    }
    timer = setTimeout(check, timeoutMs - uncountedMs)
  }
  timer = setTimeout(count, uncountedMs)
  return () => clearTimeout(timer)
}

/** A job that a thread has done. */
interface DoneWork {
  readonly result: ThreadResult
  readonly thread: PooledThread
}

/** The reader threads of a process. */
export interface ReaderPool {
  /**
   * Does a job in the next free thread.
   *
   * @returns Undefined if no thread can be started.
   * @throws service_unavailable, query-too-dear
   */
  run(work: PoolWork): Promise<DoneWork | undefined>
  /** Starts the first thread, so that the first job does not wait for it. Others start when jobs wait. */
  start(): void
  waiting(): number
  busy(): number
  /** Ends all threads. Jobs in progress fail. */
  close(): Promise<void>
}

/** Jobs in progress, to continue in the same thread. */
export interface PooledThread {
  /** @throws service_unavailable, query-too-dear, ThreadEnded */
  next(job: ThreadJob): Promise<ThreadResult>
  release(stream: number): void
}

interface PoolWork extends WaitingWork {
  /** Returns the job when it begins; undefined if nobody waits for it. */
  readonly begin: () => ThreadJob | undefined
}

interface PoolOptions {
  readonly size: number
  /** How long one job may take, and on a busy machine up to four times as long: see `startBudget`. */
  readonly timeoutMs: number
  /** Ends the threads that have had no work for this long, except one. */
  readonly idleMs?: number
  /** A thread that cannot be started is started again after this time, then after longer ones. */
  readonly restartMs?: number
  readonly startWorker: (nativeCallsMemory: SharedArrayBuffer) => Promise<Worker>
  readonly onWrongGuess: (client: string | undefined, target: string | undefined) => void
  /** Receives why threads cannot be started, or have ended by themselves. */
  readonly report: (error: unknown) => void
}

const queueBounds = { maxWaiting: 128, maxBytes: 8 * 1024 * 1024 }
/** The longest time that a job waits for other jobs. */
const maxWaitMs = 30_000
/** A thread that takes longer to start, and longer than a job may, counts as one that cannot be started until it has. */
const startTimeoutMs = 20_000
const longestRestartMs = 60_000
const usualTimes = { idleMs: 120_000, restartMs: 1000 }

interface Waiting extends PoolWork {
  readonly found: PromiseWithResolvers<DoneWork | undefined>
  readonly timer: NodeJS.Timeout
}

/** A piece of a response. Only the thread that has begun the response can make it. */
interface Continuation {
  readonly job: ThreadJob
  readonly made: PromiseWithResolvers<ThreadResult>
}

interface Member {
  thread: ReaderThread | undefined
  isBusy: boolean
  client: string | undefined
  /** It was ended, because its job took too long or the pool is closed. */
  isOver: boolean
  readonly continuations: Continuation[]
  /** Whether its last job was a continuation. */
  hasContinued: boolean
  /** Ends it if it gets no work in time. */
  idle: NodeJS.Timeout | undefined
}

export function createReaderPool(options: PoolOptions): ReaderPool {
  const { size, timeoutMs, idleMs, restartMs, startWorker, onWrongGuess, report } = { ...usualTimes, ...options }
  const queue = createFairQueue<Waiting>(queueBounds)
  const members = new Set<Member>()
  /** Threads that were ended, but in which a statement still runs. */
  const ending = new Map<Member, Promise<void>>()
  let isClosed = false
  let failedStarts = 0
  let restart: NodeJS.Timeout | undefined

  /** Starts a thread, if more work waits than there are threads without work. */
  const start = () => {
    const free = [...members].filter((member) => !member.isBusy).length
    // Statements that do not end must not take ever more threads.
    const hasRoom = members.size < size && members.size + ending.size < 2 * size
    if (!isClosed && !restart && hasRoom && (members.size === 0 || queue.waiting() > free)) void add()
  }
  const hasStarted = () => [...members].some(({ thread }) => thread?.isReady)
  /** A thread could not be started. If there is no other, jobs are not for threads until one has started. */
  const countFailedStart = () => {
    failedStarts += 1
    if (hasStarted()) return
    for (const { found, timer } of queue.clear()) {
      clearTimeout(timer)
      found.resolve(undefined)
    }
  }
  const startLater = () => {
    const delayMs = Math.min(restartMs * 2 ** (failedStarts - 1), longestRestartMs)
    restart ??= setTimeout(() => {
      restart = undefined
      start()
    }, delayMs).unref()
  }
  const add = async () => {
    const member: Member = {
      ...{ thread: undefined, isBusy: false, client: undefined, isOver: false },
      ...{ continuations: [], hasContinued: false, idle: undefined },
    }
    members.add(member)
    const late = setTimeout(countFailedStart, Math.max(startTimeoutMs, timeoutMs)).unref()
    const onReady = () => {
      clearTimeout(late)
      failedStarts = 0
      awaitWork(member)
      assign()
    }
    const onExit = (cause: unknown) => {
      clearTimeout(late)
      lost(member, cause)
    }
    try {
      const nativeCalls = watchNativeCalls()
      const worker = await startWorker(nativeCalls.memory)
      member.thread = readerThread({ worker, nativeCalls }, { onReady, onWrongGuess, onExit })
      if (isClosed) end(member)
    } catch (error) {
      onExit(error)
    }
  }
  /** A thread has ended. If it was not the pool that ended it, another one takes its place. */
  const lost = (member: Member, cause: unknown) => {
    forget(member)
    if (member.isOver) return
    member.isOver = true
    report(new Error('A reader thread has failed.', { cause }))
    if (isClosed) return
    if (member.thread?.isReady) return start()
    countFailedStart()
    startLater()
  }
  const forget = (member: Member) => {
    members.delete(member)
    clearTimeout(member.idle)
    for (const { made } of member.continuations.splice(0)) made.reject(new ThreadEnded('A reader thread has ended.'))
  }
  const end = (member: Member) => {
    member.isOver = true
    forget(member)
    if (!member.thread) return
    const ended = member.thread.end().then(() => {
      ending.delete(member)
      start()
      assign()
    })
    ending.set(member, ended)
  }
  /** Ends a thread if it gets no work for a while, unless it is the last one. */
  const awaitWork = (member: Member) => {
    clearTimeout(member.idle)
    member.idle = setTimeout(() => {
      if (!member.isBusy && members.size > 1) end(member)
    }, idleMs).unref()
  }
  const isBusy = (client: string) => [...members, ...ending.keys()].some((member) => member.client === client)
  /** Gives work to all threads that have none. */
  const assign = () => {
    for (const member of members) {
      if (!member.thread?.isReady || member.isBusy) continue
      // Pieces and other work take turns.
      const continuation = member.hasContinued && queue.waiting() > 0 ? undefined : member.continuations.shift()
      if (continuation) void proceed(member, continuation)
      else if (!begin(member)) {
        const next = member.continuations.shift()
        if (next) void proceed(member, next)
      }
    }
  }
  const proceed = async (member: Member, { job, made }: Continuation) => {
    member.hasContinued = true
    await work(member, job).then(made.resolve, made.reject)
  }
  /** Begins the next waiting work. Returns false if there is none. */
  const begin = (member: Member): boolean => {
    for (let next = queue.take(isBusy); next; next = queue.take(isBusy)) {
      clearTimeout(next.timer)
      const { client, found } = next
      const job = next.begin()
      if (!job) {
        found.reject(overloadedProblem())
        continue
      }
      member.client = client
      member.hasContinued = false
      const thread = threadOf(member)
      work(member, job).then((result) => found.resolve({ result, thread }), found.reject)
      return true
    }
    return false
  }
  /** Does a job within its time. */
  const work = async (member: Member, job: ThreadJob): Promise<ThreadResult> => {
    member.isBusy = true
    let isLate = false
    const clearBudget = startBudget(timeoutMs, () => {
      isLate = true
      end(member)
      start()
    })
    try {
      return await (member.thread as ReaderThread).run(job)
    } catch (error) {
      if (isLate) throw tooDear()
      throw error instanceof ThreadEnded ? overloadedProblem() : error
    } finally {
      clearBudget()
      member.isBusy = false
      // A client whose statement still runs has its thread.
      if (!member.isOver) {
        member.client = undefined
        awaitWork(member)
      }
      assign()
    }
  }
  const threadOf = (member: Member): PooledThread => ({
    next: (job) => {
      if (member.isOver) return Promise.reject(new ThreadEnded('A reader thread has ended.'))
      const made = Promise.withResolvers<ThreadResult>()
      member.continuations.push({ job, made })
      assign()
      return made.promise
    },
    release: (stream) => member.thread?.release(stream),
  })
  return {
    run: (asked) => {
      if (isClosed) return Promise.reject(overloadedProblem())
      if (failedStarts > 0 && !hasStarted()) return Promise.resolve(undefined)
      const found = Promise.withResolvers<DoneWork | undefined>()
      const timer = setTimeout(() => {
        queue.remove(waiting)
        found.reject(overloadedProblem())
      }, maxWaitMs)
      const waiting: Waiting = { ...asked, found, timer }
      const displaced = queue.add(waiting)
      if (displaced) {
        clearTimeout(displaced.timer)
        displaced.found.reject(overloadedProblem())
      }
      assign()
      start()
      return found.promise
    },
    start,
    waiting: queue.waiting,
    busy: () => [...members].filter((member) => member.isBusy).length,
    close: async () => {
      isClosed = true
      clearTimeout(restart)
      for (const { found, timer } of queue.clear()) {
        clearTimeout(timer)
        found.reject(overloadedProblem())
      }
      for (const member of [...members]) end(member)
      await Promise.all(ending.values())
    },
  }
}
