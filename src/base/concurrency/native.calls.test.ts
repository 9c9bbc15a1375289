import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nativeCallsOf, ThreadIsEnding, watchNativeCalls } from './native.calls.ts'

/** Whether a promise is settled once all work that is possible now is done. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let is = false
  void promise.then(() => {
    is = true
  })
  await new Promise(setImmediate)
  return is
}

test('a thread may be ended when its modules are loaded', async () => {
  const elsewhere = watchNativeCalls()
  const calls = nativeCallsOf(elsewhere.memory)

  const ending = elsewhere.end()
  assert.equal(await isSettled(ending), false)
  calls.loaded()

  await ending
})

test('a thread is ended after the call in progress, with the calls inside it, and begins no other', async () => {
  const elsewhere = watchNativeCalls()
  const calls = nativeCallsOf(elsewhere.memory)
  calls.loaded()
  let ending: Promise<void> | undefined

  const result = calls.run(() => {
    ending = elsewhere.end()
    return calls.run(() => 'inner')
  })

  assert.equal(result, 'inner')
  await ending
  assert.throws(() => calls.run(() => assert.fail('called')), ThreadIsEnding)
  await elsewhere.end()
})

test('a call that fails is over', async () => {
  const elsewhere = watchNativeCalls()
  const calls = nativeCallsOf(elsewhere.memory)
  calls.loaded()

  assert.throws(() => calls.run(() => assert.fail('no such table')), /no such table/)

  await elsewhere.end()
})

test('the end of the process blocks no longer than it may', () => {
  const elsewhere = watchNativeCalls()
  const calls = nativeCallsOf(elsewhere.memory)

  elsewhere.endNow(1)
  calls.loaded()
  elsewhere.endNow(60_000)

  assert.throws(() => calls.run(() => {}), ThreadIsEnding)
})
