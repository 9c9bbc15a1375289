import { IdSet } from '../index/id.set.ts'
import { DocumentsOfTokens, HitsByRange } from './search.hits.ts'
import { type PhrasePart, PhraseRange } from './search.phrase.ts'
import type { WantedTokens } from './search.rows.ts'
import type { PhrasePlace, TermTokens } from './search.terms.ts'
import type { SearchWork } from './search.work.ts'

/** Returns the documents that contain a term, once the rows were read. Each step is a range. */
export type Match = () => Generator<undefined, IdSet>

/**
 * Notes the tokens that a term needs.
 *
 * @param range The number of documents of the largest rows. Documents of different ranges are compared apart.
 * @throws query-too-dear, while documents are compared
 */
export function matchOf(
  term: TermTokens,
  { wanted, range, work }: { readonly wanted: WantedTokens; readonly range: number; readonly work: SearchWork },
): Match {
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
  const inRange = (first: number) => (place: PlacedHits) => {
    const hits = place.hits.ranges.get(first)
    return hits ? [{ offset: place.offset, hits }] : []
  }
  return function* () {
    const found = new IdSet()
    const rangeOf = new PhraseRange(range)
    const phrases = [...(places[0]?.hits.ranges.keys() ?? [])].map((first) => {
      const of = inRange(first)
      return { first, parts: places.flatMap(of), absent: absent.flatMap(of) }
    })
    // A place without hits is nowhere in the range.
    const possible = phrases.filter(({ parts }) => parts.length === places.length)
    work.compare(possible.reduce((sum, { parts, absent }) => sum + sizeOf(parts) + sizeOf(absent), 0))
    for (const { first, ...phrase } of possible) {
      rangeOf.find(first, phrase, found)
      yield
    }
    return found
  }
}

interface PlacedHits {
  readonly offset: number
  readonly hits: HitsByRange
}

function sizeOf(parts: readonly PhrasePart[]): number {
  return parts.reduce((sum, { hits }) => sum + hits.size, 0)
}
