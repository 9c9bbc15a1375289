import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { failingWhenSilent, silent } from './silence.ts'

test('a server that answers while this process is paused is not silent', async () => {
  const read = failingWhenSilent(() => stat('.'))

  const first = read()
  // The answer is there, but is read only after the time is over.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900)

  await first
  await setImmediate()
  await read()
})

test('a silent server fails reads at once, until it answers', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const read = failingWhenSilent(() => promise)

  await assert.rejects(read(), silent)
  await assert.rejects(read(), silent)
  resolve('here')
  await promise

  assert.equal(await read(), 'here')
})
