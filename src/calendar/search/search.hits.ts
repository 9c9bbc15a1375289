import { IdSet } from '../index/id.set.ts'
import { type Documents, NumberList, setDocuments } from './search.bodies.ts'
import { placeOf } from './search.dictionary.ts'
import { shardsOf } from './search.merging.ts'

// What the rows of the index have of the tokens of a search. These may be hundreds of thousands of entries, so they are
// not kept as objects.

/** A row of the index, as a search reads it. */
export interface FoundRow {
  readonly level: number
  readonly shard: number
  readonly first: number
  readonly documents: Uint8Array
  /** Null if the search needs no positions of the row. */
  readonly positions: Uint8Array | null
}

/** What a row has of a token. The object is used again for the next token. */
export class Entry implements Documents {
  /** The place of the row. */
  row = 0
  /** The number of the first document of the row. */
  first = 0
  bytes: Uint8Array = new Uint8Array()
  from = 0
  to = 0
  isBitmap = false
  /** Empty if the positions were not read. */
  positions: Uint8Array = new Uint8Array()
  positionsFrom = 0
  positionsTo = 0
}

/** Receives what rows have of some tokens. */
interface Receiver {
  add(entry: Entry): void
}

/** Adds up the documents of some tokens. */
export class DocumentsOfTokens implements Receiver {
  readonly set = new IdSet()

  add(entry: Entry): void {
    const { words, first } = this.set.wordsAt(entry.first)
    setDocuments(words, entry, entry.first - first)
  }
}

type EntryRow = Pick<Entry, 'row' | 'first' | 'bytes' | 'positions'>

const numbersPerEntry = 5

/** What the rows of one range have of some tokens. */
export class Hits {
  readonly #rows: EntryRow[] = []
  readonly #entries = new NumberList()
  /** The bytes of all positions. */
  size = 0

  add({ row, first, bytes, from, to, isBitmap, positions, positionsFrom, positionsTo }: Entry): void {
    if (this.#rows.at(-1)?.row !== row) this.#rows.push({ row, first, bytes, positions })
    const list = this.#entries
    list.push(this.#rows.length - 1)
    list.push(from)
    list.push(isBitmap ? -to : to)
    list.push(positionsFrom)
    list.push(positionsTo)
    this.size += positionsTo - positionsFrom
  }

  visit(visit: (entry: Entry) => void): void {
    const { numbers, length } = this.#entries
    const entry = new Entry()
    entry.row = -1
    for (let at = 0; at < length; at += numbersPerEntry) {
      const place = numbers[at] ?? 0
      if (place !== entry.row) Object.assign(entry, this.#rows[place], { row: place })
      const to = numbers[at + 2] ?? 0
      entry.from = numbers[at + 1] ?? 0
      entry.to = Math.abs(to)
      entry.isBitmap = to < 0
      entry.positionsFrom = numbers[at + 3] ?? 0
      entry.positionsTo = numbers[at + 4] ?? 0
      visit(entry)
    }
  }
}

/** What the rows have of some tokens, by the first document of their range. */
export class HitsByRange implements Receiver {
  readonly ranges = new Map<number, Hits>()
  readonly #range: number

  constructor(range: number) {
    this.#range = range
  }

  add(entry: Entry): void {
    const first = entry.first - (entry.first % this.#range)
    let hits = this.ranges.get(first)
    if (hits === undefined) {
      hits = new Hits()
      this.ranges.set(first, hits)
    }
    hits.add(entry)
  }
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
    const placed = new PositionsReader(positions ?? new Uint8Array())
    entry.first = first
    entry.bytes = documents
    entry.positions = placed.bytes
    let key = 0
    for (let at = 0; at < documents.length; ) {
      let byte = documents[at] ?? 0
      at += 1
      key += byte & 127
      for (let unit = 128; byte >= 128; unit *= 128) {
        byte = documents[at] ?? 0
        at += 1
        key += (byte & 127) * unit
      }
      byte = documents[at] ?? 0
      at += 1
      let length = byte & 127
      for (let unit = 128; byte >= 128; unit *= 128) {
        byte = documents[at] ?? 0
        at += 1
        length += (byte & 127) * unit
      }
      const from = at
      at += length >>> 1
      const group = this.#groupOf[placeOf(key * shards + shard)] ?? 0
      if (group === 0) continue
      entry.from = from
      entry.to = at
      entry.isBitmap = (length & 1) === 1
      placed.seek(key)
      entry.positionsFrom = placed.from
      entry.positionsTo = placed.to
      for (const receiver of this.#groups[group] ?? []) receiver.add(entry)
    }
  }
}

/** Finds the positions of tokens in a row. */
class PositionsReader {
  readonly bytes: Uint8Array
  /** The positions of the token: empty if it has none. */
  from = 0
  to = 0
  #at = 0
  #key = 0
  #end = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** @param key Keys must increase. */
  seek(key: number): void {
    const { bytes } = this
    while (this.#key < key && this.#end < bytes.length) {
      let at = this.#end
      let byte = bytes[at] ?? 0
      at += 1
      let difference = byte & 127
      for (let unit = 128; byte >= 128; unit *= 128) {
        byte = bytes[at] ?? 0
        at += 1
        difference += (byte & 127) * unit
      }
      byte = bytes[at] ?? 0
      at += 1
      let length = byte & 127
      for (let unit = 128; byte >= 128; unit *= 128) {
        byte = bytes[at] ?? 0
        at += 1
        length += (byte & 127) * unit
      }
      this.#key += difference
      this.#at = at
      this.#end = at + length
    }
    const isFound = this.#key === key
    this.from = isFound ? this.#at : 0
    this.to = isFound ? this.#end : 0
  }
}
