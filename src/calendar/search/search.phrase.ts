import type { IdSet } from '../index/id.set.ts'
import { appendDocuments, NumberList } from './search.bodies.ts'
import type { Entry, Hits } from './search.hits.ts'

/** A place of a phrase, with what one range of documents has of its tokens. */
export interface PhrasePart {
  /** The position, compared with the beginning of the phrase. */
  readonly offset: number
  readonly hits: Hits
}

const documents = new NumberList()
const begins = new NumberList()

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
    const { numbers, length } = begins
    const bits = this.#bits
    for (let at = 0; at < length; at += 2) {
      const document = numbers[at] ?? 0
      const bit = (this.#bases[document] ?? 0) + (numbers[at + 1] ?? 0)
      if (((bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0) found.add(this.#first + document)
    }
  }

  /** Lists where the phrase would begin according to its rarest place, makes room for these beginnings, and sets their bits. */
  #allow(rarest: PhrasePart): void {
    begins.length = 0
    rarest.hits.visit((entry) => this.#listBegins(entry, rarest.offset))
    const { numbers, length } = begins
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
      const bit = (this.#bases[numbers[at] ?? 0] ?? 0) + (numbers[at + 1] ?? 0)
      this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31))
    }
  }

  /** Makes no room for documents without bits, so the next place ignores them. */
  #forgetOthers(): void {
    const bits = this.#bits
    for (let document = 0; document < this.#lengths.length; document += 1) {
      const base = this.#bases[document] ?? 0
      const end = base + (this.#lengths[document] ?? 0)
      let isAny = false
      // The words at both ends have bits of neighbours too: these documents stay without need.
      for (let word = base >>> 5; word <= (end - 1) >>> 5 && !isAny; word += 1) isAny = bits[word] !== 0
      if (!isAny) this.#lengths[document] = 0
    }
  }

  /** Returns the bits that a place has too. */
  #allowedBy({ hits, offset }: PhrasePart): Uint32Array {
    const both = new Uint32Array(this.#bits.length)
    hits.visit((entry) => this.#markBegins(entry, offset, both))
    return both
  }

  /** Lists where the phrase would begin according to a token, in pairs of a document and a position. */
  #listBegins(entry: Entry, offset: number): void {
    const { positions: bytes, positionsTo: to } = entry
    const { numbers, length } = documentsOf(entry, this.#first)
    begins.reserve((to - entry.positionsFrom) * 2)
    const pairs = begins.numbers
    let end = begins.length
    let at = entry.positionsFrom
    for (let place = 0; place < length; place += 1) {
      const document = numbers[place] ?? 0
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
        if (begin < 0) continue
        pairs[end] = document
        pairs[end + 1] = begin
        end += 2
      }
    }
    begins.length = end
  }

  /** Sets the bits in `both` that are set already, and where the phrase would begin according to a token. */
  #markBegins(entry: Entry, offset: number, both: Uint32Array): void {
    const { positions: bytes, positionsTo: to } = entry
    const { numbers, length } = documentsOf(entry, this.#first)
    const bits = this.#bits
    const lengths = this.#lengths
    const bases = this.#bases
    let first = 0
    while (first < length && lengths[numbers[first] ?? 0] === 0) first += 1
    if (first === length) return
    let at = entry.positionsFrom
    for (let place = 0; place < length; place += 1) {
      const document = numbers[place] ?? 0
      const most = lengths[document] ?? 0
      const base = bases[document] ?? 0
      let begin = -offset
      let isLast = false
      while (most === 0 && !isLast && at < to) {
        let byte = bytes[at] ?? 0
        at += 1
        isLast = (byte & 1) === 1
        for (; byte >= 128; at += 1) byte = bytes[at] ?? 0
      }
      while (!isLast && at < to) {
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
        const bit = base + begin
        const own = 1 << (bit & 31)
        if (((bits[bit >>> 5] ?? 0) & own) !== 0) both[bit >>> 5] = (both[bit >>> 5] ?? 0) | own
      }
    }
  }
}

/** Lists the documents of an entry, compared with the first one of its range. The list is used again. */
function documentsOf(entry: Entry, first: number): NumberList {
  documents.length = 0
  appendDocuments(documents, entry, entry.first - first)
  return documents
}
