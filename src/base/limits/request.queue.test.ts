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
        assert.ok(inThisTurnMs < 20 + 15, String(inThisTurnMs))
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
