import { appendDocuments, BodyReader, BodyWriter } from './search.bodies.ts'
import { NumberList } from './search.numbers.ts'

/** So many rows are merged into so many rows of the next level. */
export const fanout = 8
/** Rows of this level are not merged. With 64 documents in a row of level 0, they have 4096. */
export const lastLevel = 2

/** What a row has of its tokens. */
export interface RowBodies {
  readonly documents: Uint8Array
  readonly positions: Uint8Array
}

/** Returns the number of documents of a row of the last level. */
export function largestRange(rowSize: number): number {
  return rowSize * fanout ** lastLevel
}

/** Returns the number of shards of a level. A token is in the shard that is the remainder of its number. */
export function shardsOf(level: number): number {
  return fanout ** level
}

const scratch = new NumberList()

/**
 * Merges neighbouring rows of a shard. Returns a row for each part of the shard on the next level.
 *
 * @param range The number of documents of each row.
 */
export function mergeRows(rows: readonly RowBodies[], range: number): readonly RowBodies[] {
  const documents = Array.from({ length: fanout }, () => new BodyWriter())
  const positions = Array.from({ length: fanout }, () => new BodyWriter())
  visitKeys(rows, 'documents', (key, found) => {
    scratch.length = 0
    for (const reader of found) appendDocuments(scratch, reader, reader.place * range)
    const content = { count: scratch.length, range: range * fanout }
    documents[key % fanout]?.addDocuments(Math.floor(key / fanout), scratch.numbers, content)
  })
  visitKeys(rows, 'positions', (key, found) => {
    positions[key % fanout]?.addContents(Math.floor(key / fanout), found)
  })
  return documents.map((body, part) => ({
    documents: body.result(),
    positions: positions[part]?.result() ?? new Uint8Array(),
  }))
}

class PlacedReader extends BodyReader {
  /** The place of the row. */
  readonly place: number

  constructor(row: RowBodies, has: 'documents' | 'positions', place: number) {
    super(row[has], has)
    this.place = place
  }
}

/** Visits all keys of the bodies in order, with the bodies that have them. */
function visitKeys(
  rows: readonly RowBodies[],
  has: 'documents' | 'positions',
  visit: (key: number, found: readonly PlacedReader[]) => void,
): void {
  const readers = rows.map((row, place) => new PlacedReader(row, has, place))
  for (const reader of readers) reader.advance()
  const found: PlacedReader[] = []
  for (;;) {
    let least = Number.POSITIVE_INFINITY
    for (const one of readers) {
      const { key } = one
      if (key < least) found.length = 0
      if (key > least || key === Number.POSITIVE_INFINITY) continue
      least = key
      found.push(one)
    }
    if (found.length === 0) return
    visit(least, found)
    for (const reader of found) reader.advance()
    found.length = 0
  }
}
