const pageShift = 20
const idsPerPage = 2 ** pageShift
const wordsPerPage = idsPerPage / 32
const leastWords = 128
const noWords = new Int32Array()

/** Returns the place of the word of an id in its page. */
const wordOf = (id: number) => (id >>> 5) & (wordsPerPage - 1)

/** The first `length` of some events: their ids, and a number of each. */
export interface MemberColumns {
  readonly days: Int32Array
  readonly ids: Int32Array
  length: number
}

/**
 * A set of ids of events in memory, as a bitmap. A million events are 125 KB. A page has a million ids, and only the words
 * up to its largest one, so nearly all calendars have one page, and loops over ids need not look for it.
 */
export class IdSet {
  readonly #pages: Int32Array[] = []

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
    const page = this.#pageFor(id)
    page[wordOf(id)] = (page[wordOf(id)] ?? 0) | (1 << (id & 31))
  }

  /** Returns a page with room for an id. */
  #pageFor(id: number): Int32Array {
    const place = id >>> pageShift
    const page = this.#pages[place] ?? noWords
    if (wordOf(id) < page.length) return page
    const longer = new Int32Array(Math.min(wordsPerPage, Math.max(leastWords, page.length * 2, wordOf(id) + 1)))
    longer.set(page)
    for (let before = this.#pages.length; before < place; before += 1) this.#pages.push(noWords)
    this.#pages[place] = longer
    return longer
  }

  /** Adds the first `count` of some ids. */
  addAll(ids: Int32Array, count: number): void {
    for (let at = 0; at < count; ) {
      const first = ids[at] ?? 0
      const page = this.#pageFor(first)
      const begin = first - (first % idsPerPage)
      const length = page.length * 32
      for (; at < count; at += 1) {
        const passed = (ids[at] ?? 0) - begin
        if (passed < 0 || passed >= length) break
        page[passed >>> 5] = (page[passed >>> 5] ?? 0) | (1 << (passed & 31))
      }
    }
  }

  /** Adds members. Removes from the list those that were in the set. */
  addNew(members: MemberColumns): void {
    const { days, ids, length: count } = members
    let kept = 0
    for (let at = 0; at < count; ) {
      const first = ids[at] ?? 0
      const page = this.#pageFor(first)
      const begin = first - (first % idsPerPage)
      const length = page.length * 32
      for (; at < count; at += 1) {
        const id = ids[at] ?? 0
        const passed = id - begin
        if (passed < 0 || passed >= length) break
        const bits = page[passed >>> 5] ?? 0
        page[passed >>> 5] = bits | (1 << (passed & 31))
        ids[kept] = id
        days[kept] = days[at] ?? 0
        // The processor could not predict a branch.
        kept += ((bits >>> (passed & 31)) & 1) ^ 1
      }
    }
    members.length = kept
  }

  /** Keeps those members that are in the set, or those that are not. */
  sift(members: MemberColumns, isKept: boolean): void {
    const { days, ids, length: count } = members
    const unwanted = isKept ? 0 : 1
    let kept = 0
    for (let at = 0; at < count; ) {
      const first = ids[at] ?? 0
      const page = this.#pages[first >>> pageShift] ?? noWords
      const begin = first - (first % idsPerPage)
      for (; at < count; at += 1) {
        const id = ids[at] ?? 0
        const passed = id - begin
        if (passed < 0 || passed >= idsPerPage) break
        const bits = passed >>> 5 < page.length ? (page[passed >>> 5] ?? 0) : 0
        ids[kept] = id
        days[kept] = days[at] ?? 0
        kept += ((bits >>> (passed & 31)) & 1) ^ unwanted
      }
    }
    members.length = kept
  }

  /**
   * Returns the bits of some ids that follow each other, to set them directly. The lowest bit of the first word is `first`.
   * No multiple of a million is between the ids.
   */
  wordsFor(id: number, count: number): { readonly words: Int32Array; readonly first: number } {
    return { words: this.#pageFor(id + count - 1), first: (id >>> pageShift) * idsPerPage }
  }

  /** Returns the bits of an id and the 31 that follow it. The id is a multiple of 32. */
  wordAt(id: number): number {
    return this.#pages[id >>> pageShift]?.[wordOf(id)] ?? 0
  }

  isEmpty(): boolean {
    return this.#pages.every((page) => page.every((word) => word === 0))
  }

  delete(id: number): void {
    const page = this.#pages[id >>> pageShift]
    const word = page?.[wordOf(id)]
    if (page !== undefined && word !== undefined) page[wordOf(id)] = word & ~(1 << (id & 31))
  }

  has(id: number): boolean {
    return (this.wordAt(id) & (1 << (id & 31))) !== 0
  }

  /** Adds the ids of the other set. */
  or(other: IdSet): this {
    other.#pages.forEach((given, place) => {
      if (given.length === 0) return
      const own = this.#pageFor(place * idsPerPage + given.length * 32 - 1)
      for (let word = 0; word < given.length; word += 1) own[word] = (own[word] ?? 0) | (given[word] ?? 0)
    })
    return this
  }

  /** Keeps only the ids that the other set has too. */
  and(other: IdSet): this {
    this.#pages.forEach((own, place) => {
      const given = other.#pages[place] ?? noWords
      const shared = Math.min(own.length, given.length)
      for (let word = 0; word < shared; word += 1) own[word] = (own[word] ?? 0) & (given[word] ?? 0)
      own.fill(0, shared)
    })
    return this
  }

  /** Removes the ids of the other set. */
  andNot(other: IdSet): this {
    this.#pages.forEach((own, place) => {
      const given = other.#pages[place] ?? noWords
      const shared = Math.min(own.length, given.length)
      for (let word = 0; word < shared; word += 1) own[word] = (own[word] ?? 0) & ~(given[word] ?? 0)
    })
    return this
  }

  count(): number {
    let count = 0
    for (const page of this.#pages) for (let word = 0; word < page.length; word += 1) count += bitsOf(page[word] ?? 0)
    return count
  }

  /** No id is as large as this. */
  get end(): number {
    const last = this.#pages.length - 1
    return last < 0 ? 0 : last * idsPerPage + (this.#pages[last]?.length ?? 0) * 32
  }

  /** Whether any of some ids that follow each other is in the set. The numbers are multiples of 32. */
  hasIn(first: number, length: number): boolean {
    for (let id = first; id < first + length; id += 32) if (this.wordAt(id) !== 0) return true
    return false
  }

  /**
   * Counts the ids among some that follow each other.
   *
   * @param first A multiple of 32, as `length` is.
   */
  countIn(first: number, length: number): number {
    let count = 0
    for (let id = first; id < first + length; id += 32) count += bitsOf(this.wordAt(id))
    return count
  }

  /** Adds ids that follow each other. The numbers are multiples of 32. */
  addIn(first: number, length: number): void {
    for (let id = first; id < first + length; id += 32) this.#pageFor(id)[wordOf(id)] = -1
  }

  /** Removes ids that follow each other. The numbers are multiples of 32. */
  deleteIn(first: number, length: number): void {
    for (let id = first; id < first + length; id += 32) {
      const page = this.#pages[id >>> pageShift] ?? noWords
      if (wordOf(id) < page.length) page[wordOf(id)] = 0
    }
  }

  /** Returns the ids in increasing order. */
  numbers(): Int32Array {
    return this.slice(0, this.count())
  }

  /** Returns some of the ids in increasing order: those at the places from `from` to `to`, which all exist. */
  slice(from: number, to: number): Int32Array {
    const numbers = new Int32Array(to - from)
    let place = 0
    for (const [number, page] of this.#pages.entries()) {
      for (let word = 0; word < page.length && place < to; word += 1) {
        let rest = page[word] ?? 0
        if (rest === 0) continue
        const next = place + bitsOf(rest)
        if (next > from) {
          for (; rest !== 0; rest &= rest - 1, place += 1) {
            if (place >= from && place < to)
              numbers[place - from] = number * idsPerPage + word * 32 + 31 - Math.clz32(rest & -rest)
          }
        }
        place = next
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
