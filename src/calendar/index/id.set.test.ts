import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/long.ts'
import { IdSet } from './id.set.ts'

const id = fc.oneof(fc.nat(200), fc.nat(200_000), fc.constantFrom(2 ** 20 - 1, 2 ** 20, 2 ** 25))
const ids = fc.array(id, { maxLength: 60 })

const sorted = (some: Iterable<number>) => [...some].toSorted((one, other) => one - other)

test('a set of ids does what a plain set does', () => {
  fc.assert(
    fc.property(ids, ids, id, (some, others, probe) => {
      const [one, other] = [new Set(some), new Set(others)]
      const made = () => IdSet.of(some)

      assert.deepEqual([...made()], sorted(one))
      assert.equal(made().count(), one.size)
      assert.equal(made().has(probe), one.has(probe))
      assert.deepEqual([...made().or(IdSet.of(others))], sorted(one.union(other)))
      assert.deepEqual([...made().and(IdSet.of(others))], sorted(one.intersection(other)))
      assert.deepEqual([...made().andNot(IdSet.of(others))], sorted(one.difference(other)))
      assert.deepEqual([...IdSet.inAll([made(), IdSet.of(others), made()])], sorted(one.intersection(other)))
      const first = probe - (probe % 32)
      const isNear = (number: number) => number >= first && number < first + 96
      assert.equal(made().countIn(first, 96), [...one].filter(isNear).length)
      const without = made()
      without.deleteIn(first, 96)
      assert.deepEqual([...without], sorted([...one].filter((number) => !isNear(number))))
      const end = Math.max(-1, ...one)
      assert.ok(made().end > end)
      assert.equal(made().hasIn(first, 96), [...one].some(isNear))
      const word = [...one].reduce((bits, at) => (at >= first && at < first + 32 ? bits | (1 << (at & 31)) : bits), 0)
      assert.equal(made().wordAt(first), word)
      const [from, to] = [Math.floor(one.size / 3), Math.ceil(one.size / 2)]
      assert.deepEqual([...made().slice(from, to)], sorted(one).slice(from, to))
      // What follows the length of a list does not count.
      const listed = () => ({
        ids: Int32Array.of(...others, 3),
        days: Int32Array.of(...others, 3),
        length: others.length,
      })
      const members = (list: ReturnType<typeof listed>) => {
        assert.deepEqual(list.days.subarray(0, list.length), list.ids.subarray(0, list.length))
        return [...list.ids.subarray(0, list.length)]
      }
      const grown = made()
      grown.addAll(listed().ids, others.length)
      assert.deepEqual([...grown], sorted(one.union(other)))
      const [inside, outside, added] = [listed(), listed(), listed()]
      made().sift(inside, true)
      made().sift(outside, false)
      assert.deepEqual(
        members(inside),
        others.filter((number) => one.has(number)),
      )
      assert.deepEqual(
        members(outside),
        others.filter((number) => !one.has(number)),
      )
      const more = made()
      more.addNew(added)
      assert.deepEqual(members(added), [...other.difference(one)])
      assert.deepEqual([...more], sorted(one.union(other)))
      const less = made()
      for (const gone of others) less.delete(gone)
      assert.deepEqual([...less], sorted(one.difference(other)))
    }),
    { numRuns: runs(300, 3000) },
  )
})

test('a set that was combined with another does not share its memory', () => {
  const given = IdSet.of([1, 2])
  const combined = new IdSet().or(given)

  combined.add(3)

  assert.deepEqual([...given], [1, 2])
})
