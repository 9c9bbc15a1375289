import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../problems.ts'
import { limitConcurrency } from './outbound.concurrency.ts'
import { OutboundError } from './outbound.ts'

const options = { maxBytes: 10, timeoutMs: 1000, maxRedirects: 0 }

test('never more than allowed are fetched at a time, in order, and one that fails gives its place on', async () => {
  const scheduled = fc.asyncProperty(
    fc.scheduler(),
    fc.integer({ min: 1, max: 5 }),
    fc.array(fc.boolean(), { maxLength: 20 }),
    async (scheduler, maxConcurrent, failing) => {
      let running = 0
      let most = 0
      const begun: number[] = []
      const { fetch } = limitConcurrency(
        async (url) => {
          begun.push(Number(url))
          running += 1
          most = Math.max(most, running)
          await scheduler.schedule(Promise.resolve())
          running -= 1
          if (failing[Number(url)]) throw new OutboundError('unreachable')
          return Buffer.from(url)
        },
        { maxConcurrent, maxWaiting: 20 },
      )
      const all = Promise.allSettled(failing.map((_fails, number) => fetch(String(number), options, `user ${number}`)))
      await scheduler.waitFor(all)

      assert.deepEqual(
        (await all).map(({ status }) => status === 'rejected'),
        failing,
      )
      assert.deepEqual(
        begun,
        failing.map((_fails, number) => number),
      )
      assert.ok(most <= maxConcurrent)
      assert.equal(String(await scheduler.waitFor(fetch('99', options, 'a'))), '99')
    },
  )
  await fc.assert(scheduled)
})

test('who comes when too many wait is told to come back', async () => {
  const { promise: held, resolve: finish } = Promise.withResolvers<void>()
  const { fetch } = limitConcurrency(
    async () => {
      await held
      return Buffer.from('picture')
    },
    { maxConcurrent: 2, maxWaiting: 1 },
  )
  const accepted = [1, 2, 3].map((user) => fetch('https://a.example/', options, `user ${user}`))

  await assert.rejects(
    fetch('https://a.example/', options, 'user 4'),
    (error) =>
      error instanceof Problem && error.code === 'service_unavailable' && error.headers['Retry-After'] === '10',
  )
  finish()
  assert.deepEqual((await Promise.all(accepted)).map(String), Array(3).fill('picture'))
  assert.equal(String(await fetch('https://a.example/', options, 'user 4')), 'picture')
})
