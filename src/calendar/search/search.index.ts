import type { EventDerivation } from '../index/stale.events.repository.ts'
import { Tokens } from './search.block.ts'
import { indexPending, isFirstOfMany } from './search.pending.repository.ts'
import { readSearchState } from './search.state.repository.ts'

/**
 * The search index as a derivation. Triggers note in `search_pending` which events have changed texts. Searches read the
 * texts of these, so it does not matter when they are indexed.
 *
 * @param leavesSearchIndex Leaves the events of an empty calendar until the database is opened again. They are then indexed
 * in the order of lists, which takes less time for the index and for searches.
 */
export function searchIndex(leavesSearchIndex = false): EventDerivation {
  const known = new Tokens()
  let isLeft: boolean | undefined
  /** Changed events since this process last looked whether enough of them wait. */
  let changed = Number.POSITIVE_INFINITY
  let rowSize = 1
  let isOpening = false
  let isFirst: boolean | undefined
  return {
    tables: [
      ...['search_pending', 'search_rows', 'search_merges', 'search_lists', 'search_documents', 'search_tokens'],
      'search_state',
    ],
    prepare: async () => {
      isOpening = true
    },
    refresh: async (tx, dialect, changes) => {
      // The events of a restored or an older calendar follow in the order of lists, once their days are known.
      isFirst ??= isOpening && isFirstOfMany(await readSearchState(tx))
      if (isFirst) return []
      isLeft ??= leavesSearchIndex && (await readSearchState(tx)).documents === 0
      changed += changes.length
      if (isLeft || changed * 2 < rowSize) return []
      const { isMore, ...state } = await indexPending({ tx, dialect, known }, 'few')
      rowSize = state.rowSize
      changed = isMore ? Number.POSITIVE_INFINITY : 0
      return []
    },
    catchUp: async (tx, dialect) => {
      isOpening = false
      isFirst = undefined
      return (await indexPending({ tx, dialect, known }, 'many')).isMore
    },
  }
}
