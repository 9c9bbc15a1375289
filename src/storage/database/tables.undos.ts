import type { Generated } from 'kysely'

/** An operation on many records that can be undone for some time. */
export interface UndoTable {
  id: Generated<number>
  operation: string
  at: number
  /** Null: the command line or the service itself. */
  user_id: number | null
  /** The record or term that it took away. Null: none. */
  subject_id: number | null
  /** JSON of what its undo needs to know besides the records. */
  details: string
  /** When it was last undone. Null: never. */
  undone_at: number | null
}

/** What such an operation did to one record. */
export interface UndoItemTable {
  undo_id: number
  record_id: number
  /** JSON of what it changed, before and after it. */
  before: string
  after: string
  undone_at: number | null
}
