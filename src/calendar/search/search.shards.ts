import { placeOf } from './search.dictionary.ts'
import { lastLevel, shardsOf } from './search.merging.ts'
import { type AnyOfTokens, isNowhere, type SearchedTokens, type TermTokens } from './search.terms.ts'

// A piece such as `con` is in words of nearly all shards, and in most texts. A search reads these shards in groups. After
// each group, it continues only with the ranges of which too many documents are still undecided. Of the other ranges, it
// compares the texts of the undecided documents. Grams are only read of a piece that is in few texts.

const shards = shardsOf(lastLevel)
/** A term in more shards than this is read in groups. */
const mostAtOnce = 8
/** The number of shards in the first group. Each further group is as large as all groups before it. */
const firstGroup = 1

/** Terms of a search. */
interface OrderedTerms {
  /** Those that are read in groups. */
  readonly scattered: readonly AnyOfTokens[]
  readonly others: readonly TermTokens[]
}

/** What a search has not read yet of its scattered terms. */
export interface ShardsLeft {
  /** Shards with tokens that contain the terms. */
  readonly groups: readonly (readonly number[])[]
  /** Shards with grams of the terms. */
  readonly grams: readonly number[]
}

/** The order in which a search reads the shards of the last level. Without groups, everything is read at once. */
export interface ShardOrder extends ShardsLeft {
  readonly include: OrderedTerms
  readonly exclude: OrderedTerms
  /** The shards that are read first: those with tokens of the other terms or, without any, the first group. */
  readonly first: readonly number[]
  /** Whether the first group is among them. */
  readonly isBegun: boolean
}

/** @returns undefined if no document can match. */
export function shardOrderOf(tokens: SearchedTokens): ShardOrder | undefined {
  if (tokens.include.some(isNowhere)) return undefined
  const [include, exclude] = [tokens.include, tokens.exclude].map(ordered) as [OrderedTerms, OrderedTerms]
  const scattered = [...include.scattered, ...exclude.scattered]
  const others = [...include.others, ...exclude.others]
  const [group = [], ...groups] = groupsOf(inOrder(scattered))
  // Other terms may leave so few documents that no group has to be read.
  const isBegun = others.length === 0
  const first = isBegun ? group : shardsWith(others.flatMap(tokensOf))
  const left = {
    groups: isBegun ? groups : [group, ...groups],
    grams: shardsWith(scattered.flatMap(({ grams }) => grams)),
  }
  return { include, exclude, first, isBegun, ...without(first, left) }
}

/** Leaves out shards that are read. */
function without(read: readonly number[], { groups, grams }: ShardsLeft): ShardsLeft {
  const isLeft = (shard: number) => !read.includes(shard)
  return {
    groups: groups.map((group) => group.filter(isLeft)).filter((group) => group.length > 0),
    grams: grams.filter(isLeft),
  }
}

/**
 * Returns the shards that come next, and what is left after them.
 *
 * If the last group was in few documents, most documents do not have a term. Its grams then tell which of them cannot contain
 * it, and after the grams, all other shards are read at once.
 */
export function stepAfter(
  left: ShardsLeft,
  { isInFew }: { readonly isInFew: boolean },
): { readonly shards: readonly number[]; readonly left: ShardsLeft } {
  const others = left.grams.length > 0 ? left.grams : left.groups.flat()
  const shards = isInFew ? others : (left.groups[0] ?? [])
  return { shards, left: without(shards, left) }
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
