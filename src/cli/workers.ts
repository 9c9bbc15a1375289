import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { isatty } from 'node:tty'
import type { Config } from '../base/config/config.ts'
import { isMetricsMessage, relayMetrics } from '../base/monitoring/metrics.workers.ts'
import { CommandError, EXIT, printError, say } from './output.ts'
import { sayWelcome, stopSignal } from './service.ts'
import { closeUnaccepted } from './worker.connections.ts'
import { listening, type WorkerReady } from './worker.ts'

const crashLimit = 10
const crashWindowMs = 60_000
/**
 * Options of Node for a smaller space for new objects: a quarter of the default, which saves some 60 MB per process at
 * no measurable cost. A running process cannot change it, so `npm start` and the image set the same value.
 */
export const nodeOptions = ['--max-semi-space-size=8']
/** The time that a worker may take to end, in addition to that of its settings. */
const endingGraceMs = 10_000
const standardInput = 0

interface WorkerPool {
  readonly first: WorkerReady
  /** Fulfilled when restarting dead workers is useless, with the exit code of the last one. */
  readonly givenUp: Promise<number>
  /** Replaces the workers one after the other, so that the number that serve stays the same. */
  replace(): void
  /**
   * Ends all workers after they finish their requests. Returns the exit code, which says whether a request was
   * interrupted.
   */
  end(): Promise<number>
}

/**
 * Serves with several processes on one port and one database, until this process receives a signal to end. Each worker
 * runs the command line of this process.
 */
export async function serveWithWorkers(config: Config): Promise<number> {
  // From a terminal, SIGHUP means that the terminal was closed.
  const isOfTerminal = isatty(standardInput)
  const { promise: told, resolve: tell } = Promise.withResolvers<undefined>()
  // Registered before the first worker may create an administrator, whose password is printed before this process ends.
  const hear = () => void stopSignal(isOfTerminal ? ['SIGHUP'] : []).then(() => tell(undefined))
  const workers = await startWorkers(config, { hear, told })
  sayWelcome(config, workers.first)
  if (!isOfTerminal) process.on('SIGHUP', workers.replace)
  const failure = await Promise.race([told, workers.givenUp])
  const endCode = await workers.end()
  return failure ?? endCode
}

interface StopRequest {
  /** Starts to listen for the signals that end this process. */
  readonly hear: () => void
  readonly told: Promise<undefined>
}

/** Fulfilled when all workers serve, or this process receives a signal to end. */
async function startWorkers(config: Config, { hear, told }: StopRequest): Promise<WorkerPool> {
  const { workers: count } = config
  const leaving = new WeakSet<Worker>()
  let isEnding = false
  const allServe = allServing(count)
  // The options of this process come later and take precedence.
  cluster.setupPrimary({ execArgv: [...nodeOptions, ...process.execArgv] })
  relayMetrics(cluster)
  closeUnaccepted(cluster)
  // The first worker starts alone: it creates the database and the administrator, and its errors are reported once.
  const first = await serving(cluster.fork(), hear)
  const givenUp = restartDead(count, (worker) => isEnding || leaving.has(worker))
  forkMissing(count)
  await Promise.race([allServe, givenUp, told])

  const replaceAll = async () => {
    for (const old of liveWorkers()) {
      if (isEnding) return
      const fresh = cluster.fork()
      // Until it serves, its end is reported here.
      leaving.add(fresh)
      await serving(fresh)
      leaving.delete(fresh)
      leaving.add(old)
      await ended(old, config)
    }
    say('All workers were replaced.')
  }
  let replacing = Promise.resolve()
  return {
    first,
    givenUp,
    replace: () => {
      // One after the other: a second signal applies changes made since the first one.
      replacing = replacing.then(replaceAll).catch((error: Error) => {
        if (isEnding) return
        printError(`${error.message} The earlier workers continue to serve.`)
        forkMissing(count)
      })
    },
    end: async () => {
      isEnding = true
      const codes = await Promise.all(liveWorkers().map((worker) => ended(worker, config)))
      return codes.every((code) => code === EXIT.ok) ? EXIT.ok : EXIT.cut
    },
  }
}

function liveWorkers(): readonly Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined && !worker.isDead()) as Worker[]
}

function forkMissing(count: number): void {
  for (let there = liveWorkers().length; there < count; there += 1) cluster.fork()
}

/** Waits until this number of workers serve. */
function allServing(count: number): Promise<void> {
  let ready = 0
  return new Promise((resolve) => {
    cluster.on('message', (_worker, message) => {
      if (message === listening || isMetricsMessage(message)) return
      ready += 1
      if (ready === count) resolve()
    })
  })
}

/**
 * Starts a worker for each one that dies, until too many die. Then it gives up, and a supervisor may restart the
 * service.
 *
 * @param isLeaving Whether the end of the worker is expected or reported elsewhere.
 */
function restartDead(count: number, isLeaving: (worker: Worker) => boolean): Promise<number> {
  const crashes: number[] = []
  return new Promise((resolve) => {
    cluster.on('exit', (worker, code, signal) => {
      if (isLeaving(worker)) return
      crashes.push(performance.now())
      const cause = `Worker ${worker.process.pid} ended (${signal ?? code})`
      if (isCrashLoop(crashes)) {
        printError(`${cause}. Too many workers ended, so the service stops.`)
        resolve(code || EXIT.bug)
      } else {
        printError(`${cause} and is being replaced.`)
        forkMissing(count)
      }
    })
  })
}

/**
 * Returns whether so many workers died recently that another one would die too. Times are in milliseconds, ascending.
 */
export function isCrashLoop(crashTimesMs: readonly number[]): boolean {
  const [last, past] = [crashTimesMs.at(-1), crashTimesMs.at(-crashLimit)]
  return last !== undefined && past !== undefined && last - past < crashWindowMs
}

/**
 * Waits until the worker serves.
 *
 * @returns its address, and the administrator that it created.
 * @throws CommandError if it ends before; without a message if the worker has printed the reason.
 */
function serving(worker: Worker, onListening: () => void = () => {}): Promise<WorkerReady> {
  return new Promise((resolve, reject) => {
    const hear = (message: unknown) => {
      if (message === listening) return onListening()
      worker.off('message', hear)
      resolve(message as WorkerReady)
    }
    worker.on('message', hear)
    worker.once('exit', (code) => {
      const hasTold = code !== null && code !== EXIT.ok && code !== EXIT.bug
      const told = hasTold ? '' : `Worker ${worker.process.pid} ended before it was ready.`
      reject(new CommandError(code || EXIT.bug, told))
    })
  })
}

/** Ends a worker after it finishes its requests, and returns its exit code. A worker that hangs is killed. */
async function ended(worker: Worker, { shutdownDelaySeconds, shutdownTimeoutSeconds }: Config): Promise<number> {
  if (worker.isDead()) return EXIT.ok
  const exit = once(worker, 'exit')
  // A worker that is already ending receives no message.
  if (worker.isConnected()) worker.send('end', () => {})
  const maxMs = (shutdownDelaySeconds + shutdownTimeoutSeconds) * 1000 + endingGraceMs
  const killing = setTimeout(() => worker.process.kill('SIGKILL'), maxMs)
  try {
    const [code] = await exit
    return code ?? EXIT.cut
  } finally {
    clearTimeout(killing)
  }
}
