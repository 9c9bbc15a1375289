import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { byDistance, centralPlace, directionOf, metresBetween } from './map.distances.ts'
import { toMercator } from './map.view.ts'

const montreal = { latitude: 45.5017, longitude: -73.5673 }
const quebec = { latitude: 46.8139, longitude: -71.208 }
const degrees = fc.record({
  latitude: fc.double({ min: -84, max: 84, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})

test('distances are those of the great circle', () => {
  assert.equal(Math.round(metresBetween(montreal, quebec) / 1000), 233)
  assert.equal(metresBetween(montreal, montreal), 0)
  fc.assert(
    fc.property(degrees, degrees, (one, other) => {
      const metres = metresBetween(one, other)
      assert.ok(metres >= 0 && metres < 20_040_000)
      assert.ok(Math.abs(metres - metresBetween(other, one)) < 0.01)
    }),
  )
})

test('a direction is the one that one sets out in', () => {
  const from = { latitude: 45, longitude: 179.99 }

  assert.equal(directionOf(montreal, quebec), 'northeast')
  assert.equal(directionOf(quebec, montreal), 'southwest')
  assert.equal(directionOf(from, { latitude: 46, longitude: 179.99 }), 'north')
  assert.equal(directionOf(from, { latitude: 44, longitude: 179.99 }), 'south')
  assert.equal(directionOf(from, { latitude: 45, longitude: -179.99 }), 'east')
  assert.equal(directionOf(from, { latitude: 45, longitude: 179.9 }), 'west')
})

test('distances are said from the place in the middle, the nearest first', () => {
  const places = [
    { name: 'east', spot: toMercator({ latitude: 45, longitude: -73 }) },
    { name: 'middle', spot: toMercator({ latitude: 45, longitude: -73.2 }) },
    { name: 'west', spot: toMercator({ latitude: 45, longitude: -73.5 }) },
  ]
  const centre = centralPlace(places)

  assert.equal(centre?.name, 'middle')
  assert.deepEqual(
    byDistance(places, centre ?? places[0] ?? { spot: toMercator(montreal) }).map(({ name }) => name),
    ['middle', 'east', 'west'],
  )
  assert.equal(centralPlace([]), undefined)
})
