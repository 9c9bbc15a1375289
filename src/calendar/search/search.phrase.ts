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

/** The bit that no beginning has. */
const nowhere = 0

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
  /** Room for the bits that come next. Large arrays are used again, because the garbage collector would run more often. */
  #room: Uint32Array = new Uint32Array()
  /** By document: the last place of a phrase that was found in it where the phrase may begin. Places of all phrases are numbered. */
  readonly #lastPlaces: Int32Array
  #place = 0

  constructor(range: number) {
    this.#lengths = new Int32Array(range)
    this.#bases = new Int32Array(range)
    this.#lastPlaces = new Int32Array(range)
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
      const kept = this.#allowedBy(part)
      this.#room = this.#bits
      this.#bits = kept
      this.#forgetOthers()
    }
    for (const part of absent) {
      const removed = this.#allowedBy(part)
      for (let word = 0; word < removed.length; word += 1)
        this.#bits[word] = (this.#bits[word] ?? 0) & ~(removed[word] ?? 0)
    }
    if (absent.length > 0) this.#addWithBits(found)
    else
      for (let document = 0; document < this.#lengths.length; document += 1)
        if ((this.#lengths[document] ?? 0) > 0) found.add(first + document)
  }

  /** Adds the documents that still have bits. */
  #addWithBits(found: IdSet): void {
    const { numbers, length } = rarestPairs
    for (let at = 0; at < length; at += 2) {
      const bit = this.#bitAt(at, numbers)
      if (((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0) found.add(this.#first + (numbers[at] ?? 0))
    }
  }

  /** Lists where the phrase would begin according to its rarest place, makes room for these beginnings, and sets their bits. */
  #allow(rarest: PhrasePart): void {
    rarestPairs.length = 0
    rarest.hits.visit((entry) => this.#listBegins(entry, rarest.offset))
    this.#measure(rarestPairs)
    const words = this.#makeRoom()
    if (this.#bits.length < words) {
      this.#bits = new Uint32Array(words)
      this.#room = new Uint32Array(words)
    } else this.#bits.fill(0)
    this.#setBits(rarestPairs)
  }

  // Each of these loops has a method of its own. In one method, V8 leaves the compiled code after each of them.

  #measure({ numbers, length }: NumberList): void {
    const lengths = this.#lengths.fill(0)
    for (let at = 0; at < length; at += 2) {
      const document = numbers[at] ?? 0
      lengths[document] = Math.max(lengths[document] ?? 0, (numbers[at + 1] ?? 0) + 1)
    }
  }

  /** Returns the number of words of bits. */
  #makeRoom(): number {
    const [lengths, bases] = [this.#lengths, this.#bases]
    let base = nowhere + 1
    for (let document = 0; document < lengths.length; document += 1) {
      bases[document] = base
      base += lengths[document] ?? 0
    }
    return (base >>> 5) + 1
  }

  #setBits({ numbers, length }: NumberList): void {
    const bits = this.#bits
    for (let at = 0; at < length; at += 2) {
      const bit = this.#bitAt(at, numbers)
      bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) | (1 << (bit & 31))
    }
  }

  /** Returns the place of the bit of a pair. */
  #bitAt(at: number, numbers: Int32Array): number {
    return (this.#bases[numbers[at] ?? 0] ?? 0) + (numbers[at + 1] ?? 0)
  }

  /** Makes no room for documents without this place, so the next one ignores them. */
  #forgetOthers(): void {
    for (let document = 0; document < this.#lengths.length; document += 1)
      if (this.#lastPlaces[document] !== this.#place) this.#lengths[document] = 0
  }

  /** Returns the bits that a place has too. */
  #allowedBy({ hits, offset }: PhrasePart): Uint32Array {
    const both = this.#room.fill(0)
    this.#place += 1
    hits.visit((entry) => {
      if (entry.isBitmap) this.#readMarked(entry, offset, both)
      else this.#readListed(entry, offset, both)
    })
    return both
  }

  /** Lists where the phrase would begin according to a token. */
  #listBegins(entry: Entry, offset: number): void {
    this.#listDocuments(entry)
    rarestPairs.reserve((entry.positionsTo - entry.positionsFrom) * 2 + 2)
    const { numbers } = rarestPairs
    const bytes = entry.positions
    let end = rarestPairs.length
    let begin = 0 - offset
    for (let at = entry.positionsFrom, place = 0; at < entry.positionsTo; ) {
      const low = bytes[at] ?? 0
      at += 1
      begin += (low & 127) >> 1
      let byte = low
      for (let shift = 6; byte >= 128; shift += 7) {
        byte = bytes[at] ?? 0
        at += 1
        begin += (byte & 127) << shift
      }
      numbers[end] = documents.numbers[place] ?? 0
      numbers[end + 1] = begin
      if (begin >= 0) end += 2
      if ((low & 1) === 0) continue
      place += 1
      begin = 0 - offset
    }
    rarestPairs.length = end
  }

  #listDocuments(entry: Entry): void {
    documents.length = 0
    appendDocuments(documents, entry, entry.first - this.#first)
    documents.reserve(1)
  }

  #readMarked(entry: Entry, offset: number, both: Uint32Array): void {
    this.#listDocuments(entry)
    const { numbers, length } = documents
    const { positions: bytes } = entry
    let at = entry.positionsFrom
    for (let place = 0; place < length; place += 1) {
      const document = numbers[place] ?? 0
      at =
        this.#lengths[document] === 0
          ? positionsEnd(bytes, at)
          : this.#readBegins(bytes, at, { document, offset, both })
    }
  }

  /** Reads where the phrase would begin according to a token in few documents, which are read at the same time. */
  #readListed(entry: Entry, offset: number, both: Uint32Array): void {
    const { bytes: listed, to, positions: bytes } = entry
    const lengths = this.#lengths
    let at = entry.positionsFrom
    let document = entry.first - this.#first
    for (let next = entry.from; next < to; ) {
      let byte = listed[next] ?? 0
      next += 1
      document += byte & 127
      for (let shift = 7; byte >= 128; shift += 7) {
        byte = listed[next] ?? 0
        next += 1
        document += (byte & 127) << shift
      }
      at = lengths[document] === 0 ? positionsEnd(bytes, at) : this.#readBegins(bytes, at, { document, offset, both })
    }
  }

  /**
   * Reads where the phrase would begin in a document according to a token. These may be millions of positions of one or two
   * bytes, so which of both is not a branch: the processor could not predict it.
   *
   * @param from The place of the first position.
   * @param both Receives the bits of these beginnings that were allowed until now.
   * @returns the place of the first position in the next document.
   */
  #readBegins(
    bytes: Uint8Array,
    from: number,
    { document, offset, both }: { readonly document: number; readonly offset: number; readonly both: Uint32Array },
  ): number {
    const bits = this.#bits
    const most = this.#lengths[document] ?? 0
    const base = this.#bases[document] ?? 0
    let begin = 0 - offset
    for (let at = from; ; ) {
      const low = bytes[at] ?? 1
      const hasMore = low >>> 7
      // Without a second byte, this is the first one.
      let high = bytes[at + hasMore] ?? 0
      at += 1 + hasMore
      begin += ((low & 127) >> 1) + ((high & 127 & -hasMore) << 6)
      if ((high & -hasMore) >= 128) {
        for (let shift = 13; high >= 128; shift += 7) {
          high = bytes[at] ?? 0
          at += 1
          begin += (high & 127) << shift
        }
      }
      if (begin >= 0 && begin < most) {
        const bit = base + begin
        const kept = (bits[bit >>> 5] ?? 0) & (1 << (bit & 31))
        if (kept !== 0) {
          both[bit >>> 5] = (both[bit >>> 5] ?? 0) | kept
          this.#lastPlaces[document] = this.#place
        }
      }
      if ((low & 1) !== 0) return at
    }
  }
}

/** Returns where the positions in the next document begin. */
function positionsEnd(bytes: Uint8Array, from: number): number {
  for (let at = from; ; ) {
    const low = bytes[at] ?? 1
    const hasMore = low >>> 7
    let high = bytes[at + hasMore] ?? 0
    at += 1 + hasMore
    if ((high & -hasMore) >= 128) {
      while (high >= 128) {
        high = bytes[at] ?? 0
        at += 1
      }
    }
    if ((low & 1) !== 0) return at
  }
}
