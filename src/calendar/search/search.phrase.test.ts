import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { runs } from '../../../test/support/long.ts'
import { IdSet } from '../index/id.set.ts'
import { BodyReader, BodyWriter } from './search.bodies.ts'
import { Hits } from './search.hits.ts'
import { NumberList } from './search.numbers.ts'
import { type PhrasePart, PhraseRange } from './search.phrase.ts'

/** Returns a place of a phrase whose only token is at one position in each of these documents of a range. */
function partAt(position: number, documents: readonly number[], { offset, range }: { offset: number; range: number }) {
  const list = new NumberList()
  for (const _ of documents) list.push(position * 2 + 1)
  const hits = new Hits()
  addEntry(hits, documents, { list, range })
  return { offset, hits } satisfies PhrasePart
}

let rows = 0

/** Adds what a row has of a token. */
function addEntry(
  hits: Hits,
  documents: readonly number[],
  { list, range }: { readonly list: NumberList; readonly range: number },
): void {
  const [bodies, positions] = [new BodyWriter(), new BodyWriter()]
  bodies.addDocuments(1, documents, { count: documents.length, range })
  positions.addPositions(1, list)
  const [found, placed] = [
    new BodyReader(bodies.result(), 'documents'),
    new BodyReader(positions.result(), 'positions'),
  ]
  found.advance()
  placed.advance()
  const { bytes, from, to, isBitmap } = found
  // Each entry is of a row of its own.
  const entry = { row: rows++, first: 0, bytes, from, to, isBitmap }
  hits.add({ ...entry, positions: placed.bytes, positionsFrom: placed.from, positionsTo: placed.to })
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

/** Texts of a range, as the words at their positions: the words are numbers. */
const drawnTexts = fc.array(
  fc.array(fc.oneof(fc.nat(3), fc.nat(30)), { maxLength: 12 }).chain((words) =>
    // Long texts have positions of two and three bytes.
    fc.constantFrom(0, 0, 0, 60, 8190).map((before) => [...Array<number>(before).fill(-1), ...words]),
  ),
  { maxLength: 70 },
)
const someWords = fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 12 })

test('a phrase is found where a plain search finds it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ texts: drawnTexts, places: fc.array(someWords, { minLength: 1, maxLength: 4 }) }), {
        maxLength: 3,
      }),
      fc.option(fc.tuple(fc.integer({ min: -1, max: 3 }), someWords), { nil: undefined }),
      (phrases, absent) => {
        const range = 128
        // One range is used for several phrases.
        const rangeOf = new PhraseRange(range)
        for (const { texts, places } of phrases) {
          const has = (document: number, position: number, words: readonly number[]) =>
            words.includes(texts[document]?.[position] ?? -1)
          const expected = texts.flatMap((text, document) =>
            text.some(
              (_, begin) =>
                places.every((words, offset) => has(document, begin + offset, words)) &&
                !(absent && has(document, begin + absent[0], absent[1])),
            )
              ? [document]
              : [],
          )
          const parts = places.map((words, offset) => partOf(texts, words, { offset, range }))
          const found = new IdSet()
          const without = absent ? [partOf(texts, absent[1], { offset: absent[0], range })] : []
          if (parts.every(({ hits }) => hits.size > 0)) rangeOf.find(0, { parts, absent: without }, found)
          assert.deepEqual([...found], expected)
        }
      },
    ),
    { numRuns: runs(200, 2000) },
  )
})

/** Returns a place of a phrase with some words of texts. */
function partOf(
  texts: readonly (readonly number[])[],
  words: readonly number[],
  { offset, range }: { offset: number; range: number },
): PhrasePart {
  const hits = new Hits()
  for (const word of words) {
    const documents = texts.flatMap((text, document) => (text.includes(word) ? [document] : []))
    if (documents.length === 0) continue
    const list = new NumberList()
    for (const document of documents) {
      const positions = [...(texts[document] ?? []).keys()].filter((position) => texts[document]?.[position] === word)
      positions.forEach((position, place) => {
        const difference = position - (positions[place - 1] ?? 0)
        list.push(difference * 2 + (place === positions.length - 1 ? 1 : 0))
      })
    }
    addEntry(hits, documents, { list, range })
  }
  return { offset, hits }
}

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
