import { extname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Deps } from './access/deps.ts'
import { createReaders } from './access/readers/readers.ts'
import { serveNamespace } from './access/server/namespace.serving.ts'
import { createServer } from './access/server/server.ts'
import { apiOf, contract, service, serviceNamespaces } from './api.ts'
import { serveUploads } from './calendar/media/media.serving.ts'
import { serveDesk } from './desk/serving/desk.serving.ts'
import { createHealthProbe } from './operate/health/health.probe.ts'
import { createReadiness, type Readiness } from './operate/health/health.ts'
import { serveDocs } from './publish/doc/docs.routes.ts'
import { serveEmbed } from './publish/embed/embed.routes.ts'
import { serveEventCalendars } from './publish/feeds/event.calendar.routes.ts'
import { calendarIdentity } from './publish/feeds/feed.identity.repository.ts'
import { serveMapTiles } from './publish/pages/map/map.tiles.ts'
import { pageAssets, servePageAssets } from './publish/pages/page.assets.ts'

/** The published package is compiled, and so is this module in it. */
const readerModule = new URL(`thread${extname(import.meta.filename)}`, import.meta.url)

interface AppOptions {
  readonly readiness?: Readiness
  /** What a reader thread runs. */
  readonly module?: URL | undefined
  /** Ends requests that wait. The closing server does so too, but only after its connections have ended. */
  readonly stopping?: AbortController
}

/** The whole service over HTTP, not listening yet. */
export function createApp(
  deps: Deps,
  { readiness = createReadiness(deps), module = readerModule, stopping = new AbortController() }: AppOptions = {},
): FastifyInstance {
  const assets = pageAssets(deps.config)
  const files = async () => (await assets()).files
  const report = (error: unknown) => server.log.error(error)
  const prepare = async () => {
    await calendarIdentity(deps.storage)
    return files()
  }
  const readers = createReaders(deps, { module, prepare, report })
  const server: FastifyInstance = createServer(deps, {
    ...apiOf(deps, { files, report, readers }),
    answerProbe: createHealthProbe(readiness),
  })
  if (readers) {
    server.addHook('onListen', async () => readers.start())
    server.addHook('onClose', readers.close)
  }
  servePageAssets(server, assets)
  serveDesk(server, deps, { files, report })
  serveMapTiles(server, deps)
  serveEmbed(server, deps.config)
  serveDocs(server, deps, { contract, service })
  server.addHook('preClose', async () => stopping.abort())
  const serving = { deps, readers, report, stopping: stopping.signal }
  for (const namespace of serviceNamespaces) serveNamespace(server, serving, namespace)
  serveUploads(server, deps)
  serveEventCalendars(server, deps)
  return server
}
