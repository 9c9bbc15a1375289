import type { Deps } from '../../access/deps.ts'
import { pruneAuditEntries } from '../../storage/database/audit/audit.ts'
import { hasEntryBefore, listAuditEntries } from './audit.repository.ts'
import type { AuditPage, AuditQuery } from './audit.ts'

const daySeconds = 86_400
/** Small enough to let other writers run between batches. */
const batchSize = 1000

/** Returns a page of the audit log, newest first. */
export async function readAuditPage({ storage }: Pick<Deps, 'storage'>, query: AuditQuery): Promise<AuditPage> {
  const entries = await listAuditEntries(storage.db, { ...query, limit: query.limit + 1 })
  return { entries: entries.slice(0, query.limit), isLast: entries.length <= query.limit }
}

/**
 * Removes the entries that exceed the retention period, a limited number per transaction.
 *
 * @returns how many were removed.
 */
export async function pruneAudit(deps: Deps): Promise<number> {
  let removed = 0
  // Checked before a write begins: several processes may do this at once, and the first one removes.
  while (await hasOldEntries(deps)) {
    const count = await removeOldEntries(deps)
    if (count === 0) break
    removed += count
  }
  return removed
}

/** Returns whether entries exceed the retention period. It costs one index lookup. */
export async function hasOldEntries(deps: Deps): Promise<boolean> {
  const before = oldestKept(deps)
  return before !== undefined && hasEntryBefore(deps.storage.db, before)
}

/** Removes a limited number of old entries. @returns whether there may be more. */
export async function pruneBatch(deps: Deps): Promise<boolean> {
  return (await removeOldEntries(deps)) === batchSize
}

async function removeOldEntries(deps: Deps): Promise<number> {
  const before = oldestKept(deps)
  return before === undefined ? 0 : deps.storage.write((tx) => pruneAuditEntries(tx, before, batchSize))
}

/** Returns the second from which entries are kept; undefined if all are kept. */
function oldestKept({ config: { auditRetentionDays }, now }: Deps): number | undefined {
  return auditRetentionDays === 0 ? undefined : now() - auditRetentionDays * daySeconds
}
