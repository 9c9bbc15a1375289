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

export function decodeList(bytes: Uint8Array): number[] {
  const numbers = new Numbers(bytes)
  const events: number[] = []
  for (let event = 0; !numbers.isAtEnd; ) {
    const number = numbers.next()
    event += number % 2 === 1 ? -(number + 1) / 2 : number / 2
    events.push(event)
  }
  return events
}
