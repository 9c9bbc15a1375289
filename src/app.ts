import type { FastifyInstance } from 'fastify'
import { accountRoutes } from './accounts/account.routes.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import type { Deps } from './deps.ts'
import { directoryRoutes } from './directory/directory.routes.ts'
import { serveDocs } from './doc/docs.routes.ts'
import { presentRoot, presentRoute } from './doc/index.present.ts'
import { indexRoute } from './doc/index.routes.ts'
import { docRoute } from './doc/openapi.routes.ts'
import { serveEmbed } from './embed/embed.routes.ts'
import { eventRoutes } from './events/event.routes.ts'
import { serveEventCalendars } from './feeds/feed.page.ts'
import { feedRoutes } from './feeds/feed.routes.ts'
import { attendTo } from './health/health.probe.ts'
import { createReadiness } from './health/health.ts'
import type { Route } from './http/route.ts'
import { createServer } from './http/server.ts'
import { type AddRoute, serveNamespace, serviceNamespaceOf } from './http/service.ts'
import { mediaRoutes, serveAttachments } from './media/media.routes.ts'
import { serveUploads } from './media/media.serving.ts'
import { organizers } from './organizers/organizer.directory.ts'
import { serveMapTiles } from './pages/map.tiles.ts'
import { serveOembed } from './pages/oembed.routes.ts'
import { pageAssets, servePageAssets } from './pages/page.assets.ts'
import { isByAccept, pagesOf } from './pages/pages.ts'
import { termRoutes } from './terms/term.routes.ts'
import { restoreRoutes } from './trash/restore.routes.ts'
import { venues } from './venues/venue.directory.ts'

/** Every route of the interface, in the order in which the index lists them (index-and-doc.md §1). */
export const routes: readonly Route[] = [
  indexRoute(() => routes),
  docRoute(() => routes),
  ...eventRoutes,
  ...directoryRoutes(venues),
  ...directoryRoutes(organizers),
  ...termRoutes('category'),
  ...termRoutes('tag'),
  ...feedRoutes,
]

/** Every route of our own namespace. */
export function serviceRoutes(add: AddRoute, namespace: string): void {
  accountRoutes(add)
  mediaRoutes(add, namespace)
  restoreRoutes(add)
  auditRoutes(add)
}

/** The whole service over HTTP, not listening yet. */
export function createApp(deps: Deps, readiness = createReadiness(deps)): FastifyInstance {
  const assets = pageAssets(deps.config)
  const report = (error: unknown) => server.log.error(error)
  const server: FastifyInstance = createServer(deps, {
    routes,
    root: (addresses, language) => presentRoot(routes, { deps, addresses, language }),
    describe: (route, addresses, language) => presentRoute(route, { deps, addresses, language }),
    attend: attendTo(readiness),
    pages: pagesOf({ files: async () => (await assets()).files, report }),
    isByAccept,
    report,
  })
  servePageAssets(server, assets)
  serveMapTiles(server, deps)
  serveEmbed(server, deps.config)
  serveDocs(server, deps, routes)
  const own = serviceNamespaceOf(deps.config)
  serveNamespace(server, deps, own, (add) => serviceRoutes(add, own))
  serveAttachments(server, deps)
  serveUploads(server, deps)
  serveEventCalendars(server, deps)
  serveOembed(server, deps)
  return server
}
