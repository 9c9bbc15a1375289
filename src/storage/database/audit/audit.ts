import { sql } from 'kysely'
import type { Origin } from '../origin.ts'
import { compiledInsert, compiledStatement, dialectOf } from '../statements/compiled.statement.ts'
import { forgetSharedReads } from '../statements/shared.reads.ts'
import type { Tx } from '../tables.ts'
import type { AuditedTables } from './audited.tables.ts'
import { type Differences, differencesOf, type PendingRow } from './differences.ts'

// The table `audit_pending` has rows only within a write. Triggers add them, and the end of the write removes them.
// Only this file uses the table, and a copy of the content omits it.

export const ACTIONS = ['create', 'upload', 'update', 'trash', 'restore', 'delete', 'prune'] as const
export type AuditAction = (typeof ACTIONS)[number]

/** What a write did to one item. */
interface PendingEntry {
  readonly kind: string
  readonly itemId: number
  readonly action: AuditAction
  readonly changes: Differences
}

/** Returns and removes what a write changed, with the name of its user as of now. */
const takePending = compiledStatement<
  { readonly userId: number | null },
  PendingRow & { readonly user_name: string | null }
>(
  ({ userId }) => sql`
    delete from audit_pending
    returning subject, item_id, area, part_id, kind, was, became,
      (select name from users where id = ${userId}) as user_name`,
)

export interface AuditContext {
  readonly origin: Origin
  /** Returns the time of the entries, in seconds since 1970. */
  readonly now: () => number
  readonly audited: AuditedTables
}

/** A row of the audit log, without its number. */
export interface NewAuditRow {
  readonly at: number
  readonly via: Origin['via']
  readonly user_id: number | null
  readonly user_name: string | null
  readonly kind: string
  readonly item_id: number
  readonly action: AuditAction
  readonly changes: string
  readonly address: string | null
  readonly request_id: string | null
}

const insertRows = compiledInsert<NewAuditRow>('audit')

/**
 * Runs a write and returns its result with the rows that record its changes. They must be added with `insertAuditRows`
 * in the same transaction, so that they are committed or rolled back with the write. The statement that takes its changes
 * has been sent, but no other write of a user may begin before they are there.
 */
export async function withAudit<T>(
  tx: Tx,
  work: (tx: Tx) => Promise<T>,
  context: AuditContext,
): Promise<{ readonly result: T; readonly rows: Promise<readonly NewAuditRow[]> }> {
  const result = await work(tx)
  return { result, rows: rowsOf(tx, context) }
}

async function rowsOf(tx: Tx, { origin, now, audited }: AuditContext): Promise<readonly NewAuditRow[]> {
  const { via, userId = null, address = null, requestId = null } = origin
  const pending = await takePending(tx, { userId })
  if (pending.some(({ subject }) => subject === 'user')) forgetSharedReads(tx)
  if (pending.length === 0) return []
  const by = { at: now(), via, user_id: userId, user_name: pending[0]?.user_name ?? null }
  return entriesOf(pending, audited).map(({ kind, itemId, action, changes }) => ({
    ...{ ...by, kind, item_id: itemId, action },
    ...{ changes: JSON.stringify(changes), address, request_id: requestId },
  }))
}

/** Adds the rows of all writes of a transaction to the audit log, in this order. */
export async function insertAuditRows(tx: Tx, rows: readonly NewAuditRow[]): Promise<void> {
  await insertRows(tx, rows)
}

/** Records that a transaction had changed before the write that is summarized next. */
const keptRecords = new WeakMap<Tx, ReadonlySet<number>>()

/** Keeps the entries of all records that this transaction has changed so far. The next summary leaves them out. */
export async function keepPendingAudit(tx: Tx): Promise<void> {
  const { rows } = await sql<{ readonly item_id: number }>`
    select distinct item_id from audit_pending where subject = 'record'`.execute(tx)
  keptRecords.set(tx, new Set(rows.map((row) => Number(row.item_id))))
}

/** What a summary says of the records that it replaces: numbers, which several summaries of a transaction add up. */
interface SummaryNote {
  readonly itemId: number
  readonly kind: string
  readonly area: string
  readonly counts: Readonly<Record<string, number>>
}

/**
 * Replaces the pending changes of many records by a note of another record that changed them. One entry then records the
 * write, not one for each of them. Records that were kept keep their entries.
 */
export async function summarizePendingAudit(tx: Tx, itemIds: readonly number[], note: SummaryNote): Promise<void> {
  const { isAmong } = dialectOf(tx)
  const kept = keptRecords.get(tx) ?? new Set()
  const ids = itemIds.filter((id) => !kept.has(id))
  await sql`delete from audit_pending where subject = 'record' and ${isAmong(sql.ref('item_id'), ids)}`.execute(tx)
  const { rows } = await sql<{ readonly became: string }>`select became from audit_pending
    where subject = 'record' and item_id = ${note.itemId} and area = ${note.area} and part_id = 0`.execute(tx)
  const earlier = JSON.parse(rows[0]?.became ?? '{}') as SummaryNote['counts']
  const counts = Object.entries(note.counts).map(([name, number]) => [name, number + (earlier[name] ?? 0)] as const)
  await sql`insert into audit_pending (subject, item_id, area, part_id, kind, was, became)
    values ('record', ${note.itemId}, ${note.area}, 0, ${note.kind}, '{}', ${JSON.stringify(Object.fromEntries(counts))})
    on conflict (subject, item_id, area, part_id) do update set became = excluded.became`.execute(tx)
}

/** Notes a change of a part of a user for which there is no trigger, because it has no table. */
export async function noteOfUser(
  tx: Tx,
  userId: number,
  {
    area,
    was,
    became,
  }: { readonly area: string; readonly was?: object | undefined; readonly became?: object | undefined },
): Promise<void> {
  const [before, after] = [was, became].map((fields) => (fields ? JSON.stringify(fields) : null))
  await sql`insert into audit_pending (subject, item_id, area, part_id, kind, was, became)
    values ('user', ${userId}, ${area}, 0, 'user', ${before}, ${after})`.execute(tx)
}

/** Discards the pending changes of this write so far. Used for content that brings its own audit record. */
export async function discardPendingAudit(tx: Tx): Promise<void> {
  await sql`delete from audit_pending`.execute(tx)
  forgetSharedReads(tx)
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
  if (rows.length === 1) return [entryOf(rows, audited) ?? []].flat()
  const items = Map.groupBy(rows, ({ subject, item_id }) => `${subject} ${item_id}`)
  return [...items.values()]
    .flatMap((parts) => entryOf(parts, audited) ?? [])
    .sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : a.itemId - b.itemId))
}

/** The tables whose rows exist as long as their items. */
const ownAreas: readonly string[] = ['records', 'terms', 'users', 'undos']

/** Returns undefined if the item only links to a removed item, or was both created and removed by this write. */
function entryOf(parts: readonly PendingRow[], audited: AuditedTables): PendingEntry | undefined {
  const own = parts.find(({ area }) => ownAreas.includes(area))
  // The row of the item itself knows its kind best: the template of a series has a row in the table of events.
  const named = own ?? parts.find(({ kind }) => kind !== '')
  if (!named || named.kind === '') return undefined
  const { kind, item_id: itemId } = named
  if (own && own.was === null) {
    return own.became === null
      ? undefined
      : { kind, itemId, action: kind === 'media' ? 'upload' : 'create', changes: {} }
  }
  const changes = differencesOf(parts, audited)
  return { kind, itemId, action: own?.became === null ? 'delete' : actionOf(kind, changes), changes }
}

function actionOf(kind: string, { status }: Differences): AuditAction {
  if (kind === 'audit') return 'prune'
  if (status?.after === 'trash') return 'trash'
  return status?.before === 'trash' ? 'restore' : 'update'
}
