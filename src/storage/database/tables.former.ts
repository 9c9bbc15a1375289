/** What can be merged into another one of its kind. */
export type MergedKind = 'venue' | 'organizer' | 'category' | 'tag'

/** What had a slug until another one was given to it. */
export interface FormerSlugTable {
  kind: 'event' | MergedKind
  slug: string
  language: string
  /** Id of a record or a term. It may no longer exist. */
  item_id: number
}

/** What was merged into another one of its kind, as long as that is not undone. */
export interface MergedItemTable {
  kind: MergedKind
  item_id: number
  into_id: number
}
