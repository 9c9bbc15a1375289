import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canServe, type PrimarySample, type ReplicaProgress, updateProgress } from './replica.progress.ts'

const maxLagMs = 5000

/**
 * Returns the progress after checks at these moments, each with the revisions of the primary and the replica at that
 * time.
 */
function after(...looks: readonly (readonly [atMs: number, primary: number, replica: number])[]): ReplicaProgress {
  let progress: ReplicaProgress | undefined
  for (const [atMs, revision, replica] of looks) {
    progress = updateProgress(progress?.samples ?? [], { atMs, revision }, { revision: replica, maxLagMs })
  }
  assert.ok(progress)
  return progress
}

test('a replica of which nothing is known is good for nobody', () => {
  assert.equal(canServe(undefined, { nowMs: 0, revision: 0, maxLagMs }), false)
})

test('a replica that is behind is as old as the last moment whose writes it all has', () => {
  assert.equal(after([0, 10, 10], [1000, 20, 20], [2000, 30, 25]).completeAtMs, 1000)
  assert.equal(after([0, 10, 9]).completeAtMs, undefined)
})

test('a replica that stands still is good for visitors until the lag allowed is over', () => {
  const progress = after([0, 10, 10], [4900, 11, 10])
  const isGoodAt = (nowMs: number) => canServe(progress, { nowMs, revision: 0, maxLagMs })

  assert.deepEqual([4900, 5000, 5001].map(isGoodAt), [true, true, false])
})

test('a replica is good for a client from the moment at which it has what that client wrote', () => {
  const isGoodFrom = (revision: number) => canServe(after([0, 30, 25]), { nowMs: 0, revision, maxLagMs })
  const isGoodOnceItWasComplete = (revision: number) =>
    canServe(after([0, 25, 25], [500, 30, 25]), { nowMs: 500, revision, maxLagMs })

  assert.deepEqual([25, 26].map(isGoodFrom), [false, false])
  assert.deepEqual([25, 26].map(isGoodOnceItWasComplete), [true, false])
})

test('what was seen more than a second ago counts no more', () => {
  const progress = after([0, 10, 10])

  assert.equal(canServe(progress, { nowMs: 1000, revision: 10, maxLagMs }), true)
  assert.equal(canServe(progress, { nowMs: 1001, revision: 10, maxLagMs }), false)
})

test('whatever is seen, a good replica has all writes that are older than the lag allowed', () => {
  const steps = fc.array(fc.record({ passedMs: fc.nat(3000), written: fc.nat(3), replayed: fc.nat(5) }), {
    minLength: 1,
    maxLength: 40,
  })
  fc.assert(
    fc.property(steps, fc.nat(1000), (looks, laterMs) => {
      let nowMs = 0
      let primary = 0
      let replica = 0
      let progress: ReplicaProgress | undefined
      const history: PrimarySample[] = []
      for (const { passedMs, written, replayed } of looks) {
        nowMs += passedMs
        primary += written
        replica = Math.min(primary, replica + replayed)
        history.push({ atMs: nowMs, revision: primary })
        progress = updateProgress(
          progress?.samples ?? [],
          { atMs: nowMs, revision: primary },
          { revision: replica, maxLagMs },
        )
      }
      nowMs += laterMs
      const old = history.filter(({ atMs }) => nowMs - atMs > maxLagMs).at(-1)?.revision ?? 0

      return !canServe(progress, { nowMs, revision: 0, maxLagMs }) || replica >= old
    }),
  )
})
