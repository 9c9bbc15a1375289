import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../base/problems.ts'
import { utcZone } from '../../base/time/zone.ts'
import { readCalendar } from './calendar.reading.ts'

const reading = { siteZone: utcZone, now: 1_900_000_000 }

function calendarOf(...lines: readonly string[]): Buffer {
  const event = ['BEGIN:VEVENT', 'UID:a', 'SUMMARY:Concert', 'DTSTART:20300101T100000Z', ...lines, 'END:VEVENT']
  return Buffer.from(['BEGIN:VCALENDAR', 'VERSION:2.0', ...event, 'END:VCALENDAR', ''].join('\r\n'))
}

test('a rule that is followed forever keeps nobody waiting, and the calendar is refused', async () => {
  let turns = 0
  const counting = setInterval(() => {
    turns += 1
  }, 10)
  try {
    // No hour of any year is in it.
    const endless = calendarOf('RRULE:FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=31')
    await assert.rejects(readCalendar(endless, reading, 2000), (error) => {
      assert.ok(error instanceof Problem)
      assert.deepEqual([error.status, error.text], [413, 'rest_request_too_large.calendar.slow'])
      return true
    })
    assert.ok(turns > 20, `${turns}`)
  } finally {
    clearInterval(counting)
  }
})

test('the work of a calendar grows with its lines, and not with their square', async () => {
  const lines = Array.from({ length: 60_000 }, () => 'EXDATE:20300102T100000Z')
  const { events } = await readCalendar(calendarOf('RRULE:FREQ=DAILY;COUNT=5', ...lines), reading)
  assert.equal(events.length, 1)
})

test('a duration without a number is left out', async () => {
  const { events } = await readCalendar(calendarOf('DURATION:P'), reading)
  assert.equal(events[0]?.sent.end_date, '2030-01-01 10:00:00')
})

test('a duration of more than a hundred years is left out', async () => {
  const { events } = await readCalendar(calendarOf('DURATION:P9999999999999D'), reading)
  assert.deepEqual(
    events.map(({ sent }) => [sent.start_date, sent.end_date]),
    [['2030-01-01 10:00:00', '2030-01-01 10:00:00']],
  )
})
