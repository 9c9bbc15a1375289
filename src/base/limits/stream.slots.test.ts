import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../problems.ts'
import { createStreams, type StreamSlot } from './stream.slots.ts'

/** A few slots, and a clock that the test controls. */
function givenPlaces(maxSlots: number) {
  let now = 0
  const streams = createStreams({ maxConcurrent: 2, maxSlots, slowReaderMs: 1000, maxDurationMs: 60_000 }, () => now)
  const gone: string[] = []
  return {
    streams,
    /** The evicted readers, in order. */
    gone,
    /** Takes a slot that is released when it is evicted. */
    take: (client: string, name = client): StreamSlot => {
      const yieldSlot = () => {
        gone.push(name)
        place.leave()
      }
      const place = streams.take({ client, yieldSlot })
      return place
    },
    pass: (ms: number) => {
      now += ms
    },
  }
}

const twoPlaces = () => givenPlaces(2)
const reader = { client: 'one', yieldSlot: assert.fail }

const isTurnedAway = (error: unknown) =>
  error instanceof Problem && error.code === 'service_unavailable' && error.headers['Retry-After'] !== undefined

test('when all places are taken by readers who read, one more is told to come again', () => {
  const { streams, pass } = twoPlaces()
  const one = streams.take(reader)
  const other = streams.take(reader)
  one.chunkSent()
  pass(999)

  assert.throws(() => streams.take(reader), isTurnedAway)
  one.chunkTaken()
  pass(5000)
  assert.throws(() => streams.assertSlotAvailable('one'), isTurnedAway)
  other.leave()
  streams.take(reader)
})

test('when all places are taken, the reader who has been waited for longest gives way', () => {
  const { take, gone, pass } = twoPlaces()
  const later = take('one', 'later')
  const first = take('one', 'first')
  first.chunkSent()
  pass(1)
  later.chunkSent()
  pass(1000)

  take('one')
  assert.deepEqual(gone, ['first'])
  take('one')
  assert.deepEqual(gone, ['first', 'later'])
})

test('one client may have all places while nobody else wants one, and then gives way, however well they read', () => {
  const { streams, take, gone, pass } = givenPlaces(4)
  take('many', 'oldest')
  const waitedFor = take('many', 'waited for')
  for (const name of ['third', 'fourth']) take('many', name)
  waitedFor.chunkSent()
  pass(10)

  assert.throws(() => take('many'), isTurnedAway)
  streams.assertSlotAvailable('few')
  take('few')
  assert.deepEqual(gone, ['waited for'])
  take('few')
  assert.deepEqual(gone, ['waited for', 'oldest'])
  // The newcomer would end up with more slots than the evicted client.
  assert.throws(() => take('few'), isTurnedAway)
  assert.throws(() => streams.assertSlotAvailable('few'), isTurnedAway)
  take('fourth client')
  assert.equal(gone.length, 3)
})

test('nobody reads one answer for ever, however little they take each time', () => {
  const { streams, pass } = twoPlaces()
  const place = streams.take(reader)
  pass(60_000)
  assert.equal(place.chunkTaken(), true)
  pass(1)
  assert.equal(place.chunkTaken(), false)
})

test('no more is made at the same time than may be, in the order in which it was asked for', async () => {
  const { streams } = twoPlaces()
  const begun: number[] = []
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>())
  const all = ends.map(({ promise }, number) =>
    streams.inTurn(() => {
      begun.push(number)
      return promise
    }),
  )
  await streams.nextTurn()
  assert.deepEqual(begun, [0, 1])

  ends[1]?.reject(new Error('broken'))
  await assert.rejects(all[1] ?? Promise.resolve(), /broken/)
  await streams.nextTurn()
  assert.deepEqual(begun, [0, 1, 2])
  for (const { resolve } of ends) resolve()
  await Promise.all([all[0], all[2], all[3]])
  assert.deepEqual(begun, [0, 1, 2, 3])
})

test('one thing is done in each turn of the event loop', async () => {
  const { streams } = twoPlaces()
  const done: string[] = []
  const long = [0, 1, 2].map(async (number) => {
    await streams.nextTurn()
    done.push(`piece ${number}`)
    setImmediate(() => done.push(`request after ${number}`))
  })
  await Promise.all(long)
  await new Promise((resolve) => setImmediate(resolve))

  assert.ok(done.indexOf('request after 0') < done.indexOf('piece 2'), done.join())
})
