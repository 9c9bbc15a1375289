import { mayReadAudit } from '../../access/auth/policy.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import { failParameter } from '../../base/problems.ts'
import { auditArguments, auditQueryOf } from './audit.arguments.ts'
import { presentAuditPage } from './audit.present.ts'
import { readAuditPage } from './audit.service.ts'

const listEndpoint = endpoint({
  methods: ['GET'],
  operation: 'listAuditEntries',
  summary: 'audit.list',
  about: 'audit.list.about',
  answer: { schema: async () => (await import('./audit.schema.ts')).AuditPageSchema },
  problems: ['rest_forbidden'],
  path: {},
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
