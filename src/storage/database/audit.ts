import { CompiledQuery, sql } from 'kysely'
import { type Changes, changesOf, type PendingRow } from './audit.changes.ts'
import type { AuditedTables } from './audited.tables.ts'
import type { Origin } from './origin.ts'
import type { Tx } from './tables.ts'

// The table `audit_pending` has rows only within a write. Triggers add them, and the end of the write removes them.
// Only this file uses the table, and a copy of the content omits it.

export const ACTIONS = ['create', 'upload', 'update', 'trash', 'restore', 'delete', 'prune'] as const
export type AuditAction = (typeof ACTIONS)[number]

/** What a write did to one item. */
interface PendingEntry {
  readonly kind: string
  readonly itemId: number
  readonly action: AuditAction
  readonly changes: Changes
}

const rowsAtOnce = 200

/** Runs at the end of every write, so the query is compiled once. */
const takePending = CompiledQuery.raw('delete from audit_pending returning *')

/** The context in which a write is audited. */
export interface Recording {
  readonly origin: Origin
  /** Returns the time of the entries, in seconds since 1970. */
  readonly now: () => number
  readonly audited: AuditedTables
}

/**
 * Runs a write and records its changes in the same transaction. The record is committed or rolled back with the write.
 */
export async function withAudit<T>(tx: Tx, work: (tx: Tx) => Promise<T>, as: Recording): Promise<T> {
  const result = await work(tx)
  const { rows } = await tx.executeQuery<PendingRow>(takePending)
  const entries = entriesOf(rows, as.audited)
  if (entries.length > 0) await insertAuditEntries(tx, entries, as)
  return result
}

/** Discards the pending changes of this write so far. Used for content that brings its own audit record. */
export async function discardPendingAudit(tx: Tx): Promise<void> {
  await sql`delete from audit_pending`.execute(tx)
}

async function insertAuditEntries(tx: Tx, entries: readonly PendingEntry[], { origin, now }: Recording): Promise<void> {
  const { via, userId = null, address = null, requestId = null } = origin
  const at = now()
  const name = userId === null ? sql`null` : sql`(select name from users where id = ${userId})`
  for (let start = 0; start < entries.length; start += rowsAtOnce) {
    const values = entries.slice(start, start + rowsAtOnce).map(
      ({ kind, itemId, action, changes }) =>
        sql`(${at}, ${via}, ${userId}, ${name}, ${kind}, ${itemId}, ${action}, ${JSON.stringify(changes)},
            ${address}, ${requestId})`,
    )
    await sql`insert into audit (at, via, user_id, user_name, kind, item_id, action, changes, address, request_id)
      values ${sql.join(values)}`.execute(tx)
  }
}

/**
 * Removes the oldest entries before this second, up to `limit`. The removal itself is audited, so a reader knows that
 * entries are missing because they were removed.
 *
 * @returns the number of removed entries.
 */
export async function pruneAuditEntries(tx: Tx, before: number, limit: number): Promise<number> {
  // The engine refuses to remove any entry that this row does not cover.
  await sql`insert into audit_pruning (id, before_at) values (1, ${before})`.execute(tx)
  const { numAffectedRows } = await sql`delete from audit where id in (
    select id from audit where at < ${before} order by at, id limit ${limit})`.execute(tx)
  await sql`delete from audit_pruning`.execute(tx)
  const removed = Number(numAffectedRows ?? 0)
  if (removed > 0) {
    const [was, became] = [removed, 0].map((entries) => JSON.stringify({ entries }))
    await sql`insert into audit_pending (subject, item_id, area, part_id, kind, was, became)
      values ('audit', 0, 'audit', 0, 'audit', ${was}, ${became})`.execute(tx)
  }
  return removed
}

/** Returns one entry for each changed item, ordered by kind and id. */
function entriesOf(rows: readonly PendingRow[], audited: AuditedTables): readonly PendingEntry[] {
  const items = Map.groupBy(rows, ({ subject, item_id }) => `${subject} ${item_id}`)
  return [...items.values()]
    .flatMap((parts) => entryOf(parts, audited) ?? [])
    .sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : a.itemId - b.itemId))
}

/** Returns undefined if the item only links to a removed item, or was both created and removed by this write. */
function entryOf(parts: readonly PendingRow[], audited: AuditedTables): PendingEntry | undefined {
  const named = parts.find(({ kind }) => kind !== '')
  if (!named) return undefined
  const { kind, item_id: itemId } = named
  const own = parts.find(({ area }) => area === 'records' || area === 'terms' || area === 'users')
  if (own && own.was === null) {
    return own.became === null
      ? undefined
      : { kind, itemId, action: kind === 'media' ? 'upload' : 'create', changes: {} }
  }
  const changes = changesOf(parts, audited)
  return { kind, itemId, action: own?.became === null ? 'delete' : actionOf(kind, changes), changes }
}

function actionOf(kind: string, { status }: Changes): AuditAction {
  if (kind === 'audit') return 'prune'
  if (status?.after === 'trash') return 'trash'
  return status?.before === 'trash' ? 'restore' : 'update'
}
