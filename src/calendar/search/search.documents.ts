import { IdSet } from '../index/id.set.ts'
import { Bytes } from './search.numbers.ts'

// Which event each document belongs to. A list has the events of 1024 documents. A document whose event has a newer one,
// or no longer exists, belongs to no event: its number is 0.

export const documentsPerList = 1024

/** Returns the number of the first document of the list that has this one. */
export function listOf(document: number): number {
  return document - (document % documentsPerList)
}

/** Returns the stored form of a list: the differences of the ids. */
export function encodeList(events: readonly number[]): Buffer {
  const bytes = new Bytes()
  let last = 0
  for (const event of events) {
    const difference = event - last
    bytes.pushNumber(difference < 0 ? -2 * difference - 1 : 2 * difference)
    last = event
  }
  return bytes.copy()
}

/** The events of documents, in the lists that a search has read. */
export class EventLists {
  readonly #lists = new Map<number, Uint8Array>()

  /** @param first The first document of the list. */
  has(first: number): boolean {
    return this.#lists.has(first)
  }

  add(first: number, bytes: Uint8Array): void {
    this.#lists.set(first, bytes)
  }

  /** Returns the events of some documents. Each step is a list. */
  *eventsOf(documents: IdSet): Generator<undefined, IdSet> {
    const found = new IdSet()
    for (const first of listsOf(documents)) {
      const count = this.#decode(first)
      let kept = 0
      for (let from = 0; from < count; from += 32) {
        const wanted = documents.wordAt(first + from)
        if (wanted === 0) continue
        const to = Math.min(count, from + 32)
        for (let place = from; place < to; place += 1) {
          const event = listed[place] ?? 0
          listed[kept] = event
          // The processor could not predict a branch. Only a number other than 0 or its negative has the highest bit.
          kept += (wanted >>> (place & 31)) & ((event | -event) >>> 31)
        }
      }
      found.addAll(listed, kept)
      yield
    }
    return found
  }

  /** Puts the events of a list into `listed`, and returns their number. */
  #decode(first: number): number {
    const bytes = this.#lists.get(first)
    return bytes ? decodeInto(listed, bytes) : 0
  }
}

/** The events of one list. It is decoded again for each use, because a search of a million events needs a thousand lists. */
const listed = new Int32Array(documentsPerList)

/** Returns the first documents of the lists that have these documents. */
export function listsOf(documents: IdSet): readonly number[] {
  const firsts: number[] = []
  for (let first = 0; first < documents.end; first += documentsPerList)
    if (documents.hasIn(first, documentsPerList)) firsts.push(first)
  return firsts
}

export function decodeList(bytes: Uint8Array): number[] {
  return [...listed.subarray(0, decodeInto(listed, bytes))]
}

/** Returns the number of events that were decoded. Most differences have three bytes, so these are not read in a loop. */
function decodeInto(events: Int32Array, bytes: Uint8Array): number {
  let count = 0
  let event = 0
  for (let at = 0; at < bytes.length; count += 1) {
    let byte = bytes[at] ?? 0
    at += 1
    let number = byte & 127
    if (byte >= 128) {
      byte = bytes[at] ?? 0
      at += 1
      number |= (byte & 127) << 7
      if (byte >= 128) {
        byte = bytes[at] ?? 0
        at += 1
        number |= (byte & 127) << 14
        for (let shift = 21; byte >= 128; shift += 7) {
          byte = bytes[at] ?? 0
          at += 1
          number |= (byte & 127) << shift
        }
      }
    }
    event += (number >>> 1) ^ -(number & 1)
    events[count] = event
  }
  return count
}
