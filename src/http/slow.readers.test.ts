import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookAgain, type Seen, unseen } from './slow.readers.ts'

const everyMs = 1000

/** What is found of a reader who takes so many bytes between looks, of an answer that waits. */
function afterLooks(bytesEachTime: readonly number[]): Seen | undefined {
  let seen: Seen | undefined = unseen
  let readBytes = 0
  for (const bytes of bytesEachTime) {
    readBytes += bytes
    if (seen) seen = lookAgain(seen, { bytesWritten: readBytes + 100_000, writableLength: 100_000 }, everyMs)
  }
  return seen
}

test('who takes next to nothing of an answer for six looks in a row is too slow, a line that was away is not', () => {
  assert.ok(afterLooks(Array(100).fill(500)))
  assert.ok(afterLooks([0, 0, 0, 0, 0, 500, 0, 0, 0, 0, 0]))
  assert.equal(afterLooks(Array(6).fill(499)), undefined)
})

test('who has read all that there is may be silent for as long as they like', () => {
  let seen: Seen | undefined = unseen
  for (let look = 0; look < 100; look += 1)
    seen = seen && lookAgain(seen, { bytesWritten: 5000, writableLength: 0 }, everyMs)

  assert.ok(seen)
})
