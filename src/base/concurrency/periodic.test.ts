import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { startPeriodic } from './periodic.ts'

test('work runs after each interval, and no more once it is stopped', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let runs = 0
  const count = () => {
    runs += 1
  }
  const periodic = startPeriodic(count, { intervalMs: 1000 })
  const after = async (ms: number) => {
    t.mock.timers.tick(ms)
    await turn()
    return runs
  }

  assert.deepEqual([await after(999), await after(1), await after(1000)], [0, 1, 2])
  await periodic.stop()
  assert.equal(await after(10_000), 2)
})

test('a run that takes longer than the interval is the only one, and is waited for at the end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const held = Promise.withResolvers<void>()
  const told: string[] = []
  const work = async () => {
    told.push('begun')
    await held.promise
    told.push('done')
  }
  const periodic = startPeriodic(work, { intervalMs: 10, isImmediate: true })

  t.mock.timers.tick(100)
  await turn()
  const stopped = periodic.stop().then(() => told.push('stopped'))
  held.resolve()
  await stopped

  assert.deepEqual(told, ['begun', 'done', 'stopped'])
})

test('a run that fails is told, and the next one comes', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const faults: unknown[] = []
  const fail = async () => {
    throw new Error('away')
  }
  const periodic = startPeriodic(fail, { intervalMs: 10, onError: (error) => faults.push(error) })

  for (let times = 0; times < 2; times += 1) {
    t.mock.timers.tick(10)
    await turn()
  }
  await periodic.stop()

  assert.equal(faults.length, 2)
})

test('jitter only shortens the interval, by its part at most', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.mock.method(Math, 'random', () => 0.5)
  let runs = 0
  const count = () => {
    runs += 1
  }
  const periodic = startPeriodic(count, { intervalMs: 1000, jitter: 0.2 })

  t.mock.timers.tick(899)
  assert.equal(runs, 0)
  t.mock.timers.tick(1)
  assert.equal(runs, 1)
  await periodic.stop()
})

test('a run that asks for the next one sooner gets it, and the interval counts again after it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const wishes = [200, undefined, 5000, undefined]
  let runs = 0
  const work = () => {
    runs += 1
    return wishes[runs - 1]
  }
  const periodic = startPeriodic(work, { intervalMs: 1000, isImmediate: true })
  const after = async (ms: number) => {
    t.mock.timers.tick(ms)
    await turn()
    return runs
  }

  assert.deepEqual([await after(0), await after(199), await after(1)], [1, 1, 2])
  assert.deepEqual([await after(999), await after(1), await after(1000)], [2, 3, 4])
  await periodic.stop()
})

test('a run that is stopped is not run again, whatever it asks for', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let runs = 0
  const work = async () => {
    runs += 1
    await turn()
    return 1
  }
  const periodic = startPeriodic(work, { intervalMs: 1000, isImmediate: true })

  await periodic.stop()
  t.mock.timers.tick(1000)
  await turn()

  assert.equal(runs, 1)
})
