import type { ListTagsQuery } from './api.generated.ts'
import { type Collection, createCollection, type Kind } from './collection.ts'
import type { CallOptions } from './options.ts'
import type { Send } from './send.ts'

/** Categories or tags. */
export interface Terms<K extends Kind> extends Collection<K> {
  /** The one with this name in addresses; undefined where there is none. */
  bySlug(slug: string, options?: CallOptions): Promise<K['item'] | undefined>
}

/** The same, as both can be looked for. */
interface Sought<K extends Kind> extends Kind {
  readonly item: K['item']
  readonly listQuery: Pick<ListTagsQuery, 'page' | 'slug' | 'hide_empty'>
}

export function createTerms<K extends Kind>(send: Send, plural: 'categories' | 'tags'): Terms<K> {
  const sought = createCollection<Sought<K>>({ send, plural })
  return {
    ...createCollection<K>({ send, plural }),
    // No route of the interface finds one by its slug; the list does, those without events included.
    bySlug: async (slug, options) => (await sought.list({ slug, hide_empty: false }, options)).items[0],
  }
}
