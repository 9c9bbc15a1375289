import { IdSet } from '../index/id.set.ts'
import { type Documents, setDocuments } from './search.bodies.ts'
import { NumberList } from './search.numbers.ts'

// What the rows of the index have of the tokens of a search. These may be hundreds of thousands of entries, so they are
// not kept as objects.

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
export interface Receiver {
  add(entry: Entry): void
}

const noWords: ReturnType<IdSet['wordsFor']> = { words: new Int32Array(), first: 0 }

/** Adds up the documents of some tokens. */
export class DocumentsOfTokens implements Receiver {
  readonly set = new IdSet()
  readonly #range: number
  /** The words of the row of the last entry, because rows have very many entries. */
  #words = noWords
  #row = -1

  /** @param range The number of documents of the largest rows. */
  constructor(range: number) {
    this.#range = range
  }

  add(entry: Entry): void {
    if (entry.first !== this.#row) {
      this.#row = entry.first
      this.#words = this.set.wordsFor(entry.first - (entry.first % this.#range), this.#range)
    }
    setDocuments(this.#words.words, entry, entry.first - this.#words.first)
  }
}

type EntryRow = Pick<Entry, 'row' | 'first' | 'bytes' | 'positions'>

const numbersPerEntry = 5

/** What the rows of one range have of some tokens. */
export class Hits {
  readonly #rows: EntryRow[] = []
  readonly #entries = new NumberList()
  /** The row of the last entry. */
  #last = -1
  /** The bytes of all positions. */
  size = 0

  add({ row, first, bytes, from, to, isBitmap, positions, positionsFrom, positionsTo }: Entry): void {
    if (this.#last !== row) {
      this.#last = row
      this.#rows.push({ row, first, bytes, positions })
    }
    const list = this.#entries
    list.reserve(numbersPerEntry)
    const { numbers, length } = list
    numbers[length] = this.#rows.length - 1
    numbers[length + 1] = from
    numbers[length + 2] = isBitmap ? -to : to
    numbers[length + 3] = positionsFrom
    numbers[length + 4] = positionsTo
    list.length += numbersPerEntry
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
  /** The range of the last entry, because rows have very many entries. */
  #first = Number.NEGATIVE_INFINITY
  #hits = new Hits()

  constructor(range: number) {
    this.#range = range
  }

  add(entry: Entry): void {
    if (entry.first < this.#first || entry.first >= this.#first + this.#range) this.#begin(entry.first)
    this.#hits.add(entry)
  }

  #begin(document: number): void {
    const first = document - (document % this.#range)
    const known = this.ranges.get(first) ?? new Hits()
    this.ranges.set(first, known)
    this.#first = first
    this.#hits = known
  }
}
