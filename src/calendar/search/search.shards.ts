import { placeOf } from './search.dictionary.ts'
import { lastLevel, shardsOf } from './search.merging.ts'
import { isNowhere, type SearchedTokens, type TermTokens } from './search.terms.ts'

// A piece such as `con` is in words of nearly all shards, and in most texts. A search reads these shards in groups. After
// each group, it continues only with the ranges of which too many documents are still undecided. Of the other ranges, it
// compares the texts of the undecided documents.

const shards = shardsOf(lastLevel)
/** A term in more shards than this is read in groups. */
const mostAtOnce = 8
/** The number of shards in the first group. Each further group is as large as all groups before it. */
const firstGroup = 4

/** A term that is found by any of its tokens. */
type AnyOfTerm = Extract<TermTokens, { readonly anyOf: readonly number[] }>

/** The order in which a search reads the shards of the last level. */
export interface ShardOrder {
  /** The terms to include that are read in groups, the other ones, and the terms to exclude. */
  readonly scattered: readonly AnyOfTerm[]
  readonly others: readonly TermTokens[]
  readonly exclude: readonly TermTokens[]
  /** The shards that are read first. They have all tokens of the other terms. */
  readonly first: readonly number[]
  /** The shards that follow. Without any, everything is read at once. */
  readonly groups: readonly (readonly number[])[]
}

/** @returns undefined if no document can match. */
export function shardOrderOf({ include, exclude }: SearchedTokens): ShardOrder | undefined {
  if (include.some(isNowhere)) return undefined
  const isScattered = (term: TermTokens) => 'anyOf' in term && shardsWith(term.anyOf).length > mostAtOnce
  const scattered = include.filter((term): term is AnyOfTerm => isScattered(term))
  const others = include.filter((term) => !isScattered(term))
  const first = shardsWith([...others, ...exclude].flatMap(tokensOf))
  const groups = groupsOf(inOrder(scattered).filter((shard) => !first.includes(shard)))
  const [group = []] = groups
  // Other terms may leave so few documents that no group has to be read.
  const isWithGroup = others.length === 0
  return {
    ...{ scattered, others, exclude },
    first: isWithGroup ? [...first, ...group] : first,
    groups: isWithGroup ? groups.slice(1) : groups,
  }
}

/** Returns the tokens that a term needs. */
export function tokensOf(term: TermTokens): readonly number[] {
  return 'anyOf' in term ? term.anyOf : placedTokensOf(term)
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
