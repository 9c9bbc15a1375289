import { BodyWriter } from './search.bodies.ts'
import { type DictionaryVersion, emptyDictionary, versionWith } from './search.dictionary.ts'
import type { RowBodies } from './search.merging.ts'
import { gramMark, gramsOf, type Run, separatorMark, visitTokens } from './search.tokens.ts'

/** A process that remembers more tokens forgets all of them. */
const rememberedTokens = 60_000
const emptySlots = (count = 2 ** 14) => new Array<Token | undefined>(count).fill(undefined)

/** A token of the dictionary. A process uses the same object again and again, because most tokens recur. */
export class Token {
  readonly text: string
  /** The hash of the run that it is. */
  readonly hash: number
  /** The number in the dictionary, or 0 if it is not known yet. */
  number = 0
  /** The documents of the current block that have the token. */
  documents: number[] = []
  /** The positions in these documents, as `BodyWriter` takes them. */
  positions: number[] = []
  block: Block | undefined
  #last = 0
  #grams: Int32Array | undefined

  constructor(text: string, hash = 0) {
    this.text = text
    this.hash = hash
  }

  isRun({ text, from, to, isWord, hash }: Run): boolean {
    if (hash !== this.hash) return false
    if (isWord) return this.text.length === to - from && text.startsWith(this.text, from)
    return this.text === separatorMark + text.slice(from, to)
  }

  add(document: number, position: number): void {
    const { documents, positions } = this
    if (documents[documents.length - 1] === document) {
      // So far, the position before counted as the last one.
      positions[positions.length - 1] = (positions[positions.length - 1] ?? 1) - 1
      positions.push((position - this.#last) * 2 + 1)
    } else {
      documents.push(document)
      positions.push(position * 2 + 1)
    }
    this.#last = position
  }

  /** The places of the grams of a word among those that the process knows. */
  grams(known: Tokens): Int32Array {
    this.#grams ??= this.text.startsWith(separatorMark)
      ? new Int32Array()
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
      token.number = this.#version.count + place + 1
    })
    this.#version = versionWith(
      this.#version,
      added.map(({ text }) => text),
    )
    return this.#version
  }
}

/** The tokens of some documents, which are numbered from 0. The next block uses the same tokens, so only one is read. */
export class Block {
  /** Words and separators, and then the grams of words. */
  readonly tokens: Token[] = []
  readonly #size: number
  /** The number of tokens that are not grams. */
  readonly #wordCount: number
  /** By place of a gram: the documents that have it, as bits. */
  readonly #bits: Uint8Array
  readonly #bytesPerGram: number
  readonly #gramPlaces: number[] = []

  constructor(texts: readonly string[], known: Tokens) {
    known.shrink()
    this.#size = texts.length
    texts.forEach((text, document) => {
      visitTokens(text, (run, position) => this.#take(known.get(run)).add(document, position))
    })
    this.#wordCount = this.tokens.length
    for (const token of this.tokens) token.grams(known)
    this.#bytesPerGram = 4 * Math.ceil(texts.length / 32)
    this.#bits = new Uint8Array(known.grams.length * this.#bytesPerGram)
    this.#markGrams(known)
  }

  #take(token: Token): Token {
    if (token.block !== this) {
      token.block = this
      token.documents.length = 0
      token.positions.length = 0
      this.tokens.push(token)
    }
    return token
  }

  #markGrams(known: Tokens): void {
    const length = this.#bytesPerGram / 4
    const bits = new Uint32Array(this.#bits.buffer)
    const own = new Uint32Array(length)
    for (const token of this.tokens) {
      own.fill(0)
      for (const document of token.documents) own[document >>> 5] = (own[document >>> 5] ?? 0) | (1 << (document & 31))
      for (const place of token.grams(known)) {
        for (let word = 0; word < length; word += 1) {
          bits[place * length + word] = (bits[place * length + word] ?? 0) | (own[word] ?? 0)
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
    for (const key of order) {
      const place = key % count
      const token = this.tokens[place]
      if (!token) continue
      if (place < this.#wordCount) {
        documents.addDocuments(token.number, token.documents, { count: token.documents.length, range })
        positions.addPositions(token.number, token.positions)
      } else {
        const from = (this.#gramPlaces[place - this.#wordCount] ?? 0) * this.#bytesPerGram
        documents.addBitmap(token.number, this.#bits.subarray(from, from + Math.ceil(this.#size / 8)), range)
      }
    }
    return { documents: documents.result(), positions: positions.result() }
  }
}
