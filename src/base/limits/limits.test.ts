import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Problem } from '../problems.ts'
import { createLimits } from './limits.ts'

const settings = {
  rateLimit: { most: 10, seconds: 60 },
  failureLimit: { most: 2, seconds: 60 },
  maxInFlight: 1,
}
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const isTooMany = (error: unknown) => error instanceof Problem && error.code === 'rest_too_many_requests'

test('after wrong guesses it takes as long as is told until one more is allowed', () => {
  let atMs = 0
  const { credentials } = createLimits(settings, () => atMs)
  credentials.countWrongGuess('a', 'editor')
  credentials.countWrongGuess('a', 'editor')

  assert.throws(
    () => credentials.assertAllowed('a', 'other'),
    (error) => isTooMany(error) && (error as Problem).headers['Retry-After'] === '30',
  )
  atMs += 30_000
  credentials.assertAllowed('a', 'other')
})

test('however long the names are that clients guess, what is remembered of them is small', () => {
  const { credentials } = createLimits(settings)
  const kilobytes = 20
  const guesses = 2000
  const heapBefore = process.memoryUsage().heapUsed

  for (let guess = 0; guess < guesses; guess += 1) {
    const sent = Buffer.from(`${guess}`.padEnd(kilobytes * 1024, 'x')).toString()
    credentials.countWrongGuess(String(guess), sent.slice(0, -1))
  }

  collectGarbage()
  assert.ok(process.memoryUsage().heapUsed - heapBefore < (guesses * kilobytes * 1024) / 4)
  credentials.assertAllowed('other', 'other')
})

test('without limits nothing is counted', () => {
  const limits = createLimits({ ...settings, rateLimit: undefined, failureLimit: undefined })
  for (let time = 0; time < 1000; time += 1) limits.credentials.countWrongGuess('a', 'editor')

  limits.credentials.assertAllowed('a', 'editor')
  assert.deepEqual(limits.headersForUser('a', 1), {})
  assert.equal(limits.countForAddress('a'), undefined)
})

test('each answer tells both quotas, in the form of the draft', () => {
  let atMs = 0
  const limits = createLimits(settings, () => atMs)
  const policy = '"address";q=10;w=60'

  assert.deepEqual(limits.countForAddress('a'), {
    isAllowed: true,
    waitSeconds: 0,
    headers: ['RateLimit-Policy', policy, 'RateLimit', '"address";r=9;t=6'],
  })
  assert.deepEqual(limits.headersForUser('a', 1), {
    'RateLimit-Policy': `${policy}, "credential";q=10;w=60`,
    RateLimit: '"address";r=9;t=6, "credential";r=9;t=6',
  })
  // A client that is not counted gets no headers, and uses nothing up.
  assert.deepEqual(limits.headersForUser(undefined, 1), {})
  for (let time = 0; time < 9; time += 1) limits.headersForUser('b', 1)
  assert.throws(
    () => limits.headersForUser('b', 1),
    (error) => {
      assert.ok(isTooMany(error))
      assert.deepEqual((error as Problem).headers, {
        'RateLimit-Policy': `${policy}, "credential";q=10;w=60`,
        RateLimit: '"address";r=10;t=0, "credential";r=0;t=60',
        'Retry-After': '6',
      })
      return true
    },
  )
  limits.headersForUser('b', 2)
  atMs += 6000
  limits.headersForUser('b', 1)
})

test('guesses of one secret by many clients count together, in any letter case, ten times as many as of one', () => {
  const { credentials, eventPasswords } = createLimits(settings, () => 0)
  for (let client = 0; client < 19; client += 1) credentials.countWrongGuess(String(client), 'Editor')
  credentials.assertAllowed('new', 'editor')

  credentials.countWrongGuess(undefined, 'EDITOR')
  assert.throws(() => credentials.assertAllowed('new', 'editor'), isTooMany)
  assert.throws(() => credentials.assertAllowed(undefined, 'eDitor'), isTooMany)
  credentials.assertAllowed('new', 'other')
  credentials.assertAllowed('new', undefined)
  credentials.assertAllowed(undefined, undefined)
  // Each kind of secret is counted by itself.
  eventPasswords.assertAllowed('new', 'editor')
})

test('requests in progress are as many as the settings say', () => {
  const { inFlight } = createLimits(settings)
  const { promise, resolve } = Promise.withResolvers<void>()
  assert.equal(inFlight.isFull(), false)
  void inFlight.run(() => promise)

  assert.equal(inFlight.isFull(), true)
  resolve()
})
