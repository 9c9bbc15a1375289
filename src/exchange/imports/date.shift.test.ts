import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type LocalDateTime, localDateTimeFromSeconds } from '../../base/time/local.date.time.ts'
import { localDateTimeAt, parseZone, utcZone, type Zone } from '../../base/time/zone.ts'
import { daysUntilFuture, shiftByDays } from './date.shift.ts'

const zoneOf = (name: string): Zone => parseZone(name) ?? utcZone
const at = (start: string, zone = 'UTC') => ({ start: start as LocalDateTime, zone: zoneOf(zone) })
const noon = Date.UTC(2030, 0, 15, 12) / 1000

test('events that all lie ahead are not moved', () => {
  assert.equal(daysUntilFuture([at('2030-01-16 00:00:00'), at('2031-01-01 00:00:00')], noon), 0)
})

test('an event of today is moved by a week', () => {
  assert.equal(daysUntilFuture([at('2030-01-15 23:00:00'), at('2030-01-20 00:00:00')], noon), 7)
})

test('the earliest event decides for all', () => {
  assert.equal(daysUntilFuture([at('2030-01-14 10:00:00'), at('2029-12-31 10:00:00')], noon), 21)
})

test('tomorrow is that of the zone of the event', () => {
  const lateInUtc = Date.UTC(2030, 0, 15, 23) / 1000

  assert.equal(daysUntilFuture([at('2030-01-16 09:00:00', 'Asia/Tokyo')], lateInUtc), 7)
  assert.equal(daysUntilFuture([at('2030-01-16 09:00:00', 'America/Toronto')], lateInUtc), 0)
})

test('a move keeps the weekday and the time of day', () => {
  assert.equal(shiftByDays('2026-10-28 19:30:00' as LocalDateTime, 7), '2026-11-04 19:30:00')
})

test('after the move every event starts tomorrow or later, and a week less would not do', () => {
  const seconds = fc.integer({ min: Date.UTC(1990, 0) / 1000, max: Date.UTC(2040, 0) / 1000 })
  const zone = fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/Toronto', 'Pacific/Kiritimati').map(zoneOf)
  const event = fc.record({ start: seconds.map(localDateTimeFromSeconds), zone })
  fc.assert(
    fc.property(fc.array(event, { minLength: 1 }), seconds, (events, now) => {
      const days = daysUntilFuture(events, now)
      const isAhead = (moved: number) =>
        events.every(
          ({ start, zone: own }) => shiftByDays(start, moved).slice(0, 10) > localDateTimeAt(now, own).slice(0, 10),
        )

      assert.equal(days % 7, 0)
      assert.ok(isAhead(days))
      assert.ok(days === 0 || !isAhead(days - 7))
    }),
  )
})
