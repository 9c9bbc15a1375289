import { IdSet } from '../index/id.set.ts'
import { DocumentsOfTokens, type Hits, HitsByRange } from './search.hits.ts'
import { type PhrasePart, PhraseRange } from './search.phrase.ts'
import type { WantedTokens } from './search.rows.ts'
import type { PhrasePlace, TermTokens } from './search.terms.ts'

/** Returns the documents that contain a term, once the rows were read. Each step is a range. */
export type Match = () => Generator<undefined, IdSet>

/**
 * Notes the tokens that a term needs.
 *
 * @param range The number of documents of the largest rows. Documents of different ranges are compared apart.
 */
export function matchOf(term: TermTokens, wanted: WantedTokens, range: number): Match {
  if ('anyOf' in term) {
    const documents = wanted.add(term.anyOf, new DocumentsOfTokens(range))
    // biome-ignore lint/correctness/useYield: the documents were added up while the rows were read.
    return function* () {
      return documents.set
    }
  }
  const hitsOf = ({ tokens, offset }: PhrasePlace) => ({ offset, hits: wanted.add(tokens, new HitsByRange(range)) })
  const places = term.places.map(hitsOf)
  const absent = term.absent.map(hitsOf)
  return function* () {
    const found = new IdSet()
    const rangeOf = new PhraseRange(range)
    for (const first of places[0]?.hits.ranges.keys() ?? []) {
      const inRange = (place: { readonly offset: number; readonly hits: HitsByRange }): readonly PhrasePart[] => {
        const hits: Hits | undefined = place.hits.ranges.get(first)
        return hits ? [{ offset: place.offset, hits }] : []
      }
      const parts = places.flatMap(inRange)
      // A place without hits is nowhere in the range.
      if (parts.length === places.length) rangeOf.find(first, { parts, absent: absent.flatMap(inRange) }, found)
      yield
    }
    return found
  }
}
