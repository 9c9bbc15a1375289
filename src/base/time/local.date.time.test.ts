import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addMonths,
  addSeconds,
  dateTimeDetails,
  dayOf,
  endOfDay,
  isLocalDateTime,
  type LocalDateTime,
  localDateTimeFromParts,
  localDateTimeFromSeconds,
  maxLocalDateTimeSeconds,
  minLocalDateTimeSeconds,
  partsOfLocalDateTime,
  secondsOfLocalDateTime,
  startOfDay,
  weekdayOf,
} from './local.date.time.ts'

const localDateTime = (text: string) => {
  assert.ok(isLocalDateTime(text))
  return text
}
const anySeconds = fc.integer({ min: minLocalDateTimeSeconds, max: maxLocalDateTimeSeconds })

test('every second of the years 0001 to 9999 round-trips through its local time', () => {
  fc.assert(
    fc.property(anySeconds, (seconds) => {
      const written = localDateTimeFromSeconds(seconds)

      assert.equal(secondsOfLocalDateTime(written), seconds)
      assert.ok(isLocalDateTime(written))
      assert.equal(localDateTimeFromParts(partsOfLocalDateTime(written)), written)
    }),
  )
})

test('a local time is the one that the ISO calendar has', () => {
  fc.assert(
    fc.property(anySeconds, (seconds) => {
      const iso = Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toString()

      assert.equal(localDateTimeFromSeconds(seconds), iso.replace('T', ' ').replace('Z', ''))
    }),
  )
})

test('local times sort as time does', () => {
  fc.assert(
    fc.property(anySeconds, anySeconds, (a, b) => {
      assert.equal(localDateTimeFromSeconds(a) < localDateTimeFromSeconds(b), a < b)
    }),
  )
})

test('the first and last local times are those of the years 0001 and 9999, and nothing goes beyond', () => {
  assert.equal(localDateTimeFromSeconds(minLocalDateTimeSeconds), '0001-01-01 00:00:00')
  assert.equal(localDateTimeFromSeconds(maxLocalDateTimeSeconds), '9999-12-31 23:59:59')
  assert.equal(localDateTimeFromSeconds(minLocalDateTimeSeconds - 1), '0001-01-01 00:00:00')
  assert.equal(localDateTimeFromSeconds(maxLocalDateTimeSeconds + 1), '9999-12-31 23:59:59')
})

test('only days and times that exist, in this exact form, are local times', () => {
  assert.ok(isLocalDateTime('2028-02-29 23:59:59'))
  for (const text of [
    '2027-02-29 00:00:00',
    '2027-13-01 00:00:00',
    '2027-01-01 24:00:00',
    '2027-01-01 00:60:00',
    '0000-00-00 00:00:00',
    '0000-12-31 00:00:00',
    '2027-01-01T00:00:00',
    '2027-01-01',
    '2027-1-1 00:00:00',
    '2027-01-01 00:00:00\n',
  ]) {
    assert.equal(isLocalDateTime(text), false, text)
  }
})

test('what is too large for its place runs over', () => {
  assert.equal(localDateTimeFromParts({ year: 2027, month: 2, day: 30 }), '2027-03-02 00:00:00')
  assert.equal(localDateTimeFromParts({ year: 2026, month: 14, day: 1, hour: 24 }), '2027-02-02 00:00:00')
  assert.equal(localDateTimeFromParts({ year: 2027, month: 1, day: 0 }), '2026-12-31 00:00:00')
})

test('a day begins at 00:00:00 and ends at 23:59:59', () => {
  const noon = localDateTime('2027-06-10 12:00:00')

  assert.equal(dayOf(noon), '2027-06-10')
  assert.equal(startOfDay(noon), '2027-06-10 00:00:00')
  assert.equal(endOfDay(noon), '2027-06-10 23:59:59')
})

test('details are padded texts in the order of the wire', () => {
  assert.equal(
    JSON.stringify(dateTimeDetails(localDateTime('2031-03-04 09:05:07'))),
    '{"year":"2031","month":"03","day":"04","hour":"09","minutes":"05","seconds":"07"}',
  )
})

test('months are added on the calendar, and a missing day runs over', () => {
  const cases: readonly (readonly [string, number, string])[] = [
    ['2026-11-21 10:00:00', 24, '2028-11-21 10:00:00'],
    ['2027-01-31 00:00:00', 1, '2027-03-03 00:00:00'],
    ['2028-02-29 00:00:00', 24, '2030-03-01 00:00:00'],
    ['2027-01-15 00:00:00', -1, '2026-12-15 00:00:00'],
    ['9999-12-01 00:00:00', 1, '9999-12-31 23:59:59'],
  ]
  for (const [from, months, to] of cases) assert.equal(addMonths(localDateTime(from), months), to)
})

test('seconds are added across days and leap days', () => {
  assert.equal(addSeconds(localDateTime('2028-02-28 23:59:59'), 1), '2028-02-29 00:00:00' as LocalDateTime)
  assert.equal(addSeconds(localDateTime('2027-01-01 00:00:00'), -1), '2026-12-31 23:59:59' as LocalDateTime)
})

test('weekdays count from Monday, before 1970 too', () => {
  assert.equal(weekdayOf(0), 3) // Thursday, 1 January 1970
  assert.equal(weekdayOf(-4), 6) // Sunday, 28 December 1969
})
