import { placeOf } from './search.dictionary.ts'
import { lastLevel, shardsOf } from './search.merging.ts'
import { type AnyOfTokens, isNowhere, type SearchedTokens, type TermTokens } from './search.terms.ts'

// A piece such as `con` is in words of nearly all shards, and in most texts. A search reads these shards in groups. After
// each group, it continues only with the ranges of which too many documents are still undecided. Of the other ranges, it
// compares the texts of the undecided documents.

const shards = shardsOf(lastLevel)
/** A term in more shards than this is read in groups. */
const mostAtOnce = 8
/** The number of shards in the first group. Each further group is as large as all groups before it. */
const firstGroup = 4

/** Terms of a search. */
interface OrderedTerms {
  /** Those that are read in groups. */
  readonly scattered: readonly AnyOfTokens[]
  readonly others: readonly TermTokens[]
}

/** The order in which a search reads the shards of the last level. */
export interface ShardOrder {
  readonly include: OrderedTerms
  readonly exclude: OrderedTerms
  /** The shards that are read first. They have all tokens of the other terms, and the grams of the scattered ones. */
  readonly first: readonly number[]
  /** Whether a group is among them. */
  readonly isBegun: boolean
  /** The shards that follow. Without any, everything is read at once. */
  readonly groups: readonly (readonly number[])[]
}

/** @returns undefined if no document can match. */
export function shardOrderOf(tokens: SearchedTokens): ShardOrder | undefined {
  if (tokens.include.some(isNowhere)) return undefined
  const [include, exclude] = [tokens.include, tokens.exclude].map(ordered) as [OrderedTerms, OrderedTerms]
  const scattered = [...include.scattered, ...exclude.scattered]
  const first = shardsWith([
    ...[...include.others, ...exclude.others].flatMap(tokensOf),
    ...scattered.flatMap(({ grams }) => grams),
  ])
  const groups = groupsOf(inOrder(scattered).filter((shard) => !first.includes(shard)))
  const [group = []] = groups
  // Other terms may leave so few documents that no group has to be read.
  const isBegun = include.others.length + exclude.others.length === 0
  return {
    ...{ include, exclude, isBegun },
    first: isBegun ? [...first, ...group] : first,
    groups: isBegun ? groups.slice(1) : groups,
  }
}

function ordered(terms: readonly TermTokens[]): OrderedTerms {
  const isScattered = (term: TermTokens): term is AnyOfTokens =>
    'anyOf' in term && shardsWith(term.anyOf).length > mostAtOnce
  return { scattered: terms.filter(isScattered), others: terms.filter((term) => !isScattered(term)) }
}

/** Returns the tokens that a term needs. */
function tokensOf(term: TermTokens): readonly number[] {
  return 'anyOf' in term ? term.anyOf : placedTokensOf(term)
}

/** Returns the tokens that a search may read for a term. */
export function readTokensOf(term: TermTokens): readonly number[] {
  return 'anyOf' in term ? [...term.anyOf, ...term.grams] : placedTokensOf(term)
}

/** Returns the tokens of which a term needs the positions. */
export function placedTokensOf(term: TermTokens): readonly number[] {
  return 'anyOf' in term ? [] : [...term.places, ...term.absent].flatMap(({ tokens }) => tokens)
}

/** Returns the shards that have some tokens. */
export function shardsWith(tokens: readonly number[], level: number = lastLevel): readonly number[] {
  return [...new Set(tokens.map((token) => token % shardsOf(level)))]
}

/** Returns the shards of terms. Those that are likely to be in most documents come first. */
function inOrder(terms: readonly TermTokens[]): readonly number[] {
  const weights = new Float64Array(shards)
  for (const token of terms.flatMap(tokensOf)) {
    // The dictionary has the tokens in the order in which they were first seen, so the frequent ones come first.
    weights[token % shards] = (weights[token % shards] ?? 0) + 1 / placeOf(token)
  }
  const weightOf = (shard: number) => weights[shard] ?? 0
  return [...weights.keys()]
    .filter((shard) => weightOf(shard) > 0)
    .sort((one, other) => weightOf(other) - weightOf(one))
}

function groupsOf(ordered: readonly number[]): readonly (readonly number[])[] {
  const groups: (readonly number[])[] = []
  for (let from = 0, size = firstGroup; from < ordered.length; from += size, size = from) {
    groups.push(ordered.slice(from, from + size))
  }
  return groups
}
