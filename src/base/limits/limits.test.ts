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
