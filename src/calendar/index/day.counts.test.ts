import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/long.ts'
import { DayCounts } from './day.counts.ts'

const day = fc.oneof(fc.integer({ min: 4090, max: 4100 }), fc.nat(3_652_058))

test('a page is on its own days only', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(day, { maxLength: 20 }), { maxLength: 4 }),
      fc.record({ offset: fc.nat(40), limit: fc.integer({ min: 1, max: 20 }), isLatestFirst: fc.boolean() }),
      (parts, asked) => {
        const counts = new DayCounts()
        // What follows the length of a list does not count.
        for (const days of parts) counts.add({ days: Int32Array.of(...days, 7), length: days.length })
        const { offset, limit, isLatestFirst } = asked
        const all = parts.flat().toSorted((one, other) => (isLatestFirst ? other - one : one - other))
        const page = all.slice(offset, offset + limit)

        const found = counts.page(asked)

        assert.equal(counts.total, all.length)
        if (page.length === 0) return assert.equal(found, undefined)
        const [first = 0, last = 0] = [page[0], page.at(-1)]
        assert.deepEqual(found, {
          first: Math.min(first, last),
          last: Math.max(first, last),
          skipped: offset - all.indexOf(first),
        })
      },
    ),
    { numRuns: runs(300, 3000) },
  )
})
