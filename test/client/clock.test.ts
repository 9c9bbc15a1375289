import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { localTimeIn } from '../../packages/client/src/clock.ts'
import { isLocalDateTime } from '../../src/base/time/local.date.time.ts'
import { epochSecondsOf, localDateTimeAt, parseZone } from '../../src/base/time/zone.ts'
import { cities, secondsAround } from '../support/arbitraries/zone.arbitrary.ts'

for (const name of [...cities, 'UTC-5', 'UTC+5.5']) {
  test(`what a clock in ${name} shows is read as the same moment, or refused where it would not be`, () => {
    const zone = parseZone(name)
    assert.ok(zone)
    fc.assert(
      fc.property(secondsAround(zone.isManual ? 'UTC' : name), (seconds) => {
        const moment = new Date(seconds * 1000 + 999)
        const isSayable = epochSecondsOf(localDateTimeAt(seconds, zone), zone) === seconds

        if (!isSayable) return void assert.throws(() => localTimeIn(moment, name), RangeError)
        const text = localTimeIn(moment, name)
        assert.ok(isLocalDateTime(text))
        assert.equal(epochSecondsOf(text, zone), seconds)
      }),
    )
  })
}

test('a zone that there is not is refused', () => {
  assert.throws(() => localTimeIn(new Date(0), 'America/Nowhere'), RangeError)
})
