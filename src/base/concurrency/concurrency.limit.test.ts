import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createConcurrencyLimit } from './concurrency.limit.ts'

const onFull = () => new Error('full')

/** A task that runs until the test ends it. */
function held() {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { work: () => promise, end: () => resolve('done') }
}

test('never more than allowed run at a time, in order, whether they end, fail or stop waiting', async () => {
  const outcome = fc.constantFrom('ends', 'fails', 'stops')
  const scheduled = fc.asyncProperty(
    fc.scheduler(),
    fc.integer({ min: 1, max: 4 }),
    fc.array(outcome, { maxLength: 20 }),
    async (scheduler, maxConcurrent, outcomes) => {
      const limit = createConcurrencyLimit({ maxConcurrent, maxWaiting: 20, onFull })
      let most = 0
      const begun: number[] = []
      const all = outcomes.map((as, number) => {
        const stop = new AbortController()
        const work = async () => {
          begun.push(number)
          most = Math.max(most, limit.running())
          await scheduler.schedule(Promise.resolve())
          if (as === 'fails') throw new Error('failed')
        }
        const run = limit.run(work, { signal: stop.signal }).catch((error: unknown) => error)
        if (as === 'stops') stop.abort(new Error('stopped'))
        return run
      })
      await scheduler.waitFor(Promise.all(all))

      assert.ok(most <= maxConcurrent)
      assert.deepEqual(
        begun,
        begun.toSorted((one, other) => one - other),
      )
      assert.ok(outcomes.every((as, number) => as === 'stops' || begun.includes(number)))
      assert.deepEqual([limit.running(), limit.waiting()], [0, 0])
    },
  )
  await fc.assert(scheduled)
})

test('where too many wait, more are refused with the error of whoever made the limit', async () => {
  const limit = createConcurrencyLimit({ maxConcurrent: 1, maxWaiting: 1, onFull })
  const first = held()
  const all = [limit.run(first.work), limit.run(async () => 'second')]

  assert.equal(limit.isFull(), true)
  await assert.rejects(
    limit.run(async () => 'third'),
    /full/,
  )

  first.end()
  assert.deepEqual(await Promise.all(all), ['done', 'second'])
  assert.equal(await limit.run(async () => 'fourth'), 'fourth')
})

test('who stops waiting makes room for another one, is told why, and is never run', async () => {
  const limit = createConcurrencyLimit({ maxConcurrent: 1, maxWaiting: 1, onFull })
  const first = held()
  const stop = new AbortController()
  let isRun = false
  const running = limit.run(first.work)
  const stopped = limit.run(
    async () => {
      isRun = true
    },
    { signal: stop.signal },
  )

  stop.abort(new Error('the service ends'))

  await assert.rejects(stopped, /the service ends/)
  const next = limit.run(async () => 'next')
  first.end()
  assert.deepEqual(await Promise.all([running, next]), ['done', 'next'])
  assert.equal(isRun, false)
  await assert.rejects(
    limit.run(async () => 'late', { signal: stop.signal }),
    /the service ends/,
  )
})

test('a signal that comes once the work has begun does not touch it', async () => {
  const limit = createConcurrencyLimit({ maxConcurrent: 1, maxWaiting: 0, onFull })
  const work = held()
  const stop = new AbortController()
  const running = limit.run(work.work, { signal: stop.signal })

  stop.abort()
  work.end()

  assert.equal(await running, 'done')
})

test('a slot is taken only where one is free, is released once, and is handed to whoever waits', async () => {
  const limit = createConcurrencyLimit({ maxConcurrent: 1, maxWaiting: 1, onFull })
  const release = limit.tryAcquire()

  assert.equal(limit.tryAcquire(), undefined)
  const waiting = limit.run(async () => limit.running())
  release?.()
  release?.()

  assert.equal(await waiting, 1)
  assert.equal(limit.running(), 0)
})

test('one client has at most half of all places, and leaves a slot to others, who take turns', async () => {
  const limit = createConcurrencyLimit({ maxConcurrent: 3, maxWaiting: 7, onFull })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const run = (client: string, name: string) =>
    limit.run(
      () => {
        begun.push(name)
        return new Promise<void>((resolve) => void ends.push(resolve))
      },
      { client },
    )
  const greedy = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => run('a', name))

  await assert.rejects(run('a', 'a6'), /full/)
  const others = [run('b', 'b1'), run('b', 'b2'), run('c', 'c1')]
  await new Promise(setImmediate)
  assert.deepEqual(begun, ['a1', 'a2', 'b1'])

  let ended = 0
  const all = [...greedy, ...others]
  while (ended < all.length) {
    await new Promise(setImmediate)
    ends[ended]?.()
    ended += 1
  }
  await Promise.all(all)
  assert.deepEqual(begun.slice(3), ['a3', 'b2', 'c1', 'a4', 'a5'])
  assert.deepEqual([limit.running(), limit.waiting()], [0, 0])
})

test('one client never has all slots that are taken at once', () => {
  const limit = createConcurrencyLimit({ maxConcurrent: 4, maxWaiting: 0, onFull })
  const taken = [limit.tryAcquire('a'), limit.tryAcquire('a'), limit.tryAcquire('a')]

  assert.deepEqual(
    taken.map((release) => release !== undefined),
    [true, true, false],
  )
  assert.ok(limit.tryAcquire('b'))
  taken[0]?.()
  assert.ok(limit.tryAcquire('a'))
})
