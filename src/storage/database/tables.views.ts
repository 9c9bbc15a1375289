import type { Generated } from 'kysely'

/** A named filter of a list, which one user keeps. */
export interface SavedViewTable {
  id: Generated<number>
  user_id: number
  name: string
  /** The filter, as a query string. */
  query: string
  /** Number of changes of the view. */
  change_count: Generated<number>
  modified_at: number
}
