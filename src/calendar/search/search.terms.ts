import type { SearchTerms } from '../../base/text/fold.ts'
import type { Dictionary } from './search.dictionary.ts'
import { longestGram, visitRuns } from './search.tokens.ts'

/** One place of a phrase: a document has one of these tokens there. */
export interface PhrasePlace {
  /** The position, compared with the beginning of the phrase. */
  readonly offset: number
  readonly tokens: readonly number[]
}

/** What a document must contain. */
export type TermTokens =
  | { readonly anyOf: readonly number[] }
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

/** Looks up the tokens of a search. */
export function tokensOfTerms({ include, exclude }: SearchTerms, dictionary: Dictionary): SearchedTokens {
  const tokens = (term: string) => tokensOf(term, dictionary)
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

function tokensOf(term: string, dictionary: Dictionary): TermTokens {
  const runs: TermRun[] = []
  visitRuns(term, ({ from, to, isWord }) => runs.push({ text: term.slice(from, to), isWord }))
  const [first] = runs
  if (first && runs.length === 1) return { anyOf: tokensWith(first, dictionary) }
  return phraseOf(runs, dictionary)
}

function tokensWith({ text, isWord }: TermRun, dictionary: Dictionary): readonly number[] {
  if (!isWord) return dictionary.separators(text, 'anywhere')
  return [...text].length <= longestGram ? dictionary.gram(text) : dictionary.words(text, 'anywhere')
}

/**
 * The first run of a phrase is the end of a token, the last run is the beginning of one, and the others are whole tokens.
 * One space at an edge of the phrase is the edge of a separator or one space between words, which is no token.
 */
function phraseOf(runs: readonly TermRun[], dictionary: Dictionary): TermTokens {
  const places: PhrasePlace[] = []
  const absent: PhrasePlace[] = []
  const isSpace = (run: TermRun) => run.text === ' '
  let offset = 0
  runs.forEach((run, place) => {
    const isFirst = place === 0
    const isLast = place === runs.length - 1
    if (isSpace(run)) {
      if (isFirst) absent.push({ offset: offset - 1, tokens: dictionary.separatorsWithout(' ', 'atEnd') })
      else if (isLast) absent.push({ offset, tokens: dictionary.separatorsWithout(' ', 'atStart') })
      return
    }
    const containing = isFirst ? 'atEnd' : isLast ? 'atStart' : 'whole'
    const find = run.isWord ? dictionary.words : dictionary.separators
    places.push({ offset, tokens: find.call(dictionary, run.text, containing) })
    offset += 1
  })
  return { places, absent }
}
