import { IdSet } from '../index/id.set.ts'
import { appendDocuments, type Documents, NumberList, Numbers } from './search.bodies.ts'
import type { PhrasePlace, TermTokens } from './search.terms.ts'

/** What a row has of a token. */
export interface Hit {
  /** The number of the first document of the row. */
  readonly first: number
  readonly documents: Documents
  /** Undefined for a token whose positions were not read. */
  readonly positions: Uint8Array | undefined
}

export type Hits = ReadonlyMap<number, readonly Hit[]>

/** Returns the documents that contain a term. */
export function documentsWith(term: TermTokens, hits: Hits): IdSet {
  if ('anyOf' in term) return documentsWithAny(term.anyOf, hits)
  const places = term.places.map(({ offset, tokens }) => ({ offset, hits: hitsOf(tokens, hits) }))
  const absent = term.absent.map(({ offset, tokens }: PhrasePlace) => ({ offset, hits: hitsOf(tokens, hits) }))
  return documentsWithPhrase(places, absent, candidatesOf(term.places, hits))
}

function hitsOf(tokens: readonly number[], hits: Hits): readonly Hit[] {
  return tokens.flatMap((token) => hits.get(token) ?? [])
}

function documentsWithAny(tokens: readonly number[], hits: Hits): IdSet {
  const set = new IdSet()
  for (const token of tokens) for (const { documents, first } of hits.get(token) ?? []) addTo(set, documents, first)
  return set
}

function addTo(set: IdSet, { bytes, isBitmap }: Documents, first: number): void {
  if (isBitmap) set.addBits(bytes, first)
  else {
    const numbers = new Numbers(bytes)
    for (let document = first; !numbers.isAtEnd; ) {
      document += numbers.next()
      set.add(document)
    }
  }
}

/** Returns the documents that have a token of each place. */
function candidatesOf(places: readonly PhrasePlace[], hits: Hits): IdSet {
  const [first, ...others] = places.map(({ tokens }) => documentsWithAny(tokens, hits))
  return others.reduce((set, other) => set.and(other), first ?? new IdSet())
}

interface PlacedHits {
  readonly offset: number
  readonly hits: readonly Hit[]
}

/**
 * Returns the documents that have the tokens of all places next to each other. The possible beginnings of the phrase are
 * bits: first those that the rarest place allows, of which each other place keeps some.
 */
function documentsWithPhrase(places: readonly PlacedHits[], absent: readonly PlacedHits[], candidates: IdSet): IdSet {
  const found = new IdSet()
  const [rarest, ...others] = places.toSorted((one, other) => sizeOf(one) - sizeOf(other))
  if (rarest === undefined || candidates.isEmpty()) return found
  const documents = new NumberList()
  const begins = new NumberList()
  visitPositions(rarest, candidates, (document, begin) => {
    documents.push(document)
    begins.push(begin)
  })
  const bits = new BeginBits(documents, begins)
  for (const place of others) {
    const kept = bits.emptyCopy()
    visitPositions(place, candidates, (document, begin) => {
      if (bits.has(document, begin)) kept.add(document, begin)
    })
    bits.replaceBy(kept)
  }
  for (const place of absent) visitPositions(place, candidates, (document, begin) => bits.delete(document, begin))
  for (let place = 0; place < documents.length; place += 1) {
    const document = documents.numbers[place] ?? 0
    if (bits.has(document, begins.numbers[place] ?? 0)) found.add(document)
  }
  return found
}

function sizeOf({ hits }: PlacedHits): number {
  return hits.reduce((sum, { positions }) => sum + (positions?.length ?? 0), 0)
}

const scratch = new NumberList()

/** Visits where a phrase would begin according to one of its places. */
function visitPositions(
  { hits, offset }: PlacedHits,
  candidates: IdSet,
  visit: (document: number, begin: number) => void,
): void {
  for (const { documents, first, positions } of hits) {
    if (positions === undefined) continue
    scratch.length = 0
    appendDocuments(scratch, documents, first)
    const ids = scratch.numbers
    const numbers = new Numbers(positions)
    for (let place = 0; place < scratch.length; place += 1) {
      const document = ids[place] ?? 0
      const isCandidate = candidates.has(document)
      let position = 0
      for (let isLast = false; !isLast; ) {
        const number = numbers.next()
        isLast = number % 2 === 1
        position += Math.floor(number / 2)
        if (isCandidate && position >= offset) visit(document, position - offset)
      }
    }
  }
}

/** A set of beginnings of a phrase in documents, as bits: for each document as many as its last beginning needs. */
class BeginBits {
  /** By document: the place of its first bit, and the number of its bits. */
  readonly #bases: Float64Array
  readonly #lengths: Int32Array
  #bits: Uint32Array

  constructor(documents: NumberList, begins: NumberList, like?: BeginBits) {
    if (like) {
      this.#bases = like.#bases
      this.#lengths = like.#lengths
      this.#bits = new Uint32Array(like.#bits.length)
      return
    }
    let last = 0
    for (let place = 0; place < documents.length; place += 1) last = Math.max(last, documents.numbers[place] ?? 0)
    this.#lengths = new Int32Array(last + 1)
    for (let place = 0; place < documents.length; place += 1) {
      const document = documents.numbers[place] ?? 0
      const length = (begins.numbers[place] ?? 0) + 1
      if (length > (this.#lengths[document] ?? 0)) this.#lengths[document] = length
    }
    this.#bases = new Float64Array(last + 1)
    let base = 0
    for (let document = 0; document <= last; document += 1) {
      this.#bases[document] = base
      base += this.#lengths[document] ?? 0
    }
    this.#bits = new Uint32Array(Math.ceil(base / 32) + 1)
    for (let place = 0; place < documents.length; place += 1) {
      this.add(documents.numbers[place] ?? 0, begins.numbers[place] ?? 0)
    }
  }

  emptyCopy(): BeginBits {
    return new BeginBits(scratch, scratch, this)
  }

  replaceBy(other: BeginBits): void {
    this.#bits = other.#bits
  }

  has(document: number, begin: number): boolean {
    if (begin >= (this.#lengths[document] ?? 0)) return false
    const bit = (this.#bases[document] ?? 0) + begin
    return ((this.#bits[Math.floor(bit / 32)] ?? 0) & (1 << (bit % 32))) !== 0
  }

  add(document: number, begin: number): void {
    const bit = (this.#bases[document] ?? 0) + begin
    const word = Math.floor(bit / 32)
    this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (bit % 32))
  }

  delete(document: number, begin: number): void {
    if (!this.has(document, begin)) return
    const bit = (this.#bases[document] ?? 0) + begin
    const word = Math.floor(bit / 32)
    this.#bits[word] = (this.#bits[word] ?? 0) & ~(1 << (bit % 32))
  }
}
