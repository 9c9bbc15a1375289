import type { Config } from '../base/config/config.ts'
import { isoUtc } from '../base/time/wire.ts'
import type { AuditArgument } from '../operate/audit/audit.arguments.ts'
import { readAuditQuery } from '../operate/audit/audit.arguments.ts'
import { presentAuditPage } from '../operate/audit/audit.present.ts'
import { pruneAudit, readAuditPage } from '../operate/audit/audit.service.ts'
import type { AuditEntry } from '../operate/audit/audit.ts'
import { withDatabase } from './database.ts'
import { CommandError, EXIT, type OutputOptions, printResult, table } from './output.ts'

type ListFlags = OutputOptions &
  Partial<Readonly<Record<Exclude<AuditArgument, 'per_page'>, string>>> & { readonly limit?: string }

/** Prints the audit log, newest first. */
export async function printAudit(config: Config, flags: ListFlags): Promise<number> {
  const { limit, json, kind, id, actor, action, from, to, cursor } = flags
  const query = readAuditQuery({ kind, id, actor, action, from, to, cursor, per_page: limit })
  if ('refused' in query) {
    const option = query.refused === 'per_page' ? 'limit' : query.refused
    throw new CommandError(EXIT.usage, `--${option} is not valid or matches nothing.`)
  }
  const page = await withDatabase(config, (deps) => readAuditPage(deps, query))
  const presented = presentAuditPage(page)
  const lines = table(['AT', 'BY', 'FROM', 'ACTION', 'KIND', 'ID', 'FIELDS'], page.entries.map(cellsOf))
  const more = presented.next_cursor === null ? '' : `\n\nMore: --cursor ${presented.next_cursor}`
  printResult(json ? { json } : {}, presented, `${lines}${more}`)
  return EXIT.ok
}

function cellsOf({ at, user, via, address, action, kind, itemId, changes }: AuditEntry): readonly string[] {
  return [isoUtc(at), user?.name ?? via, address ?? '', action, kind, String(itemId), Object.keys(changes).join(' ')]
}

/** Removes the entries that exceed the retention period, as the service does every hour. */
export async function pruneEntries(config: Config, output: OutputOptions): Promise<number> {
  const removed = await withDatabase(config, pruneAudit)
  const days = config.auditRetentionDays
  const outcome = `${removed} entries removed.`
  printResult(
    output,
    { removed, retention_days: days },
    days === 0 ? 'AUDIT_RETENTION_DAYS is 0: entries are kept forever.' : outcome,
  )
  return EXIT.ok
}
