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

  /** Returns the ids that are in each of these sets, as a set of its own. */
  static inAll([first = new IdSet(), ...others]: readonly IdSet[]): IdSet {
    const found = new IdSet().or(first)
    for (const other of others) found.and(other)
    return found
  }

  /** @param id A whole number below 2 ** 31. */
  add(id: number): void {
    const page = this.#pageAt(id >>> pageShift)
    const bit = id & (pageSize - 1)
    const word = bit >>> 5
    page[word] = (page[word] ?? 0) | (1 << (bit & 31))
  }

  /** Returns a page, which it makes if it does not exist. */
  #pageAt(place: number): Uint32Array {
    let page = this.#pages[place]
    if (page === undefined) {
      page = new Uint32Array(wordsPerPage)
      this.#pages[place] = page
    }
    return page
  }

  /**
   * Returns the bits of the ids around one, to set them directly. The lowest bit of the first word is `first`. Ids from the
   * next multiple of 65,536 on are not among them.
   */
  wordsAt(id: number): { readonly words: Uint32Array; readonly first: number } {
    const place = id >>> pageShift
    return { words: this.#pageAt(place), first: place * pageSize }
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

  /**
   * Counts the ids among some that follow each other.
   *
   * @param first A multiple of 32, as `length` is.
   */
  countIn(first: number, length: number): number {
    let count = 0
    for (let id = first; id < first + length; id += 32)
      count += bitsOf(this.#pages[id >>> pageShift]?.[(id & (pageSize - 1)) >>> 5] ?? 0)
    return count
  }

  /** Removes ids that follow each other. The numbers are multiples of 32. */
  deleteIn(first: number, length: number): void {
    for (let id = first; id < first + length; id += 32) {
      const page = this.#pages[id >>> pageShift]
      if (page !== undefined) page[(id & (pageSize - 1)) >>> 5] = 0
    }
  }

  /** Returns the ids in increasing order. */
  numbers(): Int32Array {
    const numbers = new Int32Array(this.count())
    let length = 0
    for (const [place, page] of this.#pages.entries()) {
      if (page === undefined) continue
      for (let word = 0; word < wordsPerPage; word += 1) {
        for (let rest = page[word] ?? 0; rest !== 0; rest &= rest - 1) {
          numbers[length] = place * pageSize + word * 32 + 31 - Math.clz32(rest & -rest)
          length += 1
        }
      }
    }
    return numbers
  }

  [Symbol.iterator](): Iterator<number> {
    return this.numbers().values()
  }
}

/** Returns the number of bits that are set in 32 bits. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
