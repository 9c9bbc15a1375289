import { fanout, lastLevel, shardsOf } from './search.merging.ts'
import { gramMark, separatorMark } from './search.tokens.ts'

const onlyDigits = /^[0-9]+$/
const tokensPerChunk = 2000
/** Separates the tokens of a chunk. No text contains it. */
const border = '\0'

/** How a token contains a piece. */
export type Containing = 'anywhere' | 'atStart' | 'atEnd'

interface Chunk {
  readonly text: string
  /** Where each token begins. */
  readonly starts: Int32Array
  readonly numbers: Int32Array
}

/** Many tokens, of which those with a piece are found by reading the tokens themselves: a million in some milliseconds. */
class TokenList {
  readonly #full: Chunk[] = []
  #tokens: string[] = []
  #numbers: number[] = []
  #last: Chunk | undefined

  add(token: string, number: number): void {
    this.#tokens.push(token)
    this.#numbers.push(number)
    this.#last = undefined
    if (this.#tokens.length < tokensPerChunk) return
    this.#full.push(this.#chunk())
    this.#tokens = []
    this.#numbers = []
  }

  #chunk(): Chunk {
    const starts = new Int32Array(this.#tokens.length)
    let at = 1
    this.#tokens.forEach((token, place) => {
      starts[place] = at
      at += token.length + 1
    })
    const text = ['', ...this.#tokens, ''].join(border)
    return { text, starts, numbers: Int32Array.from(this.#numbers) }
  }

  /** Returns the numbers of the tokens that contain the piece. */
  find(piece: string, containing: Containing): number[] {
    this.#last ??= this.#chunk()
    const atStart = containing === 'atStart' ? border : ''
    const atEnd = containing === 'atEnd' ? border : ''
    const pattern = atStart + piece + atEnd
    const found: number[] = []
    for (const { text, starts, numbers } of [...this.#full, this.#last]) {
      for (let at = text.indexOf(pattern); at !== -1; ) {
        const place = startAt(starts, at + atStart.length)
        found.push(numbers[place] ?? 0)
        const next = starts[place + 1]
        if (next === undefined) break
        at = text.indexOf(pattern, next - 1)
      }
    }
    return found
  }

  /** Returns the numbers of all tokens. */
  all(): number[] {
    return [...this.#full.flatMap(({ numbers }) => [...numbers]), ...this.#numbers]
  }
}

/** Returns the place of the last start that is not after a position. */
function startAt(starts: Int32Array, at: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}

const shards = shardsOf(lastLevel)

/**
 * Returns the number of a token in the index. Its remainder is the shard of the token. The words with one beginning, or
 * with one end, are in an eighth of the shards, so a phrase reads few rows.
 *
 * @param place The place in the dictionary, from 1.
 */
export function numberOf(place: number, token: string): number {
  if (token.startsWith(gramMark) || token.startsWith(separatorMark)) return place * shards + (place % shards)
  const first = token.charCodeAt(0) % fanout
  const last = token.charCodeAt(token.length - 1) % fanout
  return place * shards + first * fanout + last
}

/** Returns the least number that the token at a place can have. */
export function firstNumber(place: number): number {
  return place * shards
}

/** Returns the place of a token in the dictionary. */
export function placeOf(number: number): number {
  return Math.floor(number / shards)
}

/** Identifies the tokens of a dictionary, up to its last one. */
export interface DictionaryVersion {
  /** The number of tokens. Their places begin with 1. */
  readonly count: number
  readonly digest: number
}

export const emptyDictionary: DictionaryVersion = { count: 0, digest: 0x811c9dc5 | 0 }

/** Returns the version of a dictionary to which these tokens were added. */
export function versionWith({ count, digest }: DictionaryVersion, tokens: readonly string[]): DictionaryVersion {
  let hash = digest
  for (const token of tokens) {
    for (let at = 0; at < token.length; at += 1) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193)
    hash = Math.imul(hash ^ 0xffff, 0x01000193)
  }
  return { count: count + tokens.length, digest: hash }
}

/** All tokens of the search index, in memory. Tokens are only added. */
export class Dictionary {
  version = emptyDictionary
  readonly #words = new TokenList()
  /** Words of digits only. There may be many more than others, and a piece with a letter is in none. */
  readonly #numbers = new TokenList()
  readonly #separators = new TokenList()
  readonly #grams = new Map<string, number>()

  /** @param tokens The tokens after the last known one, in their order. */
  add(tokens: readonly string[]): void {
    tokens.forEach((token, place) => {
      const number = numberOf(this.version.count + place + 1, token)
      if (token.startsWith(gramMark)) this.#grams.set(token.slice(gramMark.length), number)
      else if (token.startsWith(separatorMark)) this.#separators.add(token.slice(separatorMark.length), number)
      else if (onlyDigits.test(token)) this.#numbers.add(token, number)
      else this.#words.add(token, number)
    })
    this.version = versionWith(this.version, tokens)
  }

  gram(gram: string): readonly number[] {
    const number = this.#grams.get(gram)
    return number === undefined ? [] : [number]
  }

  words(piece: string, containing: Containing): readonly number[] {
    const found = this.#words.find(piece, containing)
    return onlyDigits.test(piece) ? [...found, ...this.#numbers.find(piece, containing)] : found
  }

  separators(piece: string, containing: Containing): readonly number[] {
    return this.#separators.find(piece, containing)
  }

  /** Returns the separators that do not begin, or do not end, with a piece. */
  separatorsWithout(piece: string, containing: 'atStart' | 'atEnd'): readonly number[] {
    const having = new Set(this.#separators.find(piece, containing))
    return this.#separators.all().filter((number) => !having.has(number))
  }
}
