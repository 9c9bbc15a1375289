import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTurns } from './turns.ts'

test('long work in steps lets others have their turn, and returns its result', async () => {
  let others = 0
  const other = () => {
    others += 1
    timer = setImmediate(other)
  }
  let timer = setImmediate(other)
  const beganAtMs = performance.now()
  const result = await inTurns(
    (function* () {
      while (performance.now() - beganAtMs < 60) yield
      return 'done'
    })(),
  )
  clearImmediate(timer)

  assert.equal(result, 'done')
  assert.ok(others >= 3, String(others))
})

test('an error of a step is the error of the work', async () => {
  await assert.rejects(
    inTurns(
      (function* () {
        yield
        throw new Error('broken')
      })(),
    ),
    /broken/,
  )
})
