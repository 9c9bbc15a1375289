import { assertAllowed, mayCreate, mayEdit, mayReadAudit } from '../../access/auth/policy.ts'
import { pathArgument } from '../../access/http/arguments/argument.kinds.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import { fail, failParameter } from '../../base/problems.ts'
import { findEvent } from '../../calendar/events/event.repository.ts'
import { auditArguments, auditQueryOf } from './audit.arguments.ts'
import { presentAuditPage, presentHistory } from './audit.present.ts'
import { readAuditPage } from './audit.service.ts'

const listEndpoint = endpoint({
  methods: ['GET'],
  operation: 'listAuditEntries',
  summary: 'audit.list',
  about: 'audit.list.about',
  answer: { schema: async () => (await import('./audit.schema.ts')).AuditPageSchema },
  problems: ['rest_forbidden'],
  args: auditArguments,
  isOpenTo: mayReadAudit,
  handle: async ({ deps, values }) => {
    const query = auditQueryOf(values)
    if ('refused' in query) return failParameter(query.refused, 'fault.invalid')
    return { status: 200, body: presentAuditPage(await readAuditPage(deps, query)) }
  },
})

/** Who wrote what, for administrators. */
export const auditRoutes: readonly Route[] = [{ path: '/audit', tag: 'Audit', endpoints: [listEndpoint] }]

const historyEndpoint = endpoint({
  methods: ['GET'],
  operation: 'listEventHistory',
  summary: 'events.history',
  about: 'events.history.about',
  answer: { schema: async () => (await import('./audit.schema.ts')).EventHistorySchema },
  problems: ['rest_forbidden', 'record-not-found'],
  path: {
    // A caller without the right to write must not learn which records exist.
    id: pathArgument('record-not-found', 'id.event'),
  },
  args: { cursor: auditArguments.cursor, per_page: auditArguments.per_page },
  isOpenTo: mayCreate,
  handle: async ({ deps, actor, path, values }) => {
    const event = (await findEvent(deps.storage.db, path.id ?? 0)) ?? fail('record-not-found')
    assertAllowed(actor, mayEdit(actor, event))
    const query = auditQueryOf({ ...values, kind: 'event', id: event.id })
    if ('refused' in query) return fail('record-not-found')
    return { status: 200, body: presentHistory(await readAuditPage(deps, query)) }
  },
})

/** What was changed in an event, for those who may change it. Addresses of clients are for administrators only. */
export const eventHistoryRoutes: readonly Route[] = [
  { path: '/events/{id}/history', tag: 'Events', endpoints: [historyEndpoint] },
]
