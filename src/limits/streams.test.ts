import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../problems.ts'
import { createStreams } from './streams.ts'

/** Two places, and a clock that the test moves. */
function twoPlaces() {
  let now = 0
  const streams = createStreams({ mostMade: 2, mostPlaces: 2, patienceMs: 1000, longestMs: 60_000 }, () => now)
  return {
    streams,
    pass: (ms: number) => {
      now += ms
    },
  }
}

const isTurnedAway = (error: unknown) =>
  error instanceof Problem && error.code === 'service_unavailable' && error.headers['Retry-After'] !== undefined

test('when all places are taken by readers who read, one more is told to come again', () => {
  const { streams, pass } = twoPlaces()
  const one = streams.take(assert.fail)
  const other = streams.take(assert.fail)
  one.handOver()
  pass(999)

  assert.throws(() => streams.take(assert.fail), isTurnedAway)
  one.goOn()
  pass(5000)
  assert.throws(() => streams.assertRoom(), isTurnedAway)
  other.leave()
  streams.take(assert.fail)
})

test('when all places are taken, the reader who has been waited for longest gives way', () => {
  const { streams, pass } = twoPlaces()
  const gone: string[] = []
  const later = streams.take(() => {
    gone.push('later')
    later.leave()
  })
  const first = streams.take(() => {
    gone.push('first')
    first.leave()
  })
  first.handOver()
  pass(1)
  later.handOver()
  pass(1000)

  streams.take(assert.fail)
  assert.deepEqual(gone, ['first'])
  streams.take(assert.fail)
  assert.deepEqual(gone, ['first', 'later'])
})

test('nobody reads one answer for ever, however little they take each time', () => {
  const { streams, pass } = twoPlaces()
  const place = streams.take(assert.fail)
  pass(60_000)
  assert.equal(place.goOn(), true)
  pass(1)
  assert.equal(place.goOn(), false)
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
