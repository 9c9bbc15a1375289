import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInFlight } from './in.flight.ts'

test('a request that has waited too long for those of the same turn is one too many, those of the next are not', async () => {
  const inFlight = createInFlight(100, 20)
  assert.equal(inFlight.isFull(), false)
  const beganMs = performance.now()
  while (performance.now() - beganMs < 25);

  const isLateFull = inFlight.isFull()
  await new Promise((resolve) => setImmediate(resolve))

  assert.equal(isLateFull, true)
  assert.equal(inFlight.isFull(), false)
})
