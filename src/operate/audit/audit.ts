import type { Action } from '../../storage/database/audit.ts'
import type { Origin } from '../../storage/database/origin.ts'

/** What one write did to one item, by whom, and from where. */
export interface AuditEntry {
  readonly id: number
  /** Seconds since 1970, UTC. */
  readonly at: number
  readonly via: Origin['via']
  /** Who asked for it, as they were then; undefined where no user did. */
  readonly user: { readonly id: number; readonly name: string } | undefined
  readonly kind: string
  readonly itemId: number
  readonly action: string
  /** Field → {before, after}. */
  readonly changes: object
  readonly address: string | undefined
  readonly requestId: string | undefined
}

export const AUDITED_KINDS = ['event', 'venue', 'organizer', 'category', 'tag', 'media', 'user', 'audit'] as const

/** Where a list goes on: behind the entry of this moment and id. */
export interface AuditCursor {
  readonly at: number
  readonly id: number
}

/** What entries are asked for; what is undefined is any. */
export interface AuditQuery {
  readonly kind?: (typeof AUDITED_KINDS)[number] | undefined
  readonly itemId?: number | undefined
  /** Id or name of a user, or where the write came from. */
  readonly actor?: string | undefined
  readonly action?: Action | undefined
  /** The first second, and the last. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly after?: AuditCursor | undefined
  readonly limit: number
}

/** A page of who wrote what, and whether it is the last. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  readonly isLast: boolean
}
