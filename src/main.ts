import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import type { Server } from 'node:http'
import { Server as SocketServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createFirstAdministrator } from './access/auth/user.service.ts'
import type { Deps } from './access/deps.ts'
import { type Periodic, startPeriodic } from './base/concurrency/periodic.ts'
import type { Config } from './base/config/config.ts'
import { createLimits } from './base/limits/limits.ts'
import { type Monitoring, openMonitoring } from './base/monitoring/monitoring.ts'
import { createLinkChecker } from './base/outbound/link.checker.ts'
import { limitConcurrency } from './base/outbound/outbound.concurrency.ts'
import { fetchDocument, fetchOutbound } from './base/outbound/outbound.ts'
import { systemClock } from './base/time/clock.ts'
import { derivationsFor } from './calendar/derivations.ts'
import { removeStaleFolders } from './calendar/media/temp.folder.ts'
import { auditedTables } from './operate/audit/audited.fields.ts'
import { createReadiness } from './operate/health/health.ts'
import { startJobs } from './operate/jobs/job.runner.ts'
import { startPurging } from './operate/jobs/shared.cache.purge.ts'
import { calendarIdentity } from './publish/feeds/feed.identity.repository.ts'
import { openStorage } from './storage/database/open.ts'
import type { StorageOptions } from './storage/database/storage.ts'
import { isToldOnce } from './storage/database/unavailable.ts'
import { createImageWorker } from './storage/pictures/image.worker.ts'
import { openPictureStore } from './storage/pictures/picture.open.ts'
import { createStreets } from './storage/tiles/streets.ts'

const closeIdleEveryMs = 50
/** Time in which a client that has just sent a request on an idle keep-alive connection still gets a response. */
const idleGraceMs = 1000

/**
 * Stops listening, and waits until the open connections have ended. Requests on them still get a response.
 *
 * @param timeoutMs Connections that are still open after this time are closed.
 * @returns True if all connections ended before the timeout.
 */
async function closeGracefully(server: Server, timeoutMs: number): Promise<boolean> {
  if (!server.listening) return true
  const closed = once(server, 'close')
  // The `close` of an HTTP server closes idle connections at once, and so loses requests that are on their way.
  SocketServer.prototype.close.call(server)
  let isCut = false
  let closing: Periodic | undefined
  const grace = setTimeout(() => {
    closing = startPeriodic(() => server.closeIdleConnections(), { intervalMs: closeIdleEveryMs })
  }, idleGraceMs)
  const cut = setTimeout(() => {
    isCut = true
    server.closeAllConnections()
  }, timeoutMs)
  try {
    await closed
    return !isCut
  } finally {
    for (const timer of [grace, cut]) clearTimeout(timer)
    await closing?.stop()
  }
}

export interface Service {
  readonly server: FastifyInstance
  readonly deps: Deps
  /** The address that it listens on. */
  readonly url: string
  /** The administrator created on the first start, with secrets that are available only now. */
  readonly administrator: { readonly name: string; readonly secret: string; readonly linkSecret: string } | undefined
  /**
   * Becomes unready, finishes the requests in progress and closes the database, within the time limits of the settings.
   *
   * @returns Whether everything was finished. If not, the process may have to exit.
   */
  close(): Promise<boolean>
}

/** At most 15 MB and 10 seconds each: the longest wait is half a minute. */
const outboundQueue = { maxConcurrent: 8, maxWaiting: 24 }

/**
 * The maximum number of connections that wait to be accepted, up to the limit of the system (`somaxconn`). A client
 * whose connection does not fit retries after 1, 3, 7, 15 seconds, even if the server is idle by then.
 */
const listenBacklog = 4096

/** Opens the database of this configuration. Creates and migrates it if necessary. */
export async function openDeps(
  config: Config,
  { now = systemClock, ...options }: Partial<StorageOptions> = {},
): Promise<Deps> {
  await mkdir(config.dataDir, { recursive: true })
  const monitoring = await openMonitoring(config)
  const storage = await openStorage(config, {
    ...{ audited: auditedTables, derivations: derivationsFor(config), onQueryEnd: monitoring.onQueryEnd },
    ...options,
    now,
  })
  return { config, storage, ...(await openExternalDeps(config, monitoring)), now }
}

/**
 * Opens the dependencies outside the database: the picture store and the image worker, map tiles, outbound fetches,
 * limits and monitoring.
 */
export async function openExternalDeps(
  config: Config,
  monitoring?: Monitoring,
): Promise<Pick<Deps, 'pictures' | 'streets' | 'fetchOutbound' | 'fetchDocument' | 'links' | 'limits' | 'monitoring'>> {
  const told = monitoring ?? (await openMonitoring(config))
  const pictures = {
    store: await openPictureStore(config.media),
    imageWorker: createImageWorker(config.pictureTimeoutSeconds * 1000),
  }
  const queue = limitConcurrency(fetchOutbound, outboundQueue)
  told.measure({ fetchesWaiting: queue.waiting, picturesWaiting: pictures.imageWorker.waiting })
  const streets = createStreets(config)
  const links = createLinkChecker()
  return {
    pictures,
    streets,
    fetchOutbound: queue.fetch,
    fetchDocument,
    links,
    limits: createLimits(config),
    monitoring: told,
  }
}

/** The time that closing takes if nothing hangs. */
const closeTimeoutMs = 5000

/**
 * Starts the service: database, listening, first administrator, jobs. If it cannot listen, it creates no administrator,
 * since nobody would see the password. Requests that arrive before the administrator exists wait.
 *
 * @param onListening Called before an administrator may be created. From then on, the password must be printed.
 */
export async function startService(config: Config, onListening: () => void = () => {}): Promise<Service> {
  // Half of the program, which a command that does not serve need not load.
  const [{ createApp }, { jobs }] = await Promise.all([import('./app.ts'), import('./operate/jobs/jobs.ts')])
  const deps = await openDeps(config)
  let server: FastifyInstance | undefined
  try {
    await deps.streets.archive()
    await removeStaleFolders()
    await calendarIdentity(deps.storage)
    const readiness = createReadiness(deps)
    const stopping = new AbortController()
    server = createApp(deps, { readiness, stopping })
    const releaseRequests = holdRequests(server)
    const url = await server.listen({ host: config.host, port: config.port, backlog: listenBacklog })
    onListening()
    const first = await createFirstAdministrator(deps)
    releaseRequests()
    const { log, server: http } = server
    const report = (error: unknown) => isToldOnce(error) || log.error(error)
    const purging = config.sharedCachePurgeUrls.length > 0 ? [startPurging(deps, { log, report })] : []
    const running = [startJobs(deps, jobs, report), ...purging]
    const listening = server
    return {
      server,
      deps,
      url,
      administrator: first && { name: first.user.name, secret: first.secret, linkSecret: first.linkSecret },
      close: async () => {
        readiness.stop()
        await wait(config.shutdownDelaySeconds * 1000)
        stopping.abort()
        const isFinished = await closeGracefully(http, config.shutdownTimeoutSeconds * 1000)
        const closing = async () => {
          await Promise.all(running.map((one) => one.stop()))
          await listening.close()
          await deps.pictures.imageWorker.close()
          await deps.streets.close()
          await deps.storage.close()
          await deps.monitoring.close()
          return isFinished
        }
        // A database that hangs keeps its connections open.
        return Promise.race([closing(), wait(closeTimeoutMs, false, { ref: false })])
      },
    }
  } catch (error) {
    // Waiting requests get no response, since the service did not start.
    server?.server.closeAllConnections()
    await server?.close()
    await deps.streets.close()
    await deps.storage.close()
    throw error
  }
}

/** Holds all requests until the returned function is called. */
function holdRequests(server: FastifyInstance): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isOpen = false
  server.addHook('onRequest', (_request, _reply, done) => {
    if (isOpen) done()
    else void promise.then(() => done())
  })
  return () => {
    isOpen = true
    resolve()
  }
}
