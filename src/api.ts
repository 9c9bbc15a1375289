import { keyRoutes } from './access/accounts/key.routes.ts'
import { linkRoutes } from './access/accounts/link.routes.ts'
import { sessionRoutes } from './access/accounts/session.routes.ts'
import { userRoutes } from './access/accounts/user.routes.ts'
import { batchRoutes } from './access/batch/batch.routes.ts'
import type { Deps } from './access/deps.ts'
import { contractNamespace, type Namespace } from './access/http/namespace.ts'
import type { Route } from './access/http/route.ts'
import { serviceNamespaceOf, servicePolicy } from './access/http/service.ts'
import type { ApiDefinition } from './access/server/dispatch.ts'
import { viewRoutes } from './access/views/view.routes.ts'
import { cancellationRoutes } from './calendar/cancellations/cancellation.routes.ts'
import { changeRoutes } from './calendar/changes/change.routes.ts'
import { directoryRoutes } from './calendar/directory/directory.routes.ts'
import { directoryUsageRoutes } from './calendar/directory/directory.usage.routes.ts'
import { eventRoutes } from './calendar/events/event.routes.ts'
import { eventRowRoutes } from './calendar/events/list/rows.routes.ts'
import { eventSourceRoutes } from './calendar/events/present/source.routes.ts'
import { eventDoubleRoutes } from './calendar/events/write/doubles.routes.ts'
import { attachmentNamespace, mediaRoutes } from './calendar/media/media.routes.ts'
import { mediaUsageRoute } from './calendar/media/media.usage.routes.ts'
import { mergeRoutes, termMergeRoutes } from './calendar/merges/merge.routes.ts'
import { nameRoutes } from './calendar/names/names.routes.ts'
import { organizers } from './calendar/organizers/organizer.directory.ts'
import { seriesRoutes } from './calendar/series/series.routes.ts'
import { seriesWrites } from './calendar/series/series.writes.ts'
import { termRoutes } from './calendar/terms/term.routes.ts'
import { purgeRoutes, restoreRoutes } from './calendar/trash/restore.routes.ts'
import { venues } from './calendar/venues/venue.directory.ts'
import { calendarImportRoutes } from './exchange/calendars/calendar.routes.ts'
import { subscriptionRoutes } from './exchange/calendars/subscription.routes.ts'
import { recordingRoutes } from './exchange/imports/recording.routes.ts'
import { linkCheckRoutes } from './exchange/links/link.routes.ts'
import { sourceRoutes } from './exchange/upsert/upsert.routes.ts'
import { auditRoutes, eventHistoryRoutes } from './operate/audit/audit.routes.ts'
import { settingRoutes } from './operate/settings/settings.routes.ts'
import { presentRoot, presentRoute } from './publish/doc/index.present.ts'
import { contractIndex, indexRoute, serviceIndex } from './publish/doc/index.routes.ts'
import { docRoute } from './publish/doc/openapi.routes.ts'
import { feedRoutes } from './publish/feeds/feed.routes.ts'
import { oembedNamespace } from './publish/pages/oembed.routes.ts'
import type { PagesOptions } from './publish/pages/page.answers.ts'
import { createPages, variesByAccept } from './publish/pages/pages.ts'

/** Every route of the interface, in the order in which the index lists them (index-and-doc.md §1). */
export const routes: readonly Route[] = [
  indexRoute(contractIndex, () => contract),
  docRoute('getDocument', () => contract),
  ...eventRoutes(seriesWrites),
  ...directoryRoutes(venues),
  ...directoryRoutes(organizers),
  ...termRoutes('category'),
  ...termRoutes('tag'),
  ...feedRoutes,
]

export const contract = contractNamespace(routes)

/** Our own namespace: what the contract does not know. */
export const service: Namespace = {
  name: serviceNamespaceOf,
  policy: servicePolicy,
  routes: [
    indexRoute(serviceIndex, () => service),
    docRoute('getServiceDocument', () => service),
    ...userRoutes,
    ...keyRoutes,
    ...sessionRoutes,
    ...linkRoutes,
    ...viewRoutes,
    ...mediaRoutes,
    mediaUsageRoute,
    ...restoreRoutes,
    ...purgeRoutes,
    ...seriesRoutes,
    ...eventRowRoutes,
    ...eventDoubleRoutes,
    ...eventSourceRoutes,
    ...nameRoutes,
    ...directoryUsageRoutes(venues),
    ...directoryUsageRoutes(organizers),
    ...cancellationRoutes,
    ...mergeRoutes(venues),
    ...mergeRoutes(organizers),
    ...termMergeRoutes('category'),
    ...termMergeRoutes('tag'),
    ...changeRoutes,
    ...batchRoutes(() => ({ contract, service })),
    ...sourceRoutes,
    ...recordingRoutes,
    ...calendarImportRoutes,
    ...subscriptionRoutes,
    ...linkCheckRoutes,
    ...auditRoutes,
    ...eventHistoryRoutes,
    ...settingRoutes,
  ],
}

/** The namespaces beside the contract's, each where the settings have it. */
export const serviceNamespaces: readonly Namespace[] = [service, attachmentNamespace, oembedNamespace]

/** Returns the parts of the interface and its pages, as the server and each reader thread use them. */
export function apiOf(deps: Deps, options: PagesOptions): ApiDefinition {
  return {
    routes,
    root: (addresses, language) => presentRoot({ deps, addresses, language, namespace: contract }),
    describe: (route, addresses, language) => presentRoute(route, { deps, addresses, language, namespace: contract }),
    pages: createPages(options),
    variesByAccept,
    report: options.report,
    readers: options.readers,
  }
}
