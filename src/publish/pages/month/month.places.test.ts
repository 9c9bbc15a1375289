import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { layOutDays, maxBars, maxLines } from '../assets/month.places.js'

const grids = fc
  .record({ weeks: fc.integer({ min: 4, max: 6 }), before: fc.integer({ min: 0, max: 6 }) })
  .map(({ weeks, before }) => ({ days: weeks * 7 - before, before }))
const span = fc
  .record({ start: fc.integer({ min: -60, max: 50 }), length: fc.integer({ min: 0, max: 50 }) })
  .map(({ start, length }) => ({ start, end: start + length }))
const calendars = fc.array(span, { maxLength: 40 }).map((spans) => spans.map((one, event) => ({ ...one, event })))

test('each event is on each of its days exactly once: in a bar, in a line, or counted', () => {
  fc.assert(
    fc.property(calendars, grids, (spans, grid) => {
      for (const [day, { bars, passing, lines, total, more }] of layOutDays(spans, grid).entries()) {
        const shown = [...[...bars, ...passing].map(({ event }) => event), ...lines]
        const own = spans.filter(({ start, end }) => start <= day && day <= end).map(({ event }) => event)

        assert.deepEqual(shown, [...new Set(shown)])
        assert.ok(shown.every((event) => own.includes(event)))
        assert.deepEqual([total, more], [own.length, own.length - shown.length])
      }
    }),
  )
})

test('no bar lies over another, none leaves its week, and there are no more than there is room for', () => {
  fc.assert(
    fc.property(calendars, grids, (spans, grid) => {
      const days = layOutDays(spans, grid)
      const weekOf = (day: number) => Math.floor((day + grid.before) / 7)
      for (const [day, { bars, passing, lanes, lines }] of days.entries()) {
        const all = [...bars, ...passing]
        const taken = all.map(({ lane }) => lane)

        assert.deepEqual(taken.length, new Set(taken).size)
        assert.equal(lanes, Math.max(0, ...taken.map((lane) => lane + 1)))
        assert.ok(lanes <= maxBars && lines.length <= maxLines)
        for (const { event, from, to, isBegun, goesOn } of all) {
          const whole = spans[event]
          assert.ok(from <= day && day <= to && weekOf(from) === weekOf(to))
          assert.deepEqual([isBegun, goesOn], [Number(whole?.start) < from, Number(whole?.end) > to])
        }
      }
    }),
  )
})

test('an event has its bar wherever a lane is free, the one that began first above', () => {
  const spans = [
    { event: 'first', start: 0, end: 1 },
    { event: 'second', start: 1, end: 8 },
    { event: 'third', start: 2, end: 3 },
  ]

  const days = layOutDays(spans, { days: 14 })
  const lanes = days.flatMap(({ bars }, day) => bars.map(({ event, lane }) => [day, event, lane]))

  assert.deepEqual(lanes, [
    [0, 'first', 0],
    [1, 'second', 1],
    [2, 'third', 0],
    [7, 'second', 0],
  ])
})

test('what is not among the events is counted by the totals of the days', () => {
  const [day] = layOutDays([{ event: 'one', start: 0, end: 0 }], { days: 1, totals: [9] })

  assert.deepEqual([day?.total, day?.more], [9, 8])
})
