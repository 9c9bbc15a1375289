import { type SearchTerms, wordsOfFolded } from '../../base/text/fold.ts'
import type { FoundWords, WordKey } from './search.index.ts'

/** Shorter pieces are in too many words for a lookup. */
const shortestPiece = 3
/** Longer pieces cannot be looked up. A piece of up to this length is complete in at least one part of a long word. */
const longestPiece = 500
/**
 * A term with more words looks up only its longest words, which are in the fewest texts. The texts found are then
 * compared with the rest.
 */
const maxLookedUpPieces = 9

/** Returns the distinct words of a folded text. A run of more letters than `longest` gives overlapping parts. */
export function wordsOf(text: string, longest: number): readonly string[] {
  const words = [...new Set(wordsOfFolded(text))]
  const isLong = words.some((word) => word.length > longest)
  return isLong ? [...new Set(words.flatMap((word) => partsOf(word, longest)))] : words
}

function partsOf(word: string, longest: number): readonly string[] {
  if (word.length <= longest) return [word]
  const step = longest - longestPiece
  const count = Math.ceil((word.length - longestPiece) / step)
  return Array.from({ length: count }, (_, place) => word.slice(place * step, place * step + longest))
}

/** Returns the words that contain a piece, or undefined if they are too many. */
type FindWords = (piece: string) => Promise<readonly WordKey[] | undefined>

/**
 * Returns the words that a search includes and excludes. Looks up each piece once.
 *
 * @returns undefined if the index cannot help, because the pieces are too short or in too many words.
 */
export async function lookUpWords(
  { include, exclude }: SearchTerms,
  findWords: FindWords,
): Promise<FoundWords | undefined> {
  const find = once(findWords)
  const included: (readonly WordKey[])[] = []
  const excluded: WordKey[] = []
  let isExact = true
  for (const term of include) {
    const pieces = piecesOf(term)
    for (const piece of pieces.known) {
      const found = await find(piece)
      if (found) included.push(found)
      else isExact = false
    }
    isExact &&= pieces.isWhole
  }
  if (included.length === 0) return undefined
  for (const term of exclude) {
    const pieces = piecesOf(term)
    const found = pieces.isWhole ? await find(term) : undefined
    if (found) excluded.push(...found)
    else isExact = false
  }
  return { included, excluded, isExact }
}

function once(findWords: FindWords): FindWords {
  const found = new Map<string, ReturnType<FindWords>>()
  return (piece) => {
    const words = found.get(piece) ?? findWords(piece)
    found.set(piece, words)
    return words
  }
}

/** Returns the pieces of a term that can be looked up, and whether the term is exactly one piece. */
function piecesOf(term: string): { readonly known: readonly string[]; readonly isWhole: boolean } {
  const known = wordsOfFolded(term).filter((run) => [...run].length >= shortestPiece && run.length <= longestPiece)
  const telling = known.toSorted((one, other) => other.length - one.length).slice(0, maxLookedUpPieces)
  return { known: telling, isWhole: known[0] === term }
}
