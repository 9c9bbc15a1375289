import type { Generated } from 'kysely'

/** A venue, an organizer, a category or a tag that was merged into another one. */
export interface MergeTable {
  id: Generated<number>
  at: number
  /** Null: the service itself. */
  user_id: number | null
  kind: 'venue' | 'organizer' | 'category' | 'tag'
  /** The record of the path, and the original that its events have now. */
  from_id: number
  into_id: number
  /** JSON: the ids of the versions that went to the trash, or were removed. */
  trashed: string
  /** JSON: the names that sources had for it, which now mean the other one. */
  names: string
  /** JSON: the categories or tags that were removed, and those that were below them. Null for venues and organizers. */
  terms: string | null
  /** When it was last undone. Null: never. */
  undone_at: number | null
}

/** The venues, organizers, or merged categories or tags of an event before a merge, and after it. */
export interface MergedEventTable {
  merge_id: number
  event_id: number
  /** JSON: ids in their order. */
  before: string
  after: string
}
