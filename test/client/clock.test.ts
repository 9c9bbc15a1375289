import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { wallClock } from '../../packages/client/src/clock.ts'
import { isWall } from '../../src/base/time/wall.ts'
import { cities, secondsAround } from '../../src/base/time/zone.arbitrary.ts'
import { parseZone, utcOf, wallAt } from '../../src/base/time/zone.ts'

for (const name of [...cities, 'UTC-5', 'UTC+5.5']) {
  test(`what a clock in ${name} shows is read as the same moment, or refused where it would not be`, () => {
    const zone = parseZone(name)
    assert.ok(zone)
    fc.assert(
      fc.property(secondsAround(zone.isManual ? 'UTC' : name), (seconds) => {
        const moment = new Date(seconds * 1000 + 999)
        const isSayable = utcOf(wallAt(seconds, zone), zone) === seconds

        if (!isSayable) return void assert.throws(() => wallClock(moment, name), RangeError)
        const text = wallClock(moment, name)
        assert.ok(isWall(text))
        assert.equal(utcOf(text, zone), seconds)
      }),
    )
  })
}

test('a zone that there is not is refused', () => {
  assert.throws(() => wallClock(new Date(0), 'America/Nowhere'), RangeError)
})
