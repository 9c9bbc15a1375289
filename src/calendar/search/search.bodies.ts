// The stored form of what a row has of its tokens. The documents of a row are numbered from 0. A body has an entry for
// each token, in the order of the keys of tokens: the difference to the key before, the length of the content, and the
// content. Numbers are stored in groups of seven bits.

/** So few bytes are copied faster one by one. */
const longestLoop = 32

/** Bytes that grow. */
export class Bytes {
  #bytes = Buffer.allocUnsafe(256)
  length = 0

  #grow(by: number): void {
    const longer = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + by))
    this.#bytes.copy(longer, 0, 0, this.length)
    this.#bytes = longer
  }

  pushNumber(number: number): void {
    if (this.length + 8 > this.#bytes.length) this.#grow(8)
    let rest = number
    for (; rest >= 128; rest = Math.floor(rest / 128)) {
      this.#bytes[this.length] = (rest % 128) + 128
      this.length += 1
    }
    this.#bytes[this.length] = rest
    this.length += 1
  }

  /** Appends a part of other bytes. */
  pushBytes({ bytes, from, to }: Slice): void {
    const count = to - from
    if (this.length + count > this.#bytes.length) this.#grow(count)
    if (count > longestLoop) this.#bytes.set(bytes.subarray(from, to), this.length)
    else for (let at = 0; at < count; at += 1) this.#bytes[this.length + at] = bytes[from + at] ?? 0
    this.length += count
  }

  /** Inserts a number before the bytes from a place on. */
  insertNumber(number: number, at: number): void {
    const end = this.length
    this.pushNumber(number)
    const bytes = this.#bytes
    for (let count = this.length - end; count > 0; count -= 1) {
      const last = bytes[this.length - 1] ?? 0
      if (this.length - at > longestLoop) bytes.copyWithin(at + 1, at, this.length - 1)
      else for (let to = this.length - 1; to > at; to -= 1) bytes[to] = bytes[to - 1] ?? 0
      bytes[at] = last
    }
  }

  copy(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.length))
  }
}

/** Reads the numbers of bytes, one after the other. */
export class Numbers {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length
  }

  next(): number {
    let byte = this.bytes[this.at] ?? 0
    this.at += 1
    if (byte < 128) return byte
    let number = byte - 128
    let unit = 128
    do {
      byte = this.bytes[this.at] ?? 0
      this.at += 1
      number += (byte & 127) * unit
      unit *= 128
    } while (byte >= 128)
    return number
  }
}

/** A list of numbers that is used again and again. */
export class NumberList {
  numbers = new Int32Array(1024)
  length = 0

  /** Makes room for so many more numbers. */
  reserve(count: number): void {
    const needed = this.length + count
    if (needed <= this.numbers.length) return
    const longer = new Int32Array(Math.max(needed, this.numbers.length * 2))
    longer.set(this.numbers.subarray(0, this.length))
    this.numbers = longer
  }

  push(number: number): void {
    this.reserve(1)
    this.numbers[this.length] = number
    this.length += 1
  }
}

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
    const from = bytes.length
    let last = 0
    const bitmapLength = Math.ceil(range / 8)
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
    const from = this.#bytes.length
    for (let place = 0; place < length; place += 1) this.#bytes.pushNumber(numbers[place] ?? 0)
    this.#bytes.insertNumber(this.#bytes.length - from, from)
  }

  /** Adds what other bodies have of a token, one after the other. */
  addContents(key: number, parts: readonly Slice[]): void {
    this.#begin(key)
    this.#bytes.pushNumber(parts.reduce((sum, { from, to }) => sum + to - from, 0))
    for (const part of parts) this.#bytes.pushBytes(part)
  }

  result(): Buffer {
    return this.#bytes.copy()
  }
}

/** A part of bytes. A search finds very many, and views would cost more. */
export interface Slice {
  readonly bytes: Uint8Array
  readonly from: number
  readonly to: number
}

/** The documents of a token in a row. */
export interface Documents extends Slice {
  readonly isBitmap: boolean
}

/** Reads the entries of a body in order. */
export class BodyReader {
  readonly #numbers: Numbers
  #end = 0
  #isBitmap = false
  #begin = 0
  /** The key of the current entry, or undefined after the last. */
  key: number | undefined = 0
  readonly #hasDocuments: boolean

  /** @param has What the entries of the body are. */
  constructor(bytes: Uint8Array, has: 'documents' | 'positions') {
    this.#numbers = new Numbers(bytes)
    this.#hasDocuments = has === 'documents'
    this.advance()
  }

  advance(): void {
    const numbers = this.#numbers
    numbers.at = this.#end
    if (numbers.isAtEnd) {
      this.key = undefined
      return
    }
    this.key = (this.key ?? 0) + numbers.next()
    const length = numbers.next()
    this.#isBitmap = this.#hasDocuments && length % 2 === 1
    this.#begin = numbers.at
    this.#end = numbers.at + (this.#hasDocuments ? Math.floor(length / 2) : length)
  }

  /** The content of the current entry. */
  slice(): Slice {
    return { bytes: this.#numbers.bytes, from: this.#begin, to: this.#end }
  }

  documents(): Documents {
    return { bytes: this.#numbers.bytes, from: this.#begin, to: this.#end, isBitmap: this.#isBitmap }
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
export function setDocuments(words: Uint32Array, { bytes, from, to, isBitmap }: Documents, base: number): void {
  if (!isBitmap) {
    let document = base
    for (let at = from; at < to; ) {
      let byte = bytes[at] ?? 0
      at += 1
      document += byte & 127
      for (let shift = 7; byte >= 128; shift += 7) {
        byte = bytes[at] ?? 0
        at += 1
        document += (byte & 127) << shift
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
