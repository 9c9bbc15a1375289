import { isoUtc } from '../../base/time/wire.ts'
import { formatCursor } from './audit.arguments.ts'
import type { AuditEntry, AuditPage } from './audit.ts'

/** Returns a page of entries as clients read it, with the cursor of the next page. */
export function presentAuditPage({ entries, isLast }: AuditPage) {
  const last = entries.at(-1)
  return { entries: entries.map(presentAuditEntry), next_cursor: isLast || !last ? null : formatCursor(last) }
}

/** Returns a page of the history of an item: without who sent the request from where. */
export function presentHistory({ entries, isLast }: AuditPage) {
  const last = entries.at(-1)
  return {
    entries: entries.map(({ id, at, user, action, changes }) => ({
      ...{ id, at: isoUtc(at), by: user?.name ?? null, action, changes },
    })),
    next_cursor: isLast || !last ? null : formatCursor(last),
  }
}

function presentAuditEntry(entry: AuditEntry) {
  const { id, at, via, user, kind, itemId, action, changes, address, requestId } = entry
  return {
    id,
    at: isoUtc(at),
    actor: { via, id: user?.id ?? null, name: user?.name ?? null },
    ...{ kind, item_id: itemId, action, changes },
    from: { address: address ?? null, request_id: requestId ?? null },
  }
}
