import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { leaseRevision, leasesEnded } from './revision.lease.ts'

/** A database with a revision, whose reads end when the test says so. */
function givenDatabase() {
  const pending: (() => void)[] = []
  const database = {
    revision: 1,
    reads: 0,
    read: () => {
      database.reads += 1
      const { promise, resolve } = Promise.withResolvers<void>()
      pending.push(resolve)
      return promise.then(() => database.revision)
    },
    answer: async () => {
      for (const resolve of pending.splice(0)) resolve()
      await turn()
    },
  }
  return database
}

test('a revision is used until its lease ends, which counts from before the read', async () => {
  const database = givenDatabase()
  let nowMs = 100
  const revision = leaseRevision(database.read, () => nowMs)

  const first = revision()
  nowMs = 100.5
  await database.answer()
  assert.equal(await first, 1)
  database.revision = 2
  nowMs = 100.9
  const during = [await revision(), database.reads]
  nowMs = 102
  const after = revision()
  await database.answer()

  assert.deepEqual([during, await after, database.reads], [[1, 1], 2, 2])
})

test('a read that took longer than the lease serves only those who waited for it', async () => {
  const database = givenDatabase()
  let nowMs = 0
  const revision = leaseRevision(database.read, () => nowMs)

  const slow = revision()
  nowMs = 50
  await database.answer()
  database.revision = 2
  const next = revision()
  await database.answer()

  assert.deepEqual([await slow, await next, database.reads], [1, 2, 2])
})

test('a revision in use is read again before its lease ends, once, and nobody waits for that', async () => {
  const database = givenDatabase()
  let nowMs = 0
  const revision = leaseRevision(database.read, () => nowMs)
  const first = revision()
  await database.answer()
  await first

  nowMs = 1.5
  const meanwhile = await Promise.all([revision(), revision(), revision()])
  database.revision = 2
  await database.answer()

  assert.deepEqual([meanwhile, database.reads, await revision()], [[1, 1, 1], 2, 2])
})

test('a read that fails ends no lease early, and is reported to whoever asks after it', async () => {
  let fails = false
  let nowMs = 0
  const revision = leaseRevision(
    async () => {
      if (fails) throw new Error('away')
      return 1
    },
    () => nowMs,
  )
  await revision()

  fails = true
  nowMs = 1.5
  assert.equal(await revision(), 1)
  nowMs = 2
  await assert.rejects(revision(), { message: 'away' })
  fails = false
  assert.equal(await revision(), 1)
})

test('a write is acknowledged only when all leases from before its commit have ended', async () => {
  const times = [0, 1, 2, 2.9, 3]
  let asked = 0

  await leasesEnded(() => times[Math.min(asked++, times.length - 1)] ?? 0)

  assert.equal(asked, times.length)
})
