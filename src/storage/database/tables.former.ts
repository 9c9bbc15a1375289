import type { MergeTable } from './tables.merges.ts'

/** What had a slug until another one was given to it. */
export interface FormerSlugTable {
  kind: 'event' | MergeTable['kind']
  slug: string
  language: string
  /** Id of a record or a term. It may no longer exist. */
  item_id: number
}

/** What was merged into another one of its kind, as long as that is not undone. */
export interface MergedItemTable {
  kind: MergeTable['kind']
  item_id: number
  into_id: number
}
