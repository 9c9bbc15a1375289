import { Bytes, NumberList, Numbers, octetsOf, type Slice } from './search.numbers.ts'

// The stored form of what a row has of its tokens. The documents of a row are numbered from 0. A body has an entry for
// each token, in the order of the keys of tokens: the difference to the key before, the length of the content, and the
// content.

/** Writes the entries of a body, in the order of their keys. */
export class BodyWriter {
  readonly #bytes = new Bytes()
  readonly #list = new NumberList()
  #last = 0

  #begin(key: number): void {
    this.#bytes.pushNumber(key - this.#last)
    this.#last = key
  }

  /** @param documents Numbers below `range`, in order: the first `count` of these. */
  addDocuments(key: number, documents: ArrayLike<number>, { count, range }: { count: number; range: number }): void {
    this.#begin(key)
    const bytes = this.#bytes
    const bitmapLength = Math.ceil(range / 8)
    if (range <= 128 && count <= bitmapLength) {
      this.#addShortDocuments(documents, count)
      return
    }
    const from = bytes.length
    let last = 0
    for (let place = 0; place < count && bytes.length <= from + bitmapLength; place += 1) {
      const document = documents[place] ?? 0
      bytes.pushNumber(document - last)
      last = document
    }
    if (bytes.length <= from + bitmapLength) {
      bytes.insertNumber((bytes.length - from) * 2, from)
      return
    }
    const bitmap = new Uint8Array(bitmapLength)
    for (let place = 0; place < count; place += 1) {
      const document = documents[place] ?? 0
      bitmap[document >>> 3] = (bitmap[document >>> 3] ?? 0) | (1 << (document & 7))
    }
    bytes.length = from
    bytes.pushNumber(bitmapLength * 2 + 1)
    bytes.pushBytes({ bytes: bitmap, from: 0, to: bitmapLength })
  }

  /** Adds documents whose differences have one byte each, so that their length is known. */
  #addShortDocuments(documents: ArrayLike<number>, count: number): void {
    const bytes = this.#bytes
    bytes.pushNumber(count * 2)
    let last = 0
    for (let place = 0; place < count; place += 1) {
      const document = documents[place] ?? 0
      bytes.pushNumber(document - last)
      last = document
    }
  }

  /** Adds documents that are given as bits. */
  addBitmap(key: number, bits: Slice, range: number): void {
    this.#list.length = 0
    appendDocuments(this.#list, { ...bits, isBitmap: true }, 0)
    this.addDocuments(key, this.#list.numbers, { count: this.#list.length, range })
  }

  /**
   * Adds the positions of a token in its documents. Each is the difference to the previous position, times two, plus one if it is
   * the last one of its document.
   */
  addPositions(key: number, { numbers, length }: NumberList): void {
    this.#begin(key)
    const bytes = this.#bytes
    let octets = 0
    for (let place = 0; place < length; place += 1) octets += octetsOf(numbers[place] ?? 0)
    bytes.pushNumber(octets)
    for (let place = 0; place < length; place += 1) bytes.pushNumber(numbers[place] ?? 0)
  }

  /** Adds what other bodies have of a token, one after the other. */
  addContents(key: number, parts: readonly Slice[]): void {
    this.#begin(key)
    let octets = 0
    for (const { from, to } of parts) octets += to - from
    this.#bytes.pushNumber(octets)
    for (const part of parts) this.#bytes.pushBytes(part)
  }

  result(): Buffer {
    return this.#bytes.copy()
  }
}

/** The documents of a token in a row. */
export interface Documents extends Slice {
  readonly isBitmap: boolean
}

/**
 * Reads the entries of a body in order. The reader is its current entry itself, because a search reads hundreds of
 * thousands. It begins before the first one.
 */
export class BodyReader extends Numbers implements Documents {
  readonly #hasDocuments: boolean
  /** The key of the current entry; infinite after the last one. */
  key = 0
  from = 0
  to = 0
  isBitmap = false

  /** @param has What the entries of the body are. */
  constructor(bytes: Uint8Array, has: 'documents' | 'positions') {
    super(bytes)
    this.#hasDocuments = has === 'documents'
  }

  /** Goes to the next entry. Returns whether there is one. */
  advance(): boolean {
    const { bytes } = this
    let at = this.to
    if (at >= bytes.length) {
      this.key = Number.POSITIVE_INFINITY
      return false
    }
    // Nearly all numbers have one byte.
    const difference = bytes[at] ?? 0
    const length = bytes[at + 1] ?? 0
    if (difference < 128 && length < 128) {
      this.key += difference
      at += 2
      this.#setContent(at, length)
      return true
    }
    this.at = at
    this.key += this.next()
    const longLength = this.next()
    this.#setContent(this.at, longLength)
    return true
  }

  #setContent(from: number, length: number): void {
    this.from = from
    this.isBitmap = this.#hasDocuments && (length & 1) === 1
    this.to = from + (this.#hasDocuments ? length >>> 1 : length)
  }

  /** Goes to the entry of a key, or to the next one. Returns whether the key has one. Keys must increase. */
  seek(key: number): boolean {
    while (this.key < key) this.advance()
    return this.key === key
  }
}

/** Appends the documents of a token to a list, each increased by `first`. */
export function appendDocuments(list: NumberList, { bytes, from, to, isBitmap }: Documents, first: number): void {
  list.reserve((to - from) * (isBitmap ? 8 : 1))
  const { numbers } = list
  let { length } = list
  if (isBitmap) {
    for (let at = from; at < to; at += 1) {
      for (let rest = bytes[at] ?? 0; rest !== 0; rest &= rest - 1) {
        numbers[length] = first + (at - from) * 8 + 31 - Math.clz32(rest & -rest)
        length += 1
      }
    }
  } else {
    let document = first
    for (let at = from; at < to; ) {
      let byte = bytes[at] ?? 0
      at += 1
      document += byte & 127
      for (let shift = 7; byte >= 128; shift += 7) {
        byte = bytes[at] ?? 0
        at += 1
        document += (byte & 127) << shift
      }
      numbers[length] = document
      length += 1
    }
  }
  list.length = length
}

/** Sets the bits of the documents of a token. Bit 0 of the first document is `base`. */
export function setDocuments(words: Int32Array, { bytes, from, to, isBitmap }: Documents, base: number): void {
  if (!isBitmap) {
    let document = base
    for (let at = from; at < to; ) {
      let byte = bytes[at] ?? 0
      at += 1
      document += byte & 127
      if (byte >= 128) {
        byte = bytes[at] ?? 0
        at += 1
        document += (byte & 127) << 7
        for (let shift = 14; byte >= 128; shift += 7) {
          byte = bytes[at] ?? 0
          at += 1
          document += (byte & 127) << shift
        }
      }
      words[document >>> 5] = (words[document >>> 5] ?? 0) | (1 << (document & 31))
    }
    return
  }
  for (let at = from, first = base; at < to; at += 1, first += 8) {
    const byte = bytes[at] ?? 0
    words[first >>> 5] = (words[first >>> 5] ?? 0) | (byte << (first & 31))
    // Rows of a few documents may begin anywhere in a byte.
    const rest = byte >>> (32 - (first & 31))
    if ((first & 31) > 24 && rest !== 0) words[(first >>> 5) + 1] = (words[(first >>> 5) + 1] ?? 0) | rest
  }
}
