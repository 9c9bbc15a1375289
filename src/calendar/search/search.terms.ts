import type { SearchTerms } from '../../base/text/fold.ts'
import type { Dictionary } from './search.dictionary.ts'
import { longestGram, separatorMark, visitRuns } from './search.tokens.ts'

/** So many grams are read of a longer piece. Few documents have all of them, but not the piece. */
const mostGrams = 4

/** One place of a phrase: a document has one of these tokens there. */
export interface PhrasePlace {
  /** The position, compared with the beginning of the phrase. */
  readonly offset: number
  readonly tokens: readonly number[]
}

/** A document contains a piece if it has at least one of these tokens. */
export interface AnyOfTokens {
  readonly anyOf: readonly number[]
  /** Grams of the piece. Each document that contains it has all of them too. */
  readonly grams: readonly number[]
}

/** What a document must contain. */
export type TermTokens =
  | AnyOfTokens
  | {
      /** At least one. */
      readonly places: readonly PhrasePlace[]
      /** Tokens that must not be at their place. */
      readonly absent: readonly PhrasePlace[]
    }

/** A search, as the index is read for it. */
export interface SearchedTokens {
  readonly include: readonly TermTokens[]
  readonly exclude: readonly TermTokens[]
}

/** The tokens that a search can look up. */
export interface KnownTokens {
  readonly dictionary: Dictionary
  /** The numbers of tokens that a phrase contains as a whole, by their texts: see `wholeTokens`. */
  readonly numbers: ReadonlyMap<string, number>
}

/** Returns the tokens that the phrases of a search contain as a whole. */
export function wholeTokens({ include, exclude }: SearchTerms): readonly string[] {
  return [...include, ...exclude].flatMap((term) =>
    runsOf(term)
      .slice(1, -1)
      .filter((run) => !isSpace(run))
      .map(nameOf),
  )
}

/** Looks up the tokens of a search. */
export function tokensOfTerms({ include, exclude }: SearchTerms, known: KnownTokens): SearchedTokens {
  const tokens = (term: string) => tokensOf(term, known)
  return { include: [...new Set(include)].map(tokens), exclude: [...new Set(exclude)].map(tokens) }
}

/** Whether no document can contain the term. */
export function isNowhere(term: TermTokens): boolean {
  return 'anyOf' in term ? term.anyOf.length === 0 : term.places.some(({ tokens }) => tokens.length === 0)
}

interface TermRun {
  readonly text: string
  readonly isWord: boolean
}

function runsOf(term: string): readonly TermRun[] {
  const runs: TermRun[] = []
  visitRuns(term, ({ from, to, isWord }) => runs.push({ text: term.slice(from, to), isWord }))
  return runs
}

const isSpace = (run: TermRun) => run.text === ' '
const nameOf = ({ text, isWord }: TermRun) => (isWord ? text : separatorMark + text)

function tokensOf(term: string, known: KnownTokens): TermTokens {
  const runs = runsOf(term)
  const [first] = runs
  if (first && runs.length === 1)
    return { anyOf: tokensWith(first, known.dictionary), grams: gramsIn(first, known.dictionary) }
  return phraseOf(runs, known)
}

/** Returns some grams of a longer piece of a word. */
function gramsIn({ text, isWord }: TermRun, dictionary: Dictionary): readonly number[] {
  const letters = [...text]
  if (!isWord || letters.length <= longestGram) return []
  const pairs = letters.slice(1).map((letter, place) => `${letters[place]}${letter}`)
  return [...new Set(pairs)].slice(0, mostGrams).flatMap((pair) => dictionary.gram(pair))
}

function tokensWith({ text, isWord }: TermRun, dictionary: Dictionary): readonly number[] {
  if (!isWord) return dictionary.separators(text, 'anywhere')
  return [...text].length <= longestGram ? dictionary.gram(text) : dictionary.words(text, 'anywhere')
}

/**
 * The first run of a phrase is the end of a token, the last run is the beginning of one, and the others are whole tokens.
 * One space at an edge of the phrase is the edge of a separator or one space between words, which has no token.
 */
function phraseOf(runs: readonly TermRun[], { dictionary, numbers }: KnownTokens): TermTokens {
  const places: PhrasePlace[] = []
  const absent: PhrasePlace[] = []
  let offset = 0
  runs.forEach((run, place) => {
    const isFirst = place === 0
    const isLast = place === runs.length - 1
    if (isSpace(run)) {
      if (isFirst) absent.push({ offset: offset - 1, tokens: dictionary.separatorsWithout(' ', 'atEnd') })
      else if (isLast) absent.push({ offset, tokens: dictionary.separatorsWithout(' ', 'atStart') })
      return
    }
    if (isFirst || isLast) {
      const find = run.isWord ? dictionary.words : dictionary.separators
      places.push({ offset, tokens: find.call(dictionary, run.text, isFirst ? 'atEnd' : 'atStart') })
    } else {
      const number = numbers.get(nameOf(run))
      places.push({ offset, tokens: number === undefined ? [] : [number] })
    }
    offset += 1
  })
  return { places, absent }
}
