import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { localDateTimeAt, parseZone, utcZone } from '../../../base/time/zone.ts'
import { timesOf } from './event.ts'
import {
  ATTENDANCES,
  attendanceFrom,
  EVENT_STATUSES,
  type EventBefore,
  type EventStatus,
  eventStatusFrom,
  nextState,
  scheduledState,
} from './state.ts'

const zone = parseZone('America/Toronto') ?? utcZone
const at = Date.UTC(2030, 0, 10) / 1000
const timesAt = (startUtc: number) =>
  timesOf({
    start: localDateTimeAt(startUtc, zone),
    end: localDateTimeAt(startUtc + 7200, zone),
    zone,
    isAllDay: false,
  })
const future = timesAt(at + 86_400)
const later = timesAt(at + 7 * 86_400)
const past = timesAt(at - 86_400)

function eventWith(given: Partial<EventBefore> = {}): EventBefore {
  return { ...future, ...scheduledState, isAnnounced: true, ...given }
}

test('a status is known under the names of RFC 5545 and schema.org, in any letter case', () => {
  const names: Readonly<Record<string, EventStatus | undefined>> = {
    ...{ canceled: 'canceled', Cancelled: 'canceled', CANCELLED: 'canceled', EventCancelled: 'canceled' },
    ...{ 'https://schema.org/EventCancelled': 'canceled', 'http://schema.org/EventPostponed': 'postponed' },
    ...{ TENTATIVE: 'postponed', CONFIRMED: 'scheduled', '': 'scheduled', ' scheduled ': 'scheduled' },
    ...{ 'moved-online': 'moved_online', 'Moved Online': 'moved_online', EventMovedOnline: 'moved_online' },
    ...{ EventRescheduled: 'rescheduled', unknown: undefined, constructor: undefined, canceledd: undefined },
  }
  for (const [name, status] of Object.entries(names)) assert.equal(eventStatusFrom(name), status, name)
})

test('a new status has a date, and the reason that was sent with it', () => {
  const before = eventWith({ eventStatus: 'postponed', statusReason: 'Storm', statusAt: at - 100 })

  const canceled = nextState(before, { eventStatus: 'canceled' }, { times: future, at })
  const same = nextState(before, { eventStatus: 'postponed' }, { times: future, at })

  assert.deepEqual(canceled, { ...scheduledState, eventStatus: 'canceled', statusReason: '', statusAt: at })
  assert.deepEqual(same, { ...scheduledState, eventStatus: 'postponed', statusReason: 'Storm', statusAt: at - 100 })
})

test('an event that takes place as planned again has no reason, date or earlier times', () => {
  const previousStarts = [{ start: past.start, end: past.end, timezone: zone.name, until: at - 100 }]
  const before = eventWith({ eventStatus: 'rescheduled', statusReason: 'Storm', statusAt: at - 100, previousStarts })

  assert.deepEqual(
    nextState(before, { eventStatus: 'scheduled', statusReason: 'left in the form' }, { times: future, at }),
    scheduledState,
  )
})

test('a reason without a status is refused', () => {
  assert.equal(nextState(eventWith(), { statusReason: 'Storm' }, { times: future, at }), 'fault.reason')
  assert.deepEqual(nextState(eventWith(), { statusReason: '' }, { times: future, at }), scheduledState)
})

test('a rescheduled event keeps its earlier start if it was announced, and a correction keeps nothing', () => {
  const asked = { eventStatus: 'rescheduled' } as const
  const earlier = { start: future.start, end: future.end, timezone: zone.name, until: at }
  const rescheduled = { ...scheduledState, eventStatus: 'rescheduled', statusAt: at } as const

  assert.deepEqual(nextState(eventWith(), asked, { times: later, at }), { ...rescheduled, previousStarts: [earlier] })
  assert.deepEqual(nextState(eventWith({ isAnnounced: false }), asked, { times: later, at }), rescheduled)
  assert.deepEqual(nextState(eventWith(), {}, { times: later, at }), scheduledState)
  assert.equal(nextState(eventWith(), asked, { times: future, at }), 'fault.reschedule')
})

test('at most ten earlier starts are kept, the latest ones', () => {
  let event = eventWith()
  for (let move = 1; move <= 12; move += 1) {
    const times = timesAt(future.startUtc + move * 3600)
    const state = nextState(event, { eventStatus: 'rescheduled' }, { times, at: at + move })
    assert.ok(typeof state !== 'string')
    event = { ...event, ...times, ...state }
  }

  assert.deepEqual(
    event.previousStarts.map(({ until }) => until - at),
    [3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  )
})

test('a postponed event that gets a time is rescheduled, even if its old day is over', () => {
  const before = eventWith({ ...past, eventStatus: 'postponed', statusAt: at - 500 })

  const state = nextState(before, {}, { times: later, at })

  assert.ok(typeof state !== 'string')
  assert.deepEqual([state.eventStatus, state.statusAt, state.previousStarts.length], ['rescheduled', at, 1])
})

test('an event of the past can be canceled, but neither postponed nor rescheduled', () => {
  const over = eventWith(past)
  const next = (eventStatus: EventStatus, times = past) => nextState(over, { eventStatus }, { times, at })

  assert.equal(next('postponed'), 'event-is-over')
  assert.equal(next('rescheduled', later), 'event-is-over')
  assert.ok(typeof next('canceled') !== 'string')
  // It ends in this second.
  const ending = { ...past, endUtc: at }
  assert.ok(typeof nextState(eventWith(ending), { eventStatus: 'postponed' }, { times: ending, at }) !== 'string')
})

test('an event that is moved online takes place there, until it is moved back', () => {
  const moved = nextState(eventWith(), { eventStatus: 'moved_online' }, { times: future, at })
  assert.ok(typeof moved !== 'string')
  const back = nextState(eventWith(moved), { eventStatus: 'scheduled' }, { times: future, at })
  const both = nextState(eventWith(), { eventStatus: 'moved_online', attendance: 'mixed' }, { times: future, at })

  assert.equal(moved.attendance, 'online')
  assert.deepEqual(back, scheduledState)
  assert.ok(typeof both !== 'string')
  assert.equal(both.attendance, 'mixed')
})

test('a write that says nothing about the state keeps it', () => {
  const states = fc.record(
    {
      eventStatus: fc.constantFrom(...EVENT_STATUSES.filter((status) => status !== 'scheduled')),
      statusReason: fc.string(),
      statusAt: fc.integer({ min: 0, max: at }),
      previousStarts: fc.constant([]),
      attendance: fc.constantFrom(...ATTENDANCES),
    },
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(states, fc.constantFrom(past, future), (state, times) => {
      assert.deepEqual(nextState({ ...times, ...state, isAnnounced: true }, {}, { times, at }), state)
    }),
  )
})

test('the names of the reference for the attendance', () => {
  assert.deepEqual(
    [
      attendanceFrom(undefined, undefined),
      attendanceFrom(false, 'hybrid'),
      attendanceFrom(true, undefined),
      attendanceFrom(true, 'hybrid'),
      attendanceFrom(undefined, 'hybrid'),
      attendanceFrom(undefined, 'virtual'),
    ],
    [undefined, 'offline', 'online', 'mixed', 'mixed', 'online'],
  )
})
