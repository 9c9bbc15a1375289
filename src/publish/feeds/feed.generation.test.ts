import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { events, eventWith, feedOf, textWriter } from '../../../test/support/arbitraries/feed.arbitrary.ts'
import type { FeedLimits } from '../../base/limits/feed.limits.ts'
import { createStreams } from '../../base/limits/stream.slots.ts'
import type { LinkedEvent } from '../../calendar/events/model/event.ts'
import { table } from './csv.ts'
import { generateFeed } from './feed.generation.ts'
import type { FeedWriter } from './feed.ts'
import { calendar } from './ical.ts'
import { atom, rss } from './rss.atom.ts'

const writers: Readonly<Record<string, FeedWriter>> = { calendar, rss, atom, table }

/** Returns a source of events like that of a list. */
function sourceOf(writer: FeedWriter, listed: readonly LinkedEvent[]) {
  const read: (readonly number[])[] = []
  const keys = listed.map(({ id, contentHtml, changeCount }) => ({
    ...{ id, changeCount, passwordDigest: undefined },
    octets: Buffer.byteLength(contentHtml),
  }))
  const found = {
    ...{ items: keys, total: keys.length, freshUntil: {}, isMasked: () => false },
    read: async (ids: readonly number[], isOutline: boolean) => {
      if (!isOutline) read.push(ids)
      return ids.flatMap((id) => listed.find((event) => event.id === id) ?? [])
    },
  }
  const { events: _, ...feed } = feedOf([])
  const request = { state: 'state', streams: createStreams(), client: '' }
  return { source: { writer, feed, found, ...request }, read }
}

const bounds = (given: Partial<FeedLimits>): FeedLimits => ({
  ...{ whole: 1_000_000, written: 1_000_000, piece: 1000, batchEvents: 100, batchOctets: 1_000_000 },
  ...given,
})

test('however many events are read at a time, and however long the pieces are, a feed is the same text', async () => {
  const drawnBounds = fc.record({
    whole: fc.constantFrom(0, 2000, 1_000_000),
    written: fc.constantFrom(0, 2000, 1_000_000),
    piece: fc.constantFrom(1, 700, 1_000_000),
    batchEvents: fc.integer({ min: 1, max: 5 }),
    batchOctets: fc.constantFrom(1, 1_000_000),
  })
  const lists = fc.uniqueArray(events, { maxLength: 8, selector: ({ id }) => id })
  const writer = fc.constantFrom(...Object.keys(writers))
  await fc.assert(
    fc.asyncProperty(lists, drawnBounds, writer, async (listed, drawn, name) => {
      const form = writers[name] ?? calendar
      const { document } = await generateFeed(sourceOf(form, listed).source, drawn)
      const pieces = 'text' in document ? [document.text] : await Array.fromAsync(document.pieces)

      assert.equal(pieces.join(''), textWriter(form)({ ...feedOf(listed), events: listed }).text)
    }),
  )
})

test('what is read at a time is bounded in number and in octets, and nothing is read before it is asked for', async () => {
  const listed = [10, 10, 90, 10, 500, 10].map((octets, place) =>
    eventWith({ id: (place + 1) as LinkedEvent['id'], contentHtml: 'x'.repeat(octets) }),
  )
  const { source, read } = sourceOf(table, listed)
  const { document } = await generateFeed(source, bounds({ whole: 0, piece: 1, batchEvents: 3, batchOctets: 100 }))
  assert.ok('pieces' in document)
  read.splice(0)
  const pieces = document.pieces[Symbol.asyncIterator]()

  await pieces.next()
  assert.deepEqual(read, [[1, 2]])
  await pieces.next()
  assert.deepEqual(read, [[1, 2]])
  while (!(await pieces.next()).done);
  assert.deepEqual(read, [[1, 2], [3, 4], [5], [6]])
})

test('a piece ends with the event that makes it long', async () => {
  const listed = [1, 2, 3, 4].map((id) => eventWith({ id: id as LinkedEvent['id'], contentHtml: 'x'.repeat(600) }))
  const { document } = await generateFeed(sourceOf(table, listed).source, bounds({ whole: 0 }))
  assert.ok('pieces' in document)
  const pieces = await Array.fromAsync(document.pieces)

  assert.equal(pieces.length, 3)
  for (const piece of pieces) assert.ok(piece.length < 1000 + 1200, `${piece.length}`)
})
