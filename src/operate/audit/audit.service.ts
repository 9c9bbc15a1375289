import type { Deps } from '../../access/deps.ts'
import { removeEntries } from '../../storage/database/audit.ts'
import { hasEntryBefore, listAuditEntries } from './audit.repository.ts'
import type { AuditPage, AuditQuery } from './audit.ts'

const daySeconds = 86_400
/** Few enough to let others write in between. */
const batchSize = 1000
const intervalMs = 3_600_000

/** Who wrote what, the newest first. */
export async function readAuditPage({ storage }: Pick<Deps, 'storage'>, query: AuditQuery): Promise<AuditPage> {
  const entries = await listAuditEntries(storage.db, { ...query, limit: query.limit + 1 })
  return { entries: entries.slice(0, query.limit), isLast: entries.length <= query.limit }
}

/**
 * Removes the entries that are older than they are to be kept, a bounded number per transaction.
 *
 * @returns how many were removed.
 */
export async function pruneAudit({ config, storage, now }: Deps): Promise<number> {
  if (config.auditRetentionDays === 0) return 0
  const before = now() - config.auditRetentionDays * daySeconds
  let removed = 0
  // Looked for before a write is begun: all nodes look, and the first removes.
  while (await hasEntryBefore(storage.db, before)) {
    const count = await storage.write((tx) => removeEntries(tx, before, batchSize))
    if (count === 0) break
    removed += count
  }
  return removed
}

/** Removes what is old now and every hour from then on, until it is stopped. Every process does: it costs one query. */
export function startAuditPruning(deps: Deps, report: (error: unknown) => void): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const prune = () => {
    running = running.then(() => pruneAudit(deps)).then(() => {}, report)
  }
  prune()
  const timer = setInterval(prune, intervalMs)
  timer.unref()
  return {
    stop: () => {
      clearInterval(timer)
      return running
    },
  }
}
