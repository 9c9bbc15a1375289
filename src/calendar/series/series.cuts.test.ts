import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addSeconds, type LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Zone } from '../../base/time/zone.ts'
import type { SeriesSegment } from '../occurrences/occurrence.ts'
import { readRecurrence } from '../recurrence/recurrence.text.ts'
import { isRecurrenceFault } from '../recurrence/recurrence.ts'
import { expandSeries } from './series.dates.ts'
import { cutSegments, numbered } from './series.segments.ts'

// A cut changes no date of a series: what was left out stays left out, on both sides of the cut and at the cut itself.

const start = '2030-05-03 18:30:00' as LocalDateTime
const end = '2030-05-03 19:30:00' as LocalDateTime
const zone = 'America/Toronto' as unknown as Zone
const rules = ['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO,FR', 'FREQ=WEEKLY;INTERVAL=2', 'FREQ=MONTHLY;BYDAY=1FR']
const ends = ['', ';COUNT=9', ';COUNT=30', ';UNTIL=20300620']
const daySeconds = 86_400

const day = fc.integer({ min: 0, max: 60 })
const clock = fc.constantFrom(0, -3600, 7200)
const date = fc.tuple(day, clock).map(([days, seconds]) => addSeconds(start, days * daySeconds + seconds))
const recurrence = fc.record({
  rrule: fc.tuple(fc.constantFrom(...rules), fc.constantFrom(...ends)).map((parts) => parts.join('')),
  dates: fc.array(date, { maxLength: 4 }),
  except: fc.array(date, { maxLength: 12 }),
})

/** One of the dates of the series, by its place, or another time. */
const place = fc.oneof(fc.nat(), date)

function segmentsOf(sent: object): readonly SeriesSegment[] {
  const read = readRecurrence(sent, { start, zone, isAllDay: false })
  return isRecurrenceFault(read)
    ? []
    : [{ id: 1, position: 0, from: start, start, end, zone, isAllDay: false, recurrence: read }]
}

/** The dates of three months. */
const datesOf = (segments: readonly SeriesSegment[]) =>
  expandSeries(segments, { through: '2030-08-01 00:00:00' as LocalDateTime, limit: 1000 }).dates.map(
    ({ recurrenceId }) => recurrenceId,
  )

test('a series has the same dates after any cut, whatever was left out', () => {
  let cuts = 0
  fc.assert(
    fc.property(recurrence, place, place, (sent, one, other) => {
      const all = segmentsOf(sent)
      const dates = datesOf(all)
      if (dates.length < 2) return
      const cutAt = (segments: readonly SeriesSegment[], choice: LocalDateTime | number) => {
        const at = typeof choice === 'number' ? (dates[choice % dates.length] as LocalDateTime) : choice
        const { before, after } = cutSegments(segments, at)
        assert.deepEqual(datesOf(numbered([...before, ...after])), dates)
        assert.ok(datesOf(numbered(after)).every((date) => date >= at))
        return numbered([...before, ...after])
      }
      cutAt(cutAt(all, one), other)
      cuts += 2
    }),
    { numRuns: 400 },
  )
  assert.ok(cuts > 400, `${cuts}`)
})
