import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/long.ts'
import {
  changeSegments,
  encodeMembers,
  type Member,
  maxMembers,
  membersOf,
  placeOf,
  type Segment,
} from './set.segments.ts'

const day = fc.oneof(fc.integer({ min: 740_000, max: 740_030 }), fc.nat(3_652_058))
const id = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 2 ** 31 - 1 }))
const members = (maxLength: number) =>
  fc.array(fc.record({ day, id }, { noNullPrototype: true }), { maxLength, size: 'max' })

const ordered = (some: readonly Member[]) =>
  [...new Map(some.map((member) => [placeOf(member), member])).values()].toSorted(
    (one, other) => placeOf(one) - placeOf(other),
  )

test('a stored segment has the members that were given', () => {
  fc.assert(
    fc.property(members(500), (given) => {
      const expected = ordered(given)

      assert.deepEqual(membersOf(encodeMembers(expected)), expected)
    }),
    { numRuns: runs(100, 1000) },
  )
})

/** Finds the segments of a change as the database does. */
function segmentsOf(stored: ReadonlyMap<number, Uint8Array>, some: readonly Member[]): readonly Segment[] {
  const firsts = [...stored.keys()].toSorted((one, other) => one - other)
  const found = new Set(some.flatMap((member) => firsts.findLast((first) => first <= placeOf(member)) ?? []))
  return firsts
    .filter((first) => found.has(first))
    .map((first) => ({ first, members: stored.get(first) as Uint8Array }))
}

test('a set in segments does what a plain set does, and no segment is too large', () => {
  const change = fc.record({ added: members(900), dropped: fc.integer({ min: 0, max: 3 }) })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), (changes) => {
      const stored = new Map<number, Uint8Array>()
      let plain: readonly Member[] = []
      for (const { added: given, dropped } of changes) {
        const removed = plain.filter((_, place) => place % 4 < dropped)
        const kept = new Set(plain.map(placeOf))
        const added = ordered(given).filter((member) => !kept.has(placeOf(member)))
        const { stored: changed, removed: emptied } = changeSegments(segmentsOf(stored, [...added, ...removed]), {
          added,
          removed,
        })
        for (const first of emptied) stored.delete(first)
        for (const { first, members: bytes } of changed) stored.set(first, bytes)
        const gone = new Set(removed.map(placeOf))
        plain = ordered([...plain.filter((member) => !gone.has(placeOf(member))), ...added])

        const found = [...stored].toSorted(([one], [other]) => one - other).map(([, bytes]) => membersOf(bytes))
        assert.deepEqual(found.flat(), plain)
        assert.ok(found.every(({ length }) => length > 0 && length <= maxMembers))
      }
    }),
    { numRuns: runs(30, 300) },
  )
})
