import type { FastifyInstance } from 'fastify'
import { accountRoutes } from './access/accounts/account.routes.ts'
import type { Deps } from './access/deps.ts'
import { contractNamespace, type Namespace } from './access/http/namespace.ts'
import type { Route } from './access/http/route.ts'
import { serveNamespace } from './access/http/service.serving.ts'
import { type ServiceRoute, serviceNamespaceOf, servicePolicy } from './access/http/service.ts'
import { createServer } from './access/server/server.ts'
import { directoryRoutes } from './calendar/directory/directory.routes.ts'
import { eventRoutes } from './calendar/events/event.routes.ts'
import { attachmentNamespace, mediaRoutes } from './calendar/media/media.routes.ts'
import { serveUploads } from './calendar/media/media.serving.ts'
import { organizers } from './calendar/organizers/organizer.directory.ts'
import { termRoutes } from './calendar/terms/term.routes.ts'
import { restoreRoutes } from './calendar/trash/restore.routes.ts'
import { venues } from './calendar/venues/venue.directory.ts'
import { auditRoutes } from './operate/audit/audit.routes.ts'
import { createHealthProbe } from './operate/health/health.probe.ts'
import { createReadiness } from './operate/health/health.ts'
import { serveDocs } from './publish/doc/docs.routes.ts'
import { presentRoot, presentRoute } from './publish/doc/index.present.ts'
import { indexRoute, serviceIndexRoute } from './publish/doc/index.routes.ts'
import { docRoute, serviceDocRoute } from './publish/doc/openapi.routes.ts'
import { serveEmbed } from './publish/embed/embed.routes.ts'
import { serveEventCalendars } from './publish/feeds/event.calendar.routes.ts'
import { feedRoutes } from './publish/feeds/feed.routes.ts'
import { serveMapTiles } from './publish/pages/map/map.tiles.ts'
import { oembedNamespace } from './publish/pages/oembed.routes.ts'
import { pageAssets, servePageAssets } from './publish/pages/page.assets.ts'
import { createPages, variesByAccept } from './publish/pages/pages.ts'

/** Every route of the interface, in the order in which the index lists them (index-and-doc.md §1). */
export const routes: readonly Route[] = [
  indexRoute(() => contract),
  docRoute(() => contract),
  ...eventRoutes,
  ...directoryRoutes(venues),
  ...directoryRoutes(organizers),
  ...termRoutes('category'),
  ...termRoutes('tag'),
  ...feedRoutes,
]

/** The contract's namespace. */
export const contract = contractNamespace(routes)

/** Our own namespace: what the contract does not know. */
export const service: Namespace<ServiceRoute> = {
  name: serviceNamespaceOf,
  policy: servicePolicy,
  routes: [
    serviceIndexRoute(() => service),
    serviceDocRoute(() => service),
    ...accountRoutes,
    ...mediaRoutes,
    ...restoreRoutes,
    ...auditRoutes,
  ],
}

/** The namespaces beside the contract's, each where the settings have it. */
export const serviceNamespaces: readonly Namespace<ServiceRoute>[] = [service, attachmentNamespace, oembedNamespace]

/** The whole service over HTTP, not listening yet. */
export function createApp(deps: Deps, readiness = createReadiness(deps)): FastifyInstance {
  const assets = pageAssets(deps.config)
  const report = (error: unknown) => server.log.error(error)
  const server: FastifyInstance = createServer(deps, {
    routes,
    root: (addresses, language) => presentRoot({ deps, addresses, language, namespace: contract }),
    describe: (route, addresses, language) => presentRoute(route, { deps, addresses, language, namespace: contract }),
    answerProbe: createHealthProbe(readiness),
    pages: createPages({ files: async () => (await assets()).files, report }),
    variesByAccept,
    report,
  })
  servePageAssets(server, assets)
  serveMapTiles(server, deps)
  serveEmbed(server, deps.config)
  serveDocs(server, deps, { contract, service })
  for (const namespace of serviceNamespaces) serveNamespace(server, deps, namespace)
  serveUploads(server, deps)
  serveEventCalendars(server, deps)
  return server
}
