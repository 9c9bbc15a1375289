import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { isOnPglite } from '../../../test/support/database.ts'
import { givenEvent, givenVenue } from '../../../test/support/given.ts'
import { derivationsFor } from '../../calendar/derivations.ts'
import { acquireLease, isLeasedByOther } from '../../storage/database/lease.repository.ts'
import { openStorage } from '../../storage/database/open.ts'
import { auditedTables } from '../audit/audited.fields.ts'
import { type Job, leaseSeconds, runJob, startJobs } from './job.runner.ts'
import { jobs } from './jobs.ts'

const later = { title: 'Unveiling', status: 'publish', date: '2030-01-15 13:00' }

/** A job with this number of batches. It reports the start of each batch and waits for permission to end it. */
function givenJob(batches = 1) {
  let left = batches
  const begun: string[] = []
  const waiting: (() => void)[] = []
  const as = (holder: string): Job => ({
    name: 'test',
    intervalMs: 1000,
    isDue: async () => left > 0,
    runBatch: async () => {
      begun.push(holder)
      await new Promise<void>((resolve) => waiting.push(resolve))
      left -= 1
      return left > 0
    },
  })
  /** Ends the oldest running batch, once it has begun. */
  const endBatch = async () => {
    while (waiting.length === 0) await turn()
    waiting.shift()?.()
  }
  const untilBegun = async (count: number) => {
    while (begun.length < count) await turn()
  }
  return { as, begun, endBatch, untilBegun }
}

const leases = (app: TestApp) => isLeasedByOther(app.deps.storage.db, { name: 'test', holder: '' }, app.deps.now())

test('of several processes one does the job, and another one the next time', async (t) => {
  const app = await startTestApp(t)
  const { as, begun, endBatch, untilBegun } = givenJob(1)
  const first = runJob(app.deps, as('a'), { holder: 'a' })
  await untilBegun(1)

  assert.equal(await runJob(app.deps, as('b'), { holder: 'b' }), 'leased')
  await endBatch()

  assert.equal(await first, 'done')
  assert.equal(await leases(app), false)
  const next = givenJob(1)
  const second = runJob(app.deps, next.as('b'), { holder: 'b' })
  await next.endBatch()
  assert.equal(await second, 'done')
  assert.deepEqual([begun, next.begun], [['a'], ['b']])
})

test('when a process ends in the middle of a job, another one takes over once the lease has expired', async (t) => {
  const app = await startTestApp(t)
  const { as, begun, endBatch } = givenJob()
  const gone = { name: 'test', holder: 'gone' }
  const now = app.deps.now()
  await app.deps.storage.writeWithoutRevision((tx) => acquireLease(tx, gone, { now, expiresAt: now + leaseSeconds }))

  app.pass(leaseSeconds - 1)
  assert.equal(await runJob(app.deps, as('b'), { holder: 'b' }), 'leased')
  app.pass(1)
  const taken = runJob(app.deps, as('b'), { holder: 'b' })
  await endBatch()

  assert.equal(await taken, 'done')
  assert.deepEqual(begun, ['b'])
})

test('two processes that find an expired lease at once do not both take it', async (t) => {
  const app = await startTestApp(t)
  const now = app.deps.now()
  const take = (holder: string) =>
    app.deps.storage.writeWithoutRevision((tx) =>
      acquireLease(tx, { name: 'test', holder }, { now, expiresAt: now + 10 }),
    )

  assert.deepEqual((await Promise.all([take('a'), take('b'), take('c')])).sort(), [false, false, true])
})

test('a process extends the lease while it goes on, and stops where it has lost it', async (t) => {
  const app = await startTestApp(t)
  const { as, begun, endBatch, untilBegun } = givenJob(5)
  const running = runJob(app.deps, as('a'), { holder: 'a' })
  for (let batch = 1; batch <= 2; batch += 1) {
    await untilBegun(batch)
    app.pass(leaseSeconds - 1)
    await endBatch()
  }
  await untilBegun(3)
  assert.equal(await runJob(app.deps, as('b'), { holder: 'b' }), 'leased')

  app.pass(leaseSeconds)
  const taken = runJob(app.deps, as('b'), { holder: 'b' })
  await untilBegun(4)
  await endBatch()
  assert.equal(await running, 'leased')
  await endBatch()
  await endBatch()

  assert.equal(await taken, 'done')
  assert.deepEqual(begun, ['a', 'a', 'a', 'b', 'b'])
})

test('a job that has begun is stopped after its batch, and its lease is given up', async (t) => {
  const app = await startTestApp(t)
  const { as, begun, endBatch, untilBegun } = givenJob(3)
  const running = startJobs(app.deps, [as('a')], (error) => assert.ifError(error))
  await untilBegun(1)

  const stopped = running.stop()
  await endBatch()
  await stopped

  assert.deepEqual(begun, ['a'])
  assert.equal(await leases(app), false)
})

test('a service that finds a job leased looks again when the lease may have expired, long before its next turn', async (t) => {
  const app = await startTestApp(t)
  const { as, begun, endBatch } = givenJob()
  const gone = { name: 'test', holder: 'gone' }
  const now = app.deps.now()
  await app.deps.storage.writeWithoutRevision((tx) => acquireLease(tx, gone, { now, expiresAt: now + leaseSeconds }))
  // The lease expires once the first look has read the clock.
  const isDue = async () => {
    setImmediate(() => app.pass(leaseSeconds))
    return true
  }
  const hourly: Job = { ...as('b'), intervalMs: 3_600_000, isDue }
  t.mock.timers.enable({ apis: ['setTimeout'] })

  const running = startJobs(app.deps, [hourly], (error) => assert.ifError(error))
  // Less than the shortest hour, in steps so small that a busy database has 15 seconds for the first look.
  for (let passed = 0; begun.length === 0 && passed < 3000; passed += 1) {
    t.mock.timers.tick(1000)
    for (const endsAt = performance.now() + 5; performance.now() < endsAt; ) await turn()
  }
  assert.deepEqual(begun, ['b'])
  t.mock.timers.reset()
  await endBatch()
  await running.stop()
})

test('a job that fails is told, and keeps no other process from trying', async (t) => {
  const app = await startTestApp(t)
  const fails: Job = {
    ...givenJob().as('a'),
    runBatch: () => Promise.reject(new Error('away')),
  }

  await assert.rejects(runJob(app.deps, fails, { holder: 'a' }), /away/)

  assert.equal(await leases(app), false)
})

test('a service at rest writes nothing for its jobs', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, later)
  app.statements()

  for (const job of jobs) assert.equal(await runJob(app.deps, job, { holder: 'a' }), 'not due')

  assert.deepEqual(
    app.statements().filter((text) => !/^\s*select/i.test(text)),
    [],
  )
})

test('the leases of one process are seen by another one that has opened the same database', async (t) => {
  const app = await startTestApp(t)
  const other = await openOther(app)
  if (!other) return
  t.after(() => other.close())
  const { as, begun, endBatch, untilBegun } = givenJob()
  const first = runJob(app.deps, as('a'), { holder: 'a' })
  await untilBegun(1)

  assert.equal(await runJob({ ...app.deps, storage: other }, as('b'), { holder: 'b' }), 'leased')
  app.pass(leaseSeconds)
  const second = runJob({ ...app.deps, storage: other }, as('b'), { holder: 'b' })
  await untilBegun(2)
  await endBatch()
  await endBatch()

  assert.deepEqual(await Promise.all([first, second]), ['done', 'done'])
  assert.deepEqual(begun, ['a', 'b'])
})

/** Opens the database a second time, as another process would. PGlite works in one process only. */
async function openOther({ deps: { config, now } }: TestApp) {
  return isOnPglite()
    ? undefined
    : openStorage(config, { audited: auditedTables, derivations: derivationsFor(config), isDurable: false, now })
}

test('what becomes due while the service runs is published by itself, and not after it was stopped', async (t) => {
  const app = await startTestApp(t)
  const first = await givenEvent(app, later)
  const second = await givenEvent(app, { ...later, date: '2030-01-15 14:00' })
  const statusOf = async (id: number) => (await app.send({ path: `/events/${id}` })).status
  const faults: unknown[] = []
  const running = startJobs(app.deps, jobs, (error) => faults.push(error))

  app.pass(3600)
  while ((await statusOf(first.id)) !== 200) await turn()
  await running.stop()
  app.pass(3600)

  assert.equal(await statusOf(second.id), 403)
  assert.deepEqual(faults, [])
})

test('old entries of the audit are removed by the job', async (t) => {
  const app = await startTestApp(t, { AUDIT_RETENTION_DAYS: '30' })
  await givenVenue(app)
  app.pass(31 * 86_400)

  const done = await Promise.all(jobs.map((job) => runJob(app.deps, job, { holder: 'a' })))

  assert.deepEqual(
    jobs.flatMap(({ name }, place) => (done[place] === 'done' ? name : [])),
    ['prune-audit'],
  )
  const { body } = await app.send({ as: 'administrator', path: '//cal/service/v1/audit' })
  assert.deepEqual(
    body.entries.map(({ action }: { action: string }) => action),
    ['prune'],
  )
})
