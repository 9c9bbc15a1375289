import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/support/linear.ts'
import { IdSet } from '../index/id.set.ts'
import { BodyReader, BodyWriter } from './search.bodies.ts'
import { Hits } from './search.hits.ts'
import { NumberList } from './search.numbers.ts'
import { type PhrasePart, PhraseRange } from './search.phrase.ts'

/** Returns a place of a phrase whose only token is at one position in each of these documents of a range. */
function partAt(position: number, documents: readonly number[], { offset, range }: { offset: number; range: number }) {
  const [bodies, positions] = [new BodyWriter(), new BodyWriter()]
  bodies.addDocuments(1, documents, { count: documents.length, range })
  const list = new NumberList()
  for (const _ of documents) list.push(position * 2 + 1)
  positions.addPositions(1, list)
  const [found, placed] = [
    new BodyReader(bodies.result(), 'documents'),
    new BodyReader(positions.result(), 'positions'),
  ]
  found.advance()
  placed.advance()
  const hits = new Hits()
  const { bytes, from, to, isBitmap } = found
  const entry = { row: 0, first: 0, bytes, from, to, isBitmap }
  hits.add({ ...entry, positions: placed.bytes, positionsFrom: placed.from, positionsTo: placed.to })
  return { offset, hits } satisfies PhrasePart
}

function foundIn(range: number, parts: readonly PhrasePart[]): readonly number[] {
  const found = new IdSet()
  new PhraseRange(range).find(0, { parts, absent: [] }, found)
  return [...found]
}

test('a phrase whose words are in the last documents of a range takes linear time', () => {
  assertLinear('.', ({ length: range }) => {
    const documents = Array.from({ length: Math.floor(range / 2) }, (_, place) => Math.ceil(range / 2) + place)
    const parts = [200, 100, 300].map((position, offset) => partAt(position, documents, { offset, range }))
    assert.deepEqual(foundIn(range, parts), [])
  })
})

test('a phrase is where its words follow each other', () => {
  const range = 64
  const part = (position: number, documents: readonly number[], offset: number) =>
    partAt(position, documents, { offset, range })
  assert.deepEqual(foundIn(range, [part(7, [3, 40, 63], 0), part(8, [2, 40, 63], 1)]), [40, 63])
  assert.deepEqual(foundIn(range, [part(7, [40], 0), part(9, [40], 1)]), [])
  assert.deepEqual(foundIn(range, [part(7, [3, 40], 0), part(8, [40], 1), part(9, [40, 41], 2)]), [40])
  for (const position of [0, 62, 63, 8190, 8191, 8192, 70_000, 2_000_000])
    assert.deepEqual(foundIn(range, [part(position, [5, 9], 0), part(position + 1, [9], 1)]), [9], `${position}`)
})
