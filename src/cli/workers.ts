import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createFirstAdministrator } from '../auth/user.service.ts'
import type { Config } from '../config/config.ts'
import { isOfMetrics, relayMetrics } from '../monitoring/metrics.workers.ts'
import { withDatabase } from './database.ts'
import { CommandError, complain, EXIT, say } from './output.ts'
import { endSignal, welcome } from './service.ts'
import type { Ready } from './worker.ts'

const deathsBeforeGivingUp = 10
const deathsWithinMs = 60_000

/** Processes that serve. */
interface Workers {
  readonly url: string
  /** Is fulfilled when starting again those that die is no use, with the exit code of the last. */
  readonly givenUp: Promise<number>
  /** Has all of them finish what is in flight. */
  end(): Promise<void>
}

/**
 * Serves with several processes on one port and one database, until this one is told to end. Each of them runs the
 * command line of this process.
 */
export async function serveWithWorkers(config: Config): Promise<number> {
  // Once, before any of them: else all would make the database and an administrator at the same time.
  const first = await withDatabase(config, createFirstAdministrator)
  const workers = await startWorkers(config.workers)
  say(welcome(config, { url: workers.url, administrator: first && { name: first.user.name, secret: first.secret } }))
  const exitCode = await Promise.race([endSignal().then(() => EXIT.ok), workers.givenUp])
  await workers.end()
  return exitCode
}

async function startWorkers(count: number): Promise<Workers> {
  let isEnding = false
  const allServe = haveServed(count)
  relayMetrics(cluster)
  // The first one alone: what keeps it from serving is told once.
  const url = await serving(cluster.fork())
  const givenUp = restartDead(() => isEnding)
  for (let started = 1; started < count; started += 1) cluster.fork()
  await Promise.race([allServe, givenUp])
  return {
    url,
    givenUp,
    end: async () => {
      isEnding = true
      await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && ended(worker)))
    },
  }
}

/** Waits until so many workers have said that they serve. */
function haveServed(count: number): Promise<void> {
  let ready = 0
  return new Promise((resolve) => {
    cluster.on('message', (_worker, message) => {
      if (isOfMetrics(message)) return
      ready += 1
      if (ready === count) resolve()
    })
  })
}

/** Starts another worker for each that dies, until too many die; then gives up, and a supervisor may try its luck. */
function restartDead(isEnding: () => boolean): Promise<number> {
  const deaths: number[] = []
  return new Promise((resolve) => {
    cluster.on('exit', (worker, code, signal) => {
      if (isEnding()) return
      deaths.push(performance.now())
      const cause = `Worker ${worker.process.pid} has ended (${signal ?? code})`
      if (isHopeless(deaths)) {
        complain(`${cause}, one of too many. The service ends.`)
        resolve(code || EXIT.bug)
      } else {
        complain(`${cause} and is replaced.`)
        cluster.fork()
      }
    })
  })
}

/** Whether so many have died lately that yet another one would die as well. Moments are in milliseconds, in order. */
export function isHopeless(deathsMs: readonly number[]): boolean {
  const [last, past] = [deathsMs.at(-1), deathsMs.at(-deathsBeforeGivingUp)]
  return last !== undefined && past !== undefined && last - past < deathsWithinMs
}

/**
 * Waits until the worker serves.
 *
 * @returns where.
 * @throws CommandError where it ends before. It has said why.
 */
function serving(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.once('message', ({ url }: Ready) => resolve(url))
    worker.once('exit', (code) => {
      reject(new CommandError(code || EXIT.bug, `Worker ${worker.process.pid} has ended before it served.`))
    })
  })
}

async function ended(worker: Worker): Promise<void> {
  const exit = once(worker, 'exit')
  // One that is about to end by itself hears nothing any more.
  if (worker.isConnected()) worker.send('end', () => {})
  await exit
}
