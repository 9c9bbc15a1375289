import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createQuota } from './quota.ts'

/** A quota with a clock that the test controls. */
function given(options: { readonly most: number; readonly seconds: number; readonly maxKeys?: number }) {
  let atMs = 0
  const quota = createQuota({ maxKeys: 1000, ...options, now: () => atMs })
  const pass = (ms: number) => {
    atMs += ms
  }
  return { quota, pass }
}

test('a share may be used at once, and grows back one by one', () => {
  const { quota, pass } = given({ most: 3, seconds: 30 })
  const take = () => quota.take('a').isAllowed

  assert.deepEqual([take(), take(), take(), take()], [true, true, true, false])
  pass(9_999)
  assert.equal(take(), false)
  pass(1)
  assert.deepEqual([take(), take()], [true, false])
})

test('what is left, until when, and how long to wait are told', () => {
  const { quota, pass } = given({ most: 2, seconds: 60 })

  assert.deepEqual(quota.take('a'), { isAllowed: true, remaining: 1, resetSeconds: 30, waitSeconds: 0 })
  pass(10_000)
  assert.deepEqual(quota.take('a'), { isAllowed: true, remaining: 0, resetSeconds: 50, waitSeconds: 0 })
  assert.deepEqual(quota.take('a'), { isAllowed: false, remaining: 0, resetSeconds: 50, waitSeconds: 20 })
  assert.equal(quota.peek('b').remaining, 2)
})

test('whoever waits as long as they are told is let in, and within any window no more than twice the share are', () => {
  const moments = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 })
  const rates = fc.record({ most: fc.integer({ min: 1, max: 50 }), seconds: fc.integer({ min: 1, max: 60 }) })
  fc.assert(
    fc.property(rates, moments, (rate, steps) => {
      const { quota, pass } = given(rate)
      const takenAt: number[] = []
      let at = 0
      for (const step of steps) {
        pass(step)
        at += step
        const { isAllowed, waitSeconds } = quota.take('a')
        if (isAllowed) takenAt.push(at)
        else {
          pass(waitSeconds * 1000)
          at += waitSeconds * 1000
          assert.ok(quota.peek('a').isAllowed)
        }
      }
      for (const [index, first] of takenAt.entries()) {
        const within = takenAt.slice(index).filter((taken) => taken - first < rate.seconds * 1000)
        assert.ok(within.length <= 2 * rate.most)
      }
    }),
  )
})

test('what is charged beyond the share is waited for', () => {
  const { quota, pass } = given({ most: 2, seconds: 20 })
  for (let times = 0; times < 4; times += 1) quota.charge('a')

  assert.equal(quota.peek('a').waitSeconds, 30)
  pass(30_000)
  assert.ok(quota.peek('a').isAllowed)
})

test('however many keys there are, no more than twice the most are remembered, those that were used last', () => {
  const { quota } = given({ most: 1, seconds: 3600, maxKeys: 100 })
  for (let key = 0; key < 10_000; key += 1) quota.take(String(key))

  assert.ok(quota.size <= 200, String(quota.size))
  assert.equal(quota.peek('9999').isAllowed, false)
  assert.equal(quota.peek('9901').isAllowed, false)
})

test('a key is remembered for as long as no more than twice the most others were used, and looking is no use', () => {
  const { quota } = given({ most: 1, seconds: 3600, maxKeys: 100 })
  quota.take('a')
  for (let key = 1; key < 200; key += 1) quota.take(String(key))

  assert.equal(quota.peek('a').isAllowed, false)
  quota.take('200')
  assert.equal(quota.peek('a').isAllowed, true)
})

test('a key that has used its share is still refused after as many others came as are remembered', () => {
  const { quota } = given({ most: 1, seconds: 3600, maxKeys: 100 })
  for (let key = 0; key < 150; key += 1) quota.take(String(key))

  // Twice `maxKeys` keys are remembered.
  assert.equal(quota.size, 150)
  for (const key of ['0', '99', '100', '149']) assert.equal(quota.take(key).isAllowed, false, key)
})

test('a key that is used again takes no second place', () => {
  const { quota } = given({ most: 2, seconds: 3600, maxKeys: 2 })
  for (const key of ['a', 'b', 'b']) quota.take(key)

  assert.equal(quota.size, 2)
  assert.equal(quota.peek('a').remaining, 1)
})
