import type { AuditAction } from '../../storage/database/audit/audit.ts'
import type { Origin } from '../../storage/database/origin.ts'

/** An entry of the audit log: what one write did to one item, by whom, and from where. */
export interface AuditEntry {
  readonly id: number
  /** Seconds since 1970, UTC. */
  readonly at: number
  readonly via: Origin['via']
  /** The user who made the write, with the name at that time; undefined if no user did. */
  readonly user: { readonly id: number; readonly name: string } | undefined
  readonly kind: string
  readonly itemId: number
  readonly action: string
  /** Field → {before, after}. */
  readonly changes: object
  readonly address: string | undefined
  readonly requestId: string | undefined
}

export const AUDITED_KINDS = [
  ...(['event', 'venue', 'organizer', 'category', 'tag', 'media'] as const),
  ...(['series', 'user', 'cancellation', 'audit'] as const),
] as const

/** The position in a list: after the entry with this time and id. */
export interface AuditCursor {
  readonly at: number
  readonly id: number
}

/** A query for entries. An undefined member matches all. */
export interface AuditQuery {
  readonly kind?: (typeof AUDITED_KINDS)[number] | undefined
  readonly itemId?: number | undefined
  /** Id or name of a user, or the source of the write. */
  readonly actor?: string | undefined
  readonly action?: AuditAction | undefined
  /** The first and the last second. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly after?: AuditCursor | undefined
  readonly limit: number
}

/** A page of entries, and whether it is the last one. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  readonly isLast: boolean
}
