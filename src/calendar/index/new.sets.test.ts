import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/long.ts'
import { NewSets, type SetSegment } from './new.sets.ts'
import { maxMembers, membersOf, placeOf } from './set.segments.ts'

const drawnEvent = fc.record({
  // Many events on one day: its segments are complete only with the next day.
  day: fc.oneof(fc.constant(7), fc.nat(40)),
  class: fc.constantFrom('a', 'b'),
  facets: fc.subarray([0, 4, 12]),
})

function segmentsOf(events: readonly ({ readonly id: number } & Parameters<NewSets['add']>[0])[], most: number) {
  const sets = new NewSets(most)
  const segments: SetSegment[] = []
  for (const event of events) {
    segments.push(...sets.before(event.day))
    sets.add(event)
  }
  return [...segments, ...sets.end()]
}

test('new sets have their events in order, in segments that do not overlap, whatever may wait', () => {
  fc.assert(
    fc.property(
      fc.array(drawnEvent, { maxLength: 2500, size: 'max' }),
      fc.constantFrom(10, 700, 1_000_000),
      (drawn, most) => {
        const events = drawn
          .map((event, place) => ({ ...event, id: ((place * 7919) % 2503) + 1 }))
          .toSorted((one, other) => one.day - other.day)

        const segments = segmentsOf(events, most)

        for (const facet of [0, 4, 12]) {
          for (const name of ['a', 'b']) {
            const own = segments.filter((segment) => segment.facet === facet && segment.class === name)
            const expected = events
              .filter((event) => event.class === name && event.facets.includes(facet))
              .map(({ day, id }) => placeOf({ day, id }))
              .toSorted((one, other) => one - other)
            const places = own.map(({ members }) => membersOf(members).map(placeOf))
            assert.deepEqual(places.flat(), expected)
            assert.deepEqual(
              own.map(({ first, size, last }) => ({ first, size, last })),
              places.map((some, at) => ({ first: at === 0 ? 0 : some[0], size: some.length, last: some.at(-1) })),
            )
            assert.ok(own.every(({ size }) => size <= maxMembers))
            // With room for all, only the last segment of a set is not full.
            if (most === 1_000_000) assert.ok(own.slice(0, -1).every(({ size }) => size === maxMembers))
          }
        }
      },
    ),
    { numRuns: runs(40, 400) },
  )
})
