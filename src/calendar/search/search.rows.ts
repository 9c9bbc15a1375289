import { placeOf } from './search.dictionary.ts'
import { Entry, type Receiver } from './search.hits.ts'
import { lastLevel, shardsOf } from './search.merging.ts'
import { Numbers } from './search.numbers.ts'

/** The key of a token in a row of the last level is its place in the dictionary. */
const lastShards = shardsOf(lastLevel)

const noBytes = new Uint8Array()

/** A row of the index, as a search reads it. */
export interface FoundRow {
  readonly level: number
  readonly shard: number
  readonly first: number
  readonly documents: Uint8Array
  /** Null if the search needs no positions of the row. */
  readonly positions: Uint8Array | null
}

/**
 * Gives back the memory of rows that are no longer needed. Otherwise the garbage collector, which counts this memory
 * too, would go through all objects of a thread after each search.
 */
export function freeRows(rows: readonly FoundRow[]): void {
  for (const { documents, positions } of rows) {
    freeBytes(documents)
    if (positions) freeBytes(positions)
  }
}

/** Frees bytes that share their buffer with nobody. */
function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/**
 * Arrays of zeros that no search uses now. Each has a number for each token of the dictionary, hundreds of kilobytes. The
 * garbage collector would count a new one of each search, as it counts rows.
 */
const unusedGroups: Uint32Array[] = []
/** More searches than these seldom run at the same time. */
const mostUnused = 2

function takeGroups(count: number): Uint32Array {
  const unused = unusedGroups.pop()
  // Some new tokens do not need another array.
  return unused && unused.length >= count ? unused : new Uint32Array(count + (count >> 3))
}

/** The tokens of a search, with the receivers of what rows have of them. */
export class WantedTokens {
  /** By place of the token: the place of its receivers in `#groups`. */
  readonly #groupOf: Uint32Array
  readonly #groups: (readonly Receiver[])[] = [[]]
  /** The tokens that were added. They are much fewer than all. */
  readonly #added: (readonly number[])[] = []

  /** @param count The number of tokens of the dictionary. */
  constructor(count: number) {
    this.#groupOf = takeGroups(count + 1)
  }

  /** Ends the search, which must not use these tokens again. */
  release(): void {
    this.clear()
    if (unusedGroups.length < mostUnused) unusedGroups.push(this.#groupOf)
  }

  /** Forgets all receivers. */
  clear(): void {
    for (const tokens of this.#added) for (const token of tokens) this.#groupOf[placeOf(token)] = 0
    this.#added.length = 0
    this.#groups.length = 1
  }

  /** Adds a receiver of some tokens, which are given by their numbers. */
  add<R extends Receiver>(tokens: readonly number[], receiver: R): R {
    /** By the group of a token until now: the one with this receiver too. */
    const groups = new Map<number, number>()
    this.#added.push(tokens)
    for (const token of tokens) {
      const before = this.#groupOf[placeOf(token)] ?? 0
      let group = groups.get(before)
      if (group === undefined) {
        group = this.#groups.push([...(this.#groups[before] ?? []), receiver]) - 1
        groups.set(before, group)
      }
      this.#groupOf[placeOf(token)] = group
    }
    return receiver
  }

  /** Gives the receivers what rows have of their tokens. Each step is a row. */
  *read(rows: readonly FoundRow[]): Generator<undefined, void> {
    const entry = new Entry()
    for (const [number, row] of rows.entries()) {
      entry.row = number
      this.#readRow(row, entry)
      yield
    }
  }

  #readRow({ level, shard, first, documents, positions }: FoundRow, entry: Entry): void {
    const shards = shardsOf(level)
    const groupOf = this.#groupOf
    const placed = positions ?? noBytes
    const numbers = new Numbers(documents)
    const placedNumbers = new Numbers(placed)
    entry.first = first
    entry.bytes = documents
    entry.positions = placed
    let key = 0
    let placedKey = 0
    let placedFrom = 0
    let placedTo = 0
    // Rows have millions of entries of tokens that nobody wants, so this is one loop.
    for (let at = 0; at < documents.length; ) {
      let difference = documents[at] ?? 0
      let length = documents[at + 1] ?? 0
      at += 2
      // Nearly all numbers have one byte.
      if ((difference | length) >= 128) {
        numbers.at = at - 2
        difference = numbers.next()
        length = numbers.next()
        at = numbers.at
      }
      key += difference
      const from = at
      at += length >>> 1
      const group = groupOf[shards === lastShards ? key : placeOf(key * shards + shard)] ?? 0
      if (group === 0) continue
      entry.from = from
      entry.to = at
      entry.isBitmap = (length & 1) === 1
      while (placedKey < key && placedTo < placed.length) {
        let toNext = placed[placedTo] ?? 0
        let size = placed[placedTo + 1] ?? 0
        placedFrom = placedTo + 2
        if ((toNext | size) >= 128) {
          placedNumbers.at = placedTo
          toNext = placedNumbers.next()
          size = placedNumbers.next()
          placedFrom = placedNumbers.at
        }
        placedKey += toNext
        placedTo = placedFrom + size
      }
      entry.positionsFrom = placedKey === key ? placedFrom : 0
      entry.positionsTo = placedKey === key ? placedTo : 0
      for (const receiver of this.#groups[group] ?? []) receiver.add(entry)
    }
  }
}
