import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Selected } from '../index/set.selection.ts'
import { eventsOfPageDays, type PageDays } from './event.selection.repository.ts'

/** Events by their numbers, and the days on which they begin. */
const events = [
  [11, 5],
  [12, 3],
  [13, 4],
  [14, 3],
  [15, 4],
  [16, 6],
] as const
const selected = new Selected(['shown'])
for (const [id, day] of events) selected.add(day, id, 0)

test('a page is found among the events of its own days only', () => {
  const of = (offset: number, limit: number, isLatestFirst = false): PageDays =>
    eventsOfPageDays(selected, { offset, limit, isLatestFirst })

  assert.deepEqual(of(0, 1), { ids: [12, 14], skipped: 0 })
  assert.deepEqual(of(1, 1), { ids: [12, 14], skipped: 1 })
  assert.deepEqual(of(0, 2), { ids: [12, 14], skipped: 0 })
  assert.deepEqual(of(1, 2), { ids: [12, 13, 14, 15], skipped: 1 })
  assert.deepEqual(of(2, 2), { ids: [13, 15], skipped: 0 })
  assert.deepEqual(of(3, 2), { ids: [11, 13, 15], skipped: 1 })
  assert.deepEqual(of(0, 1, true), { ids: [16], skipped: 0 })
  assert.deepEqual(of(2, 1, true), { ids: [13, 15], skipped: 0 })
  assert.deepEqual(of(6, 2), { ids: [], skipped: 6 })
})
