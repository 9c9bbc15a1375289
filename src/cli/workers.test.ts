import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isCrashLoop } from './workers.ts'

const minuteMs = 60_000
const momentsMs = fc.array(fc.integer({ min: 0, max: 10 * minuteMs }), { maxLength: 30 })

test('to start workers again is hopeless once the tenth within a minute has died, and not before', () => {
  fc.assert(
    fc.property(momentsMs, (unordered) => {
      const deathsMs = unordered.toSorted((a, b) => a - b)
      const last = deathsMs.at(-1) ?? 0

      const hopeless = isCrashLoop(deathsMs)

      assert.equal(hopeless, deathsMs.filter((deathMs) => last - deathMs < minuteMs).length >= 10)
    }),
  )
})
