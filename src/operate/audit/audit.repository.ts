import { sql } from 'kysely'
import type { AuditRow, Db } from '../../storage/database/tables.ts'
import type { AuditEntry, AuditQuery } from './audit.ts'

/** Returns the matching entries, newest first. Runs one query. */
export async function listAuditEntries(db: Db, asked: AuditQuery): Promise<readonly AuditEntry[]> {
  let entries = db.selectFrom('audit').selectAll()
  if (asked.kind !== undefined) entries = entries.where('kind', '=', asked.kind)
  if (asked.itemId !== undefined) entries = entries.where('item_id', '=', asked.itemId)
  if (asked.action !== undefined) entries = entries.where('action', '=', asked.action)
  if (asked.from !== undefined) entries = entries.where('at', '>=', asked.from)
  if (asked.to !== undefined) entries = entries.where('at', '<=', asked.to)
  if (asked.actor !== undefined) entries = entries.where(actorCondition(asked.actor))
  if (asked.after) {
    const { at, id } = asked.after
    entries = entries.where(sql<boolean>`(at, id) < (${at}, ${id})`)
  }
  const rows = await entries.orderBy('at', 'desc').orderBy('id', 'desc').limit(asked.limit).execute()
  return rows.map(auditEntryFromRow)
}

/** Returns whether an entry from before this second exists. */
export async function hasEntryBefore(db: Db, at: number): Promise<boolean> {
  return (await db.selectFrom('audit').select('id').where('at', '<', at).limit(1).executeTakeFirst()) !== undefined
}

function actorCondition(actor: string) {
  if (['cli', 'import', 'service'].includes(actor)) return sql<boolean>`via = ${actor}`
  // The indexes on users contain only entries with a user.
  const isUsers = sql`user_id > 0`
  return /^\d{1,15}$/.test(actor)
    ? sql<boolean>`${isUsers} and user_id = ${Number(actor)}`
    : sql<boolean>`${isUsers} and user_name = ${actor}`
}

function auditEntryFromRow(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    via: row.via,
    user: row.user_id === null ? undefined : { id: row.user_id, name: row.user_name ?? '' },
    kind: row.kind,
    itemId: row.item_id,
    action: row.action,
    changes: JSON.parse(row.changes),
    address: row.address ?? undefined,
    requestId: row.request_id ?? undefined,
  }
}
