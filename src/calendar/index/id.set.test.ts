import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/long.ts'
import { IdSet } from './id.set.ts'

const id = fc.oneof(fc.nat(200), fc.nat(200_000), fc.constantFrom(65_535, 65_536, 2 ** 25))
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
