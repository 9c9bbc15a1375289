import { IdSet } from '../index/id.set.ts'
import { Bytes, Numbers } from './search.numbers.ts'

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
    const numbers = documents.numbers()
    for (let from = 0; from < numbers.length; ) {
      const to = endOfList(numbers, from)
      const first = listOf(numbers[from] ?? 0)
      const count = this.#decode(first)
      for (let at = from; at < to; at += 1) {
        const place = (numbers[at] ?? 0) - first
        const event = place < count ? (listed[place] ?? 0) : 0
        if (event !== 0) found.add(event)
      }
      from = to
      yield
    }
    return found
  }

  /** Puts the events of a list into `listed`, and returns their number. */
  #decode(first: number): number {
    const bytes = this.#lists.get(first)
    return bytes ? decodeInto(listed, bytes) : 0
  }

  /** Returns the documents of an interval that belong to events. Each step is a list. */
  *documentsIn(from: number, to: number): Generator<undefined, IdSet> {
    const found = new IdSet()
    for (let first = listOf(from); first <= to; first += documentsPerList) {
      const count = this.#decode(first)
      for (let place = 0; place < count; place += 1) {
        const document = first + place
        if (listed[place] !== 0 && document >= from && document <= to) found.add(document)
      }
      yield
    }
    return found
  }
}

/** The events of one list. It is decoded again for each use, because a search of a million events needs a thousand lists. */
const listed = new Int32Array(documentsPerList)

/** Returns the first documents of the lists that have these documents, which are in order. */
export function listsOf(documents: Int32Array): readonly number[] {
  const firsts: number[] = []
  for (let place = 0; place < documents.length; place = endOfList(documents, place))
    firsts.push(listOf(documents[place] ?? 0))
  return firsts
}

/** Returns the place of the first document that is not in the same list as the one at this place. */
function endOfList(documents: Int32Array, from: number): number {
  const end = listOf(documents[from] ?? 0) + documentsPerList
  let place = from
  while (place < documents.length && (documents[place] ?? 0) < end) place += 1
  return place
}

export function decodeList(bytes: Uint8Array): number[] {
  return [...listed.subarray(0, decodeInto(listed, bytes))]
}

/** Returns the number of events that were decoded. */
function decodeInto(events: Int32Array, bytes: Uint8Array): number {
  const numbers = new Numbers(bytes)
  let count = 0
  for (let event = 0; !numbers.isAtEnd; count += 1) {
    const number = numbers.next()
    event += number % 2 === 1 ? -(number + 1) / 2 : number / 2
    events[count] = event
  }
  return count
}
