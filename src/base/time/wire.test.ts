import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { localDateTimeFromParts, maxLocalDateTimeSeconds, minLocalDateTimeSeconds } from './local.date.time.ts'
import { httpDate, isoUtc, isoWithOffset } from './wire.ts'

test('a local time with its offset is ISO 8601', () => {
  const localDateTime = localDateTimeFromParts({ year: 2027, month: 6, day: 10, hour: 10 })

  assert.equal(isoWithOffset(localDateTime, 0), '2027-06-10T10:00:00+00:00')
  assert.equal(isoWithOffset(localDateTime, 5.75 * 3600), '2027-06-10T10:00:00+05:45')
  assert.equal(isoWithOffset(localDateTime, -2.5 * 3600), '2027-06-10T10:00:00-02:30')
})

test('the date of HTTP headers is that of RFC 9110', () => {
  assert.equal(httpDate(784_111_777), 'Sun, 06 Nov 1994 08:49:37 GMT')
})

test('HTTP and RFC 3339 dates read back as the second they were made from', () => {
  fc.assert(
    fc.property(fc.integer({ min: minLocalDateTimeSeconds, max: maxLocalDateTimeSeconds }), (seconds) => {
      assert.equal(httpDate(seconds), new Date(seconds * 1000).toUTCString())
      assert.equal(Date.parse(isoUtc(seconds)), seconds * 1000)
    }),
  )
})
