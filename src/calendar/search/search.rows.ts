import { BodyReader } from './search.bodies.ts'
import { placeOf } from './search.dictionary.ts'
import { Entry, type Receiver } from './search.hits.ts'
import { shardsOf } from './search.merging.ts'

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

/** The tokens of a search, with the receivers of what rows have of them. */
export class WantedTokens {
  /** By place of the token: the place of its receivers in `#groups`. */
  readonly #groupOf: Uint32Array
  readonly #groups: (readonly Receiver[])[] = [[]]

  /** @param count The number of tokens of the dictionary. */
  constructor(count: number) {
    this.#groupOf = new Uint32Array(count + 1)
  }

  /** Forgets all receivers. */
  clear(): void {
    this.#groupOf.fill(0)
    this.#groups.length = 1
  }

  /** Adds a receiver of some tokens, which are given by their numbers. */
  add<R extends Receiver>(tokens: readonly number[], receiver: R): R {
    /** By the group of a token until now: the one with this receiver too. */
    const groups = new Map<number, number>()
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
    const reader = new BodyReader(documents, 'documents')
    const placed = new BodyReader(positions ?? new Uint8Array(), 'positions')
    entry.first = first
    entry.bytes = reader.bytes
    entry.positions = placed.bytes
    while (reader.advance()) {
      const { key } = reader
      const group = this.#groupOf[placeOf(key * shards + shard)] ?? 0
      if (group === 0) continue
      entry.from = reader.from
      entry.to = reader.to
      entry.isBitmap = reader.isBitmap
      const isPlaced = placed.seek(key)
      entry.positionsFrom = isPlaced ? placed.from : 0
      entry.positionsTo = isPlaced ? placed.to : 0
      for (const receiver of this.#groups[group] ?? []) receiver.add(entry)
    }
  }
}
