import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { coalescePerTick } from './coalesced.reads.ts'

test('all who ask in one turn share a read, made after each of them has asked', async () => {
  let state = 'old'
  let reads = 0
  const read = coalescePerTick(() => {
    reads += 1
    return state
  })

  const first = read()
  state = 'new'
  const together = await Promise.all([first, read()])
  await nextTurn()
  state = 'newest'
  const later = await read()

  assert.deepEqual([together, later, reads], [['new', 'new'], 'newest', 2])
})

test('a read that fails is made again for whoever asks later', async () => {
  const outcomes = [new Error('away'), 'back']
  const read = coalescePerTick(() => {
    const outcome = outcomes.shift()
    if (outcome instanceof Error) throw outcome
    return outcome
  })

  await assert.rejects(read(), { message: 'away' })
  assert.equal(await read(), 'back')
})
