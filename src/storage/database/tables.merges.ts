import type { Generated } from 'kysely'

/** A venue or an organizer that was merged into another one. */
export interface MergeTable {
  id: Generated<number>
  at: number
  /** Null: the service itself. */
  user_id: number | null
  kind: 'venue' | 'organizer'
  /** The record of the path, and the original that its events have now. */
  from_id: number
  into_id: number
  /** JSON: the ids of the versions that went to the trash. */
  trashed: string
  /** JSON: the names that sources had for it, which now mean the other one. */
  names: string
  /** When it was last undone. Null: never. */
  undone_at: number | null
}

/** The venues or organizers of an event before a merge, and after it. */
export interface MergedEventTable {
  merge_id: number
  event_id: number
  /** JSON: ids in their order. */
  before: string
  after: string
}
