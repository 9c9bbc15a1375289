import { IdSet } from '../index/id.set.ts'
import { appendDocuments, type Documents, NumberList, type Slice } from './search.bodies.ts'
import type { PhrasePlace, TermTokens } from './search.terms.ts'

/** What a row has of a token. */
export interface Hit {
  /** The number of the first document of the row. */
  readonly first: number
  readonly documents: Documents
  /** Undefined for a token whose positions were not read. */
  readonly positions: Slice | undefined
}

export type Hits = ReadonlyMap<number, readonly Hit[]>

const scratch = new NumberList()
const rarestBegins = new NumberList()
const otherBegins = new NumberList()

/**
 * Returns the documents that contain a term.
 *
 * @param range The number of documents of the largest rows. Documents of different ranges are compared apart.
 */
export function documentsWith(term: TermTokens, hits: Hits, range: number): IdSet {
  if ('anyOf' in term) return documentsWithAny(term.anyOf, hits)
  const found = new IdSet()
  const places = term.places.map((place) => hitsByRange(place, hits, range))
  const absent = term.absent.map((place) => hitsByRange(place, hits, range))
  for (const first of places[0]?.hits.keys() ?? []) {
    const inRange = ({ offset, hits: some }: PlacedHits) => ({ offset, hits: some.get(first) ?? [] })
    new PhraseRange(first, range).find(places.map(inRange), absent.map(inRange), found)
  }
  return found
}

interface PlacedHits {
  readonly offset: number
  /** By the first document of their range. */
  readonly hits: ReadonlyMap<number, readonly Hit[]>
}

function hitsByRange({ tokens, offset }: PhrasePlace, hits: Hits, range: number): PlacedHits {
  const all = tokens.flatMap((token) => hits.get(token) ?? [])
  return { offset, hits: Map.groupBy(all, ({ first }) => first - (first % range)) }
}

function documentsWithAny(tokens: readonly number[], hits: Hits): IdSet {
  const set = new IdSet()
  for (const token of tokens) for (const { documents, first } of hits.get(token) ?? []) addTo(set, documents, first)
  return set
}

function addTo(set: IdSet, documents: Documents, first: number): void {
  if (documents.isBitmap) {
    set.addBits(documents.bytes.subarray(documents.from, documents.to), first)
    return
  }
  scratch.length = 0
  appendDocuments(scratch, documents, first)
  for (let place = 0; place < scratch.length; place += 1) set.add(scratch.numbers[place] ?? 0)
}

interface RangePlace {
  readonly offset: number
  readonly hits: readonly Hit[]
}

/**
 * The search for a phrase in a range of documents. The possible beginnings of the phrase are bits: first those that the
 * rarest place allows, of which each other place keeps some.
 */
class PhraseRange {
  readonly #first: number
  /** How many of the places each document has, one after the other. */
  readonly #placesOf: Uint16Array
  /** By document: the number of bits, and the place of the first. */
  readonly #lengths: Int32Array
  readonly #bases: Int32Array
  #bits = new Uint32Array()

  constructor(first: number, range: number) {
    this.#first = first
    this.#placesOf = new Uint16Array(range)
    this.#lengths = new Int32Array(range)
    this.#bases = new Int32Array(range)
  }

  find(places: readonly RangePlace[], absent: readonly RangePlace[], found: IdSet): void {
    if (!this.#hasCandidates(places)) return
    const [rarest, ...others] = places.toSorted((one, other) => sizeOf(one) - sizeOf(other))
    if (!rarest) return
    this.#findBegins(rarest, places.length, rarestBegins)
    this.#allow(rarestBegins)
    for (const place of others) {
      this.#findBegins(place, places.length, otherBegins)
      this.#keep(otherBegins)
    }
    for (const place of absent) {
      this.#findBegins(place, places.length, otherBegins)
      this.#remove(otherBegins)
    }
    const { numbers, length } = rarestBegins
    for (let at = 0; at < length; at += 2) {
      const document = numbers[at] ?? 0
      const bit = this.#bitOf(document, numbers[at + 1] ?? 0)
      if (((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0) found.add(this.#first + document)
    }
  }

  /** Marks the documents that have a token of each place. */
  #hasCandidates(places: readonly RangePlace[]): boolean {
    const placesOf = this.#placesOf
    let count = 0
    places.forEach(({ hits }, place) => {
      count = 0
      for (const { documents, first } of hits) {
        scratch.length = 0
        appendDocuments(scratch, documents, first - this.#first)
        const { numbers, length } = scratch
        for (let at = 0; at < length; at += 1) {
          const document = numbers[at] ?? 0
          if (placesOf[document] !== place) continue
          placesOf[document] = place + 1
          count += 1
        }
      }
    })
    return count > 0
  }

  /** Lists where the phrase would begin according to a place, in pairs of a document and a position. */
  #findBegins({ hits, offset }: RangePlace, placeCount: number, begins: NumberList): void {
    begins.length = 0
    const placesOf = this.#placesOf
    for (const { documents, first, positions } of hits) {
      if (positions === undefined) continue
      scratch.length = 0
      appendDocuments(scratch, documents, first - this.#first)
      const { numbers, length } = scratch
      const { bytes, to } = positions
      begins.reserve((to - positions.from) * 2)
      const pairs = begins.numbers
      let end = begins.length
      let at = positions.from
      for (let place = 0; place < length; place += 1) {
        const document = numbers[place] ?? 0
        const isCandidate = placesOf[document] === placeCount
        let position = 0
        for (let number = 0; (number & 1) === 0 && at < to; ) {
          let byte = bytes[at] ?? 0
          number = byte & 127
          for (let shift = 7; byte >= 128; shift += 7) {
            at += 1
            byte = bytes[at] ?? 0
            number += (byte & 127) << shift
          }
          at += 1
          position += number >> 1
          if (!isCandidate || position < offset) continue
          pairs[end] = document
          pairs[end + 1] = position - offset
          end += 2
        }
      }
      begins.length = end
    }
  }

  /** Makes room for these beginnings, and sets their bits. */
  #allow({ numbers, length }: NumberList): void {
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

  /** Keeps only the bits of these beginnings. */
  #keep({ numbers, length }: NumberList): void {
    const bits = this.#bits
    const kept = new Uint32Array(bits.length)
    for (let at = 0; at < length; at += 2) {
      const bit = this.#bitOf(numbers[at] ?? 0, numbers[at + 1] ?? 0)
      if (bit >= 0) kept[bit >>> 5] = (kept[bit >>> 5] ?? 0) | ((bits[bit >>> 5] ?? 0) & (1 << (bit & 31)))
    }
    this.#bits = kept
  }

  /** Removes the bits of these beginnings. */
  #remove({ numbers, length }: NumberList): void {
    const bits = this.#bits
    for (let at = 0; at < length; at += 2) {
      const bit = this.#bitOf(numbers[at] ?? 0, numbers[at + 1] ?? 0)
      if (bit >= 0) bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) & ~(1 << (bit & 31))
    }
  }

  /** Returns the bit of a beginning, or -1 if there is no room for it. */
  #bitOf(document: number, begin: number): number {
    return begin < (this.#lengths[document] ?? 0) ? (this.#bases[document] ?? 0) + begin : -1
  }
}

function sizeOf({ hits }: RangePlace): number {
  return hits.reduce((sum, { positions }) => sum + (positions ? positions.to - positions.from : 0), 0)
}
