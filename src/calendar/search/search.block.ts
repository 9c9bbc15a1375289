import { BodyWriter } from './search.bodies.ts'
import { type DictionaryVersion, emptyDictionary, numberOf, versionWith } from './search.dictionary.ts'
import type { RowBodies } from './search.merging.ts'
import { NumberList } from './search.numbers.ts'
import { gramMark, gramsOf, type Run, separatorMark, visitTokens } from './search.tokens.ts'

/** A process that remembers more tokens forgets all of them. */
const rememberedTokens = 60_000
const noGrams = new Int32Array()
const emptySlots = (count = 2 ** 14) => new Array<Token | undefined>(count).fill(undefined)

/** A token of the dictionary. A process uses the same object again and again, because most tokens recur. */
export class Token {
  readonly text: string
  /** The hash of the run that it is. */
  readonly hash: number
  /** The number in the dictionary, or 0 if it is not known yet. */
  number = 0
  /** The block that has the token, and its place there. */
  block: Block | undefined
  place = 0
  #grams: Int32Array | undefined

  constructor(text: string, hash = 0) {
    this.text = text
    this.hash = hash
  }

  isRun({ text, from, to, isWord, hash }: Run): boolean {
    if (hash !== this.hash) return false
    const own = this.text
    const start = isWord ? 0 : separatorMark.length
    if (own.length - start !== to - from || own.startsWith(separatorMark) === isWord) return false
    // Runs are short: a loop is faster than a comparison of strings, and makes none.
    for (let at = from; at < to; at += 1) if (own.charCodeAt(start + at - from) !== text.charCodeAt(at)) return false
    return true
  }

  /** The places of the grams of a word among those that the process knows. */
  grams(known: Tokens): Int32Array {
    this.#grams ??= this.text.startsWith(separatorMark)
      ? noGrams
      : Int32Array.from(gramsOf(this.text), (gram) => known.placeOfGram(gram))
    return this.#grams
  }
}

/** The tokens that a process remembers, with their numbers. Those of a transaction that failed are forgotten. */
export class Tokens {
  #version: DictionaryVersion = emptyDictionary
  /** A hash table: looking up a run of a text makes no string. */
  #slots: (Token | undefined)[] = emptySlots()
  #size = 0
  readonly #places = new Map<string, number>()
  readonly grams: Token[] = []

  get(run: Run): Token {
    const mask = this.#slots.length - 1
    let slot = run.hash & mask
    for (let known = this.#slots[slot]; known !== undefined; known = this.#slots[slot]) {
      if (known.isRun(run)) return known
      slot = (slot + 1) & mask
    }
    const name = run.text.slice(run.from, run.to)
    const token = new Token(run.isWord ? name : separatorMark + name, run.hash)
    this.#slots[slot] = token
    this.#size += 1
    if (this.#size > mask / 2) this.#grow()
    return token
  }

  #grow(): void {
    const tokens = this.#slots
    this.#slots = emptySlots(tokens.length * 2)
    const mask = this.#slots.length - 1
    for (const token of tokens) {
      if (token === undefined) continue
      let slot = token.hash & mask
      while (this.#slots[slot] !== undefined) slot = (slot + 1) & mask
      this.#slots[slot] = token
    }
  }

  placeOfGram(gram: string): number {
    const known = this.#places.get(gram)
    if (known !== undefined) return known
    const place = this.grams.push(new Token(gramMark + gram)) - 1
    this.#places.set(gram, place)
    return place
  }

  /** Forgets everything if the dictionary is not the expected one. */
  expect(version: DictionaryVersion): void {
    if (this.#version.count !== version.count || this.#version.digest !== version.digest) this.#forget()
    this.#version = version
  }

  /** Forgets everything if it is much. */
  shrink(): void {
    if (this.#size + this.grams.length > rememberedTokens) this.#forget()
  }

  #forget(): void {
    this.#slots = emptySlots()
    this.#size = 0
    this.#places.clear()
    this.grams.length = 0
  }

  /** Numbers new tokens, which follow the known ones. Returns the new version of the dictionary. */
  number(added: readonly Token[]): DictionaryVersion {
    added.forEach((token, place) => {
      token.number = numberOf(this.#version.count + place + 1, token.text)
    })
    this.#version = versionWith(
      this.#version,
      added.map(({ text }) => text),
    )
    return this.#version
  }
}

/** In the order of the texts: the document, the token and the position of each run. Blocks are made one after the other. */
const visited = new NumberList()
const documentsOfToken = new NumberList()
const positionsOfToken = new NumberList()
const numbersPerRun = 3

/** The tokens of some documents, which are numbered from 0. The next block uses the same tokens, so only one is read. */
export class Block {
  /** Words and separators, and then the grams of words. */
  readonly tokens: Token[] = []
  /** The number of tokens that are not grams. */
  readonly #wordCount: number
  /** By place of a token: where its runs begin and end. */
  readonly #starts: Int32Array
  /** By token: the document and the position of its runs, in their order. */
  readonly #runs: Int32Array
  /** By place of a gram: the documents that have it, as bits. */
  readonly #bits: Uint8Array
  readonly #bytesPerGram: number
  readonly #gramPlaces: number[] = []

  constructor(texts: readonly string[], known: Tokens) {
    known.shrink()
    visited.length = 0
    texts.forEach((text, document) => {
      visitTokens(text, (run, position) => {
        visited.push(document)
        visited.push(this.#placeOf(known.get(run)))
        visited.push(position)
      })
    })
    this.#wordCount = this.tokens.length
    this.#starts = new Int32Array(this.#wordCount + 1)
    this.#runs = new Int32Array((visited.length / numbersPerRun) * 2)
    this.#sortRuns()
    for (const token of this.tokens) token.grams(known)
    this.#bytesPerGram = 4 * Math.ceil(texts.length / 32)
    this.#bits = new Uint8Array(known.grams.length * this.#bytesPerGram)
    this.#markGrams(known)
  }

  #placeOf(token: Token): number {
    if (token.block !== this) {
      token.block = this
      token.place = this.tokens.push(token) - 1
    }
    return token.place
  }

  /** Sorts the visited runs by their tokens. Those of a token keep their order. */
  #sortRuns(): void {
    const starts = this.#starts
    const { numbers, length } = visited
    for (let at = 1; at < length; at += numbersPerRun) {
      const next = (numbers[at] ?? 0) + 1
      starts[next] = (starts[next] ?? 0) + 1
    }
    for (let place = 1; place < starts.length; place += 1)
      starts[place] = (starts[place] ?? 0) + (starts[place - 1] ?? 0)
    const ends = starts.slice()
    for (let at = 0; at < length; at += numbersPerRun) {
      const place = numbers[at + 1] ?? 0
      const to = ends[place] ?? 0
      ends[place] = to + 1
      this.#runs[to * 2] = numbers[at] ?? 0
      this.#runs[to * 2 + 1] = numbers[at + 2] ?? 0
    }
  }

  #markGrams(known: Tokens): void {
    const length = this.#bytesPerGram / 4
    // Signed numbers, because larger ones take longer.
    const bits = new Int32Array(this.#bits.buffer)
    const own = new Int32Array(length)
    for (let token = 0; token < this.#wordCount; token += 1) {
      own.fill(0)
      const end = (this.#starts[token + 1] ?? 0) * 2
      for (let at = (this.#starts[token] ?? 0) * 2; at < end; at += 2) {
        const document = this.#runs[at] ?? 0
        own[document >>> 5] = (own[document >>> 5] ?? 0) | (1 << (document & 31))
      }
      const grams = this.tokens[token]?.grams(known) ?? noGrams
      for (let word = 0; word < length; word += 1) {
        // Most tokens are in few documents.
        const marks = own[word] ?? 0
        if (marks === 0) continue
        for (let at = 0; at < grams.length; at += 1) {
          const place = (grams[at] ?? 0) * length + word
          bits[place] = (bits[place] ?? 0) | marks
        }
      }
    }
    known.grams.forEach((gram, place) => {
      for (let word = 0; word < length; word += 1) {
        if (bits[place * length + word] === 0) continue
        this.tokens.push(gram)
        this.#gramPlaces.push(place)
        return
      }
    })
  }

  /** Returns the row of the block, once all its tokens have numbers. */
  row(range: number): RowBodies {
    const documents = new BodyWriter()
    const positions = new BodyWriter()
    // Sorting plain numbers takes a fraction of the time.
    const count = this.tokens.length
    const order = Float64Array.from(this.tokens, ({ number }, place) => number * count + place).sort()
    // Not an iterator, which makes an object of each number.
    for (let at = 0; at < count; at += 1) {
      const key = order[at] ?? 0
      const place = key % count
      const number = Math.floor(key / count)
      if (place < this.#wordCount) {
        this.#listRuns(place)
        documents.addDocuments(number, documentsOfToken.numbers, { count: documentsOfToken.length, range })
        positions.addPositions(number, positionsOfToken)
      } else {
        const from = (this.#gramPlaces[place - this.#wordCount] ?? 0) * this.#bytesPerGram
        documents.addBitmap(
          number,
          { bytes: this.#bits, from, to: from + Math.min(this.#bytesPerGram, Math.ceil(range / 8)) },
          range,
        )
      }
    }
    return { documents: documents.result(), positions: positions.result() }
  }

  /** Returns the positions of the token at this place, in all documents. Grams have none. */
  positionsOf(token: number): readonly number[] {
    const from = this.#starts[token] ?? 0
    const to = this.#starts[token + 1] ?? from
    return Array.from({ length: to - from }, (_, at) => this.#runs[(from + at) * 2 + 1] ?? 0)
  }

  /** Lists the documents and the positions of a token, as `BodyWriter` takes them. */
  #listRuns(token: number): void {
    documentsOfToken.length = 0
    positionsOfToken.length = 0
    let last = -1
    let lastPosition = 0
    const end = (this.#starts[token + 1] ?? 0) * 2
    for (let at = (this.#starts[token] ?? 0) * 2; at < end; at += 2) {
      const document = this.#runs[at] ?? 0
      const position = this.#runs[at + 1] ?? 0
      if (document !== last) {
        documentsOfToken.push(document)
        last = document
        lastPosition = 0
      }
      const isLast = at + 2 === end || this.#runs[at + 2] !== document
      positionsOfToken.push((position - lastPosition) * 2 + (isLast ? 1 : 0))
      lastPosition = position
    }
  }
}
