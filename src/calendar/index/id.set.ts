/** Ids per page of a set. */
const pageSize = 65_536
const pageShift = 16
const wordsPerPage = pageSize / 32

/**
 * A set of ids of events in memory, as a bitmap in pages of 8 KB. Pages without ids take no memory, so the size depends
 * on the events of the calendar only. A million events are 125 KB.
 */
export class IdSet {
  readonly #pages: (Uint32Array | undefined)[] = []

  static of(ids: Iterable<number>): IdSet {
    const set = new IdSet()
    for (const id of ids) set.add(id)
    return set
  }

  /** @param id A whole number below 2 ** 31. */
  add(id: number): void {
    const place = id >>> pageShift
    let page = this.#pages[place]
    if (page === undefined) {
      page = new Uint32Array(wordsPerPage)
      this.#pages[place] = page
    }
    const bit = id & (pageSize - 1)
    const word = bit >>> 5
    page[word] = (page[word] ?? 0) | (1 << (bit & 31))
  }

  /** Adds the ids of a bitmap: bit 0 of the first byte is `first`. */
  addBits(bytes: Uint8Array, first: number): void {
    if (first % 8 !== 0) {
      for (let place = 0; place < bytes.length; place += 1) {
        for (let rest = bytes[place] ?? 0; rest !== 0; rest &= rest - 1) {
          this.add(first + place * 8 + 31 - Math.clz32(rest & -rest))
        }
      }
      return
    }
    for (let place = 0; place < bytes.length; place += 1) {
      const byte = bytes[place] ?? 0
      if (byte === 0) continue
      const id = first + place * 8
      this.#orWord(id, byte << (id & 31))
    }
  }

  /** Sets bits of the word that has an id. */
  #orWord(id: number, bits: number): void {
    const place = id >>> pageShift
    let page = this.#pages[place]
    if (page === undefined) {
      page = new Uint32Array(wordsPerPage)
      this.#pages[place] = page
    }
    const word = (id & (pageSize - 1)) >>> 5
    page[word] = (page[word] ?? 0) | bits
  }

  /** Returns the bits of the ids around one, to set them directly. The lowest bit of the first word is `first`. */
  wordsAt(id: number): { readonly words: Uint32Array; readonly first: number } {
    const place = id >>> pageShift
    let words = this.#pages[place]
    if (words === undefined) {
      words = new Uint32Array(wordsPerPage)
      this.#pages[place] = words
    }
    return { words, first: place * pageSize }
  }

  isEmpty(): boolean {
    return this.#pages.every((page) => page === undefined || page.every((word) => word === 0))
  }

  delete(id: number): void {
    const page = this.#pages[id >>> pageShift]
    const bit = id & (pageSize - 1)
    const word = bit >>> 5
    if (page !== undefined) page[word] = (page[word] ?? 0) & ~(1 << (bit & 31))
  }

  has(id: number): boolean {
    const page = this.#pages[id >>> pageShift]
    const bit = id & (pageSize - 1)
    return page !== undefined && ((page[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0
  }

  /** Adds the ids of the other set. */
  or(other: IdSet): this {
    other.#pages.forEach((given, place) => {
      const own = this.#pages[place]
      if (given === undefined) return
      if (own === undefined) this.#pages[place] = given.slice()
      else for (let word = 0; word < wordsPerPage; word += 1) own[word] = (own[word] ?? 0) | (given[word] ?? 0)
    })
    return this
  }

  /** Keeps only the ids that the other set has too. */
  and(other: IdSet): this {
    this.#pages.forEach((own, place) => {
      const given = other.#pages[place]
      if (own === undefined) return
      if (given === undefined) this.#pages[place] = undefined
      else for (let word = 0; word < wordsPerPage; word += 1) own[word] = (own[word] ?? 0) & (given[word] ?? 0)
    })
    return this
  }

  /** Removes the ids of the other set. */
  andNot(other: IdSet): this {
    this.#pages.forEach((own, place) => {
      const given = other.#pages[place]
      if (own === undefined || given === undefined) return
      for (let word = 0; word < wordsPerPage; word += 1) own[word] = (own[word] ?? 0) & ~(given[word] ?? 0)
    })
    return this
  }

  count(): number {
    let count = 0
    for (const page of this.#pages) if (page !== undefined) for (const word of page) count += bitsOf(word)
    return count
  }

  /** Visits the ids in increasing order. With many ids, this is faster than the iterator. */
  forEach(visit: (id: number) => void): void {
    for (const [place, page] of this.#pages.entries()) {
      if (page === undefined) continue
      for (let word = 0; word < wordsPerPage; word += 1) {
        for (let rest = page[word] ?? 0; rest !== 0; rest &= rest - 1) {
          visit(place * pageSize + word * 32 + 31 - Math.clz32(rest & -rest))
        }
      }
    }
  }

  /** Yields the ids in increasing order. */
  *[Symbol.iterator](): Generator<number> {
    for (const [place, page] of this.#pages.entries()) {
      if (page === undefined) continue
      for (let word = 0; word < wordsPerPage; word += 1) {
        for (let rest = page[word] ?? 0; rest !== 0; rest &= rest - 1) {
          yield place * pageSize + word * 32 + 31 - Math.clz32(rest & -rest)
        }
      }
    }
  }
}

/** Returns the number of bits that are set in 32 bits. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
