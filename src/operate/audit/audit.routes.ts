import { assertAllowed, mayReadAudit } from '../../access/auth/policy.ts'
import { refuseParameter, textIn } from '../../access/http/service.query.ts'
import type { AddRoute } from '../../access/http/service.ts'
import { AUDIT_ARGUMENTS, readAuditQuery } from './audit.arguments.ts'
import { presentAuditPage } from './audit.present.ts'
import { readAuditPage } from './audit.service.ts'

/** Adds the routes of the audit log, for administrators. */
export function auditRoutes(add: AddRoute): void {
  add('GET', '/audit', async ({ deps, actor }, request) => {
    assertAllowed(actor, mayReadAudit(actor))
    const query = readAuditQuery(Object.fromEntries(AUDIT_ARGUMENTS.map((name) => [name, textIn(request, name)])))
    if ('refused' in query) return refuseParameter(query.refused)
    return presentAuditPage(await readAuditPage(deps, query))
  })
}
