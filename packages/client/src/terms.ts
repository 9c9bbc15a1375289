import type { ListTagsQuery } from './api.generated.ts'
import { type Collection, createCollection, type Kind } from './collection.ts'
import type { CallOptions } from './options.ts'
import type { Send } from './send.ts'

/** Categories or tags. */
export interface Terms<K extends Kind> extends Collection<K> {
  /** Returns the term with this slug, or undefined if there is none. */
  bySlug(slug: string, options?: CallOptions): Promise<K['item'] | undefined>
}

/** A kind that can be found by slug, which both kinds of terms are. */
interface Sought<K extends Kind> extends Kind {
  readonly item: K['item']
  readonly listQuery: Pick<ListTagsQuery, 'page' | 'slug' | 'hide_empty'>
}

export function createTerms<K extends Kind>(send: Send, plural: 'categories' | 'tags'): Terms<K> {
  const sought = createCollection<Sought<K>>({ send, plural })
  return {
    ...createCollection<K>({ send, plural }),
    // The interface has no route by slug, but the list has a filter, which also finds terms without events.
    bySlug: async (slug, options) => (await sought.list({ slug, hide_empty: false }, options)).items[0],
  }
}
