import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { isatty } from 'node:tty'
import type { Config } from '../base/config/config.ts'
import { isMetricsMessage, relayMetrics } from '../base/monitoring/metrics.workers.ts'
import { CommandError, EXIT, printError, say } from './output.ts'
import { stopSignal, welcome } from './service.ts'
import { listening, type WorkerReady } from './worker.ts'

const crashLimit = 10
const crashWindowMs = 60_000
/**
 * Room for what has just been made: half of what Node takes by itself, which saves each process 40 MB and costs nothing that
 * could be measured. A process that runs already cannot change it, so that `npm start` and the image say the same.
 */
export const nodeOptions = ['--max-semi-space-size=16']
/** How much longer than its settings say a worker may take to end. */
const endingGraceMs = 10_000
const standardInput = 0

/** Processes that serve. */
interface WorkerPool {
  readonly first: WorkerReady
  /** Is fulfilled when starting again those that die is no use, with the exit code of the last. */
  readonly givenUp: Promise<number>
  /** Puts a new one in the place of each, one after the other, so that there are always as many that serve. */
  replace(): void
  /** Has all of them finish what is in flight. Gives the exit code: whether one had to cut something. */
  end(): Promise<number>
}

/**
 * Serves with several processes on one port and one database, until this one is told to end. Each of them runs the
 * command line of this process.
 */
export async function serveWithWorkers(config: Config): Promise<number> {
  // From a terminal it says that this was closed, and nobody is there any more.
  const isOfTerminal = isatty(standardInput)
  const { promise: told, resolve: tell } = Promise.withResolvers<undefined>()
  // Heard before the first worker may make an administrator, whose password is told before this process ends.
  const hear = () => void stopSignal(isOfTerminal ? ['SIGHUP'] : []).then(() => tell(undefined))
  const workers = await startWorkers(config, { hear, told })
  say(welcome(config, workers.first))
  if (!isOfTerminal) process.on('SIGHUP', workers.replace)
  const failure = await Promise.race([told, workers.givenUp])
  const endCode = await workers.end()
  return failure ?? endCode
}

interface StopRequest {
  /** Begins to listen for the signals that end this process. */
  readonly hear: () => void
  readonly told: Promise<undefined>
}

/** Is fulfilled when all serve, or this process is told to end. */
async function startWorkers(config: Config, { hear, told }: StopRequest): Promise<WorkerPool> {
  const { workers: count } = config
  const leaving = new WeakSet<Worker>()
  let isEnding = false
  const allServe = allServing(count)
  // What this process was given on the command line comes later, and so wins.
  cluster.setupPrimary({ execArgv: [...nodeOptions, ...process.execArgv] })
  relayMetrics(cluster)
  // The first one alone: it makes the database and the administrator, and what keeps it from serving is told once.
  const first = await serving(cluster.fork(), hear)
  const givenUp = restartDead(count, (worker) => isEnding || leaving.has(worker))
  forkMissing(count)
  await Promise.race([allServe, givenUp, told])

  const replaceAll = async () => {
    for (const old of liveWorkers()) {
      if (isEnding) return
      const fresh = cluster.fork()
      // Until it serves, that it has ended is told here.
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
      // In turns: a second signal means what has changed since the first one.
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

/** Waits until so many workers have said that they serve. */
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
 * Starts another worker for each that dies, until too many die; then gives up, and a supervisor may try its luck.
 *
 * @param isLeaving Whether somebody else knows that it has ended.
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

/** Whether so many have died lately that yet another one would die as well. Moments are in milliseconds, in order. */
export function isCrashLoop(crashTimesMs: readonly number[]): boolean {
  const [last, past] = [crashTimesMs.at(-1), crashTimesMs.at(-crashLimit)]
  return last !== undefined && past !== undefined && last - past < crashWindowMs
}

/**
 * Waits until the worker serves.
 *
 * @returns where, and the administrator that it has made.
 * @throws CommandError where it ends before; without a message where the worker has said why.
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

/** Has a worker finish what is in flight, and gives its exit code. One that hangs is killed. */
async function ended(worker: Worker, { shutdownDelaySeconds, shutdownTimeoutSeconds }: Config): Promise<number> {
  if (worker.isDead()) return EXIT.ok
  const exit = once(worker, 'exit')
  // One that is about to end by itself hears nothing any more.
  if (worker.isConnected()) worker.send('end', () => {})
  const mostMs = (shutdownDelaySeconds + shutdownTimeoutSeconds) * 1000 + endingGraceMs
  const killing = setTimeout(() => worker.process.kill('SIGKILL'), mostMs)
  try {
    const [code] = await exit
    return code ?? EXIT.cut
  } finally {
    clearTimeout(killing)
  }
}
