import { type SearchTerms, wordsOfFolded } from '../../base/text/fold.ts'
import type { FoundWords, WordKey } from './search.index.ts'

/** Shorter pieces are in too many words to be looked up. */
const shortestPiece = 3
/** No longer piece can be looked up: one of this length stands whole in one part of a long word at least. */
const longestPiece = 500
/** Of a term of more words the longest are looked up, which are in the fewest texts; the rest is compared with these. */
const maxLookedUpPieces = 9

/** Each word of a folded text once; of runs of more letters than `longest`, overlapping parts. */
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

/** Gives the words that contain a piece, or undefined where they are too many. */
type FindWords = (piece: string) => Promise<readonly WordKey[] | undefined>

/**
 * The words that a search is for, and those that it excludes. Each piece is looked up once.
 *
 * @returns undefined where the index cannot help: for pieces that are too short or in too many words.
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

/** The pieces of words that a term consists of, as far as they can be looked up, and whether it is one and no more. */
function piecesOf(term: string): { readonly known: readonly string[]; readonly isWhole: boolean } {
  const known = wordsOfFolded(term).filter((run) => [...run].length >= shortestPiece && run.length <= longestPiece)
  const telling = known.toSorted((one, other) => other.length - one.length).slice(0, maxLookedUpPieces)
  return { known: telling, isWhole: known[0] === term }
}
