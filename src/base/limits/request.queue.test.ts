import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRequestQueue } from './request.queue.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('what comes together is begun in order, a part of it in each turn, and none is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(15), { minLength: 1, maxLength: 60 }), async (lengthsMs) => {
      let nowMs = 0
      const inFlight = createRequestQueue(100, () => nowMs)
      const begun: number[] = []
      let inThisTurnMs = 0
      for (const [number, lengthMs] of lengthsMs.entries()) {
        inFlight.schedule(() => {
          begun.push(number)
          nowMs += lengthMs
          inThisTurnMs += lengthMs
        })
      }
      for (let turns = 0; begun.length < lengthsMs.length; turns += 1) {
        // The last request to start may exceed the time of the turn.
        assert.ok(inThisTurnMs < 5 + 15, String(inThisTurnMs))
        assert.ok(turns < 200)
        inThisTurnMs = 0
        await turn()
      }

      assert.deepEqual(
        begun,
        lengthsMs.map((_length, number) => number),
      )
      assert.equal(inFlight.isFull(), false)
    }),
  )
})

test('what waits in line counts, and leaves room once it has begun', async () => {
  let nowMs = 0
  const inFlight = createRequestQueue(2, () => nowMs)
  inFlight.schedule(() => {
    nowMs += 1000
  })
  inFlight.schedule(() => {})
  assert.equal(inFlight.isFull(), false)
  inFlight.schedule(() => {})

  assert.equal(inFlight.isFull(), true)
  await turn()
  assert.equal(inFlight.isFull(), false)
})

/** A queue in which requests take the given times. Returns how many have begun. */
function queued(lengthsMs: readonly number[]) {
  let nowMs = 1000
  let begun = 0
  const queue = createRequestQueue(1000, () => nowMs)
  for (const lengthMs of lengthsMs) {
    queue.schedule(() => {
      begun += 1
      nowMs += lengthMs
    })
  }
  return {
    queue,
    begun: () => begun,
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}

test('what takes no time is begun at once, until the five milliseconds of a turn are over', () => {
  for (const [lengthsMs, expected] of [
    [[0, 0, 0], 3],
    [[1, 1, 1, 1, 1, 1], 5],
    [[4, 0, 1, 0], 3],
    [[5, 0], 1],
  ] as const) {
    const { queue, begun } = queued(lengthsMs)

    assert.equal(begun(), expected, lengthsMs.join())
    assert.equal(queue.waiting(), lengthsMs.length - expected)
  }
})

test('reads and writes that wait take turns, each in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('read' as const, 'write' as const), { maxLength: 40 }), async (lines) => {
      let nowMs = 0
      const queue = createRequestQueue(1000, () => nowMs)
      const begun: string[] = []
      // The turn is over, so all others wait.
      queue.schedule(() => {
        nowMs += 100
      })
      for (const [number, line] of lines.entries()) queue.schedule(() => begun.push(`${line} ${number}`), line)
      await turn()

      const of = (line: string) => lines.flatMap((own, number) => (own === line ? `${line} ${number}` : []))
      const [reads, writes] = [of('read'), of('write')]
      const inTurns = Math.min(reads.length, writes.length)
      const first = reads.slice(0, inTurns).flatMap((read, place) => [read, writes[place]])
      assert.deepEqual(begun, [...first, ...reads.slice(inTurns), ...writes.slice(inTurns)])
    }),
  )
})

test('what comes while others wait does not overtake them, and a turn of its own is begun at once', async () => {
  const { queue, begun, pass } = queued([30, 4])
  const order: string[] = []
  queue.schedule(() => order.push('last'))

  assert.deepEqual([begun(), order], [1, []])
  await turn()
  assert.deepEqual([begun(), order], [2, ['last']])
  await turn()
  // Nothing waits: the time of the last turn does not count for the next one.
  pass(10_000)
  queue.schedule(() => order.push('later'))
  assert.deepEqual(order, ['last', 'later'])
})

test('after work that took long, the next turn may take as long, but not longer than half a second', async () => {
  for (const [passedMs, expected] of [
    [0, 1],
    [4, 1],
    [100, 5],
    [500, 25],
    [10_000, 25],
  ] as const) {
    const { begun, pass } = queued(Array(60).fill(20))
    assert.equal(begun(), 1)

    pass(passedMs)
    await turn()

    assert.equal(begun(), 1 + expected, String(passedMs))
  }
})

test('above the most, work is refused and not begun, and its end makes room', async () => {
  const queue = createRequestQueue(2, () => 0)
  const { promise, resolve } = Promise.withResolvers<string>()
  const works = [queue.run(() => promise), queue.run(() => promise)]
  const refusal = { code: 'service_unavailable', headers: { 'Retry-After': '1' } }

  assert.equal(queue.isFull(), true)
  await assert.rejects(
    queue.run(async () => assert.fail('begun')),
    (problem: object) => {
      assert.deepEqual({ ...refusal, ...problem }, { ...problem, ...refusal })
      return true
    },
  )
  resolve('done')
  assert.deepEqual(await Promise.all(works), ['done', 'done'])
  assert.equal(queue.isFull(), false)
})
