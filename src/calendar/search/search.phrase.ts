import type { IdSet } from '../index/id.set.ts'
import { appendDocuments } from './search.bodies.ts'
import type { Entry, Hits } from './search.hits.ts'
import { NumberList } from './search.numbers.ts'

/** A place of a phrase, with what one range of documents has of its tokens. */
export interface PhrasePart {
  /** The position, compared with the beginning of the phrase. */
  readonly offset: number
  readonly hits: Hits
}

/** Room for any position. */
const mostBegins = 2 ** 31 - 1

// Lists that are used again and again. Pairs are documents, compared with the first one of the range, each followed by a
// position at which the phrase may begin.
const documents = new NumberList()
const rarestPairs = new NumberList()

/**
 * The search for a phrase in a range of documents. The possible beginnings of the phrase are bits: first those that the
 * rarest place allows, of which each other place keeps some.
 */
export class PhraseRange {
  #first = 0
  /** By document: the number of bits, and the place of the first. */
  readonly #lengths: Int32Array
  readonly #bases: Int32Array
  #bits: Uint32Array = new Uint32Array()

  constructor(range: number) {
    this.#lengths = new Int32Array(range)
    this.#bases = new Int32Array(range)
  }

  /**
   * Adds the documents of a range that contain a phrase.
   *
   * @param first The first document of the range.
   * @param phrase Its places, and places at which it must not have some tokens.
   */
  find(
    first: number,
    { parts, absent }: { readonly parts: readonly PhrasePart[]; readonly absent: readonly PhrasePart[] },
    found: IdSet,
  ): void {
    this.#first = first
    const [rarest, ...others] = parts.toSorted((one, other) => one.hits.size - other.hits.size)
    if (!rarest) return
    this.#allow(rarest)
    for (const part of others) {
      this.#bits = this.#allowedBy(part)
      this.#forgetOthers()
    }
    for (const part of absent) {
      const removed = this.#allowedBy(part)
      for (let word = 0; word < removed.length; word += 1)
        this.#bits[word] = (this.#bits[word] ?? 0) & ~(removed[word] ?? 0)
    }
    const { numbers, length } = rarestPairs
    for (let at = 0; at < length; at += 2) {
      const bit = this.#bitAt(at, numbers)
      if (((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0) found.add(first + (numbers[at] ?? 0))
    }
  }

  /** Lists where the phrase would begin according to its rarest place, makes room for these beginnings, and sets their bits. */
  #allow(rarest: PhrasePart): void {
    this.#lengths.fill(mostBegins)
    rarestPairs.length = 0
    rarest.hits.visit((entry) => this.#readBegins(entry, rarest.offset))
    const { numbers, length } = rarestPairs
    this.#lengths.fill(0)
    for (let at = 0; at < length; at += 2) {
      const document = numbers[at] ?? 0
      this.#lengths[document] = Math.max(this.#lengths[document] ?? 0, (numbers[at + 1] ?? 0) + 1)
    }
    let base = 0
    for (let document = 0; document < this.#lengths.length; document += 1) {
      this.#bases[document] = base
      base += this.#lengths[document] ?? 0
    }
    this.#bits = new Uint32Array((base >>> 5) + 1)
    for (let at = 0; at < length; at += 2) {
      const bit = this.#bitAt(at, numbers)
      this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31))
    }
  }

  /** Returns the place of the bit of a pair. */
  #bitAt(at: number, numbers: Int32Array): number {
    return (this.#bases[numbers[at] ?? 0] ?? 0) + (numbers[at + 1] ?? 0)
  }

  /** Makes no room for documents without bits, so the next place ignores them. */
  #forgetOthers(): void {
    const bits = this.#bits
    for (let document = 0; document < this.#lengths.length; document += 1) {
      const length = this.#lengths[document] ?? 0
      if (length === 0) continue
      const base = this.#bases[document] ?? 0
      let isAny = false
      // The words at both ends have bits of neighbours too: these documents stay without need.
      for (let word = base >>> 5; word <= (base + length - 1) >>> 5 && !isAny; word += 1) isAny = bits[word] !== 0
      if (!isAny) this.#lengths[document] = 0
    }
  }

  /** Returns the bits that a place has too. */
  #allowedBy({ hits, offset }: PhrasePart): Uint32Array {
    const both = new Uint32Array(this.#bits.length)
    hits.visit((entry) => this.#readBegins(entry, offset, both))
    return both
  }

  /**
   * Reads where the phrase would begin according to a token, in the documents with room for it.
   *
   * @param both Receives the bits of these beginnings that were allowed until now. Without it, the list of pairs receives all.
   */
  #readBegins(entry: Entry, offset: number, both?: Uint32Array): void {
    const { positions: bytes, positionsTo: to } = entry
    documents.length = 0
    appendDocuments(documents, entry, entry.first - this.#first)
    const { numbers, length } = documents
    const lengths = this.#lengths
    let first = 0
    while (first < length && lengths[numbers[first] ?? 0] === 0) first += 1
    if (first === length) return
    if (both === undefined) rarestPairs.reserve((to - entry.positionsFrom) * 2)
    const pairs = rarestPairs.numbers
    let end = rarestPairs.length
    const bits = this.#bits
    let at = entry.positionsFrom
    for (let place = 0; place < length; place += 1) {
      const document = numbers[place] ?? 0
      const most = lengths[document] ?? 0
      const base = this.#bases[document] ?? 0
      let begin = -offset
      for (let isLast = false; !isLast && at < to; ) {
        let byte = bytes[at] ?? 0
        at += 1
        isLast = (byte & 1) === 1
        begin += (byte & 127) >> 1
        for (let shift = 6; byte >= 128; shift += 7) {
          byte = bytes[at] ?? 0
          at += 1
          begin += (byte & 127) << shift
        }
        if (begin >= most || begin < 0) continue
        if (both === undefined) {
          pairs[end] = document
          pairs[end + 1] = begin
          end += 2
        } else {
          const bit = base + begin
          const word = bit >>> 5
          both[word] = (both[word] ?? 0) | ((bits[word] ?? 0) & (1 << (bit & 31)))
        }
      }
    }
    rarestPairs.length = end
  }
}
