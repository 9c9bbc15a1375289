import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { runs } from '../../../test/support/long.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { parseZone, utcZone } from '../../base/time/zone.ts'
import { readRecurrence, splitLines } from './recurrence.text.ts'
import { isRecurrenceFault } from './recurrence.ts'
import { ruleText } from './rule.text.ts'

const zone = parseZone('America/Toronto') ?? utcZone
const event = { zone, start: '2027-01-01 19:00:00' as LocalDateTime, isAllDay: false }
const wholeDay = { zone, start: '2027-01-01 00:00:00' as LocalDateTime, isAllDay: true }

/** Returns a recurrence as short texts, or the code and the text of its fault. */
function read(sent: unknown, of = event) {
  const recurrence = readRecurrence(sent, of)
  if (isRecurrenceFault(recurrence)) return `${recurrence.code} ${recurrence.text.replace('fault.recurrence.', '')}`
  const { rule, dates, except } = recurrence
  return [rule ? ruleText(rule) : '', dates.join(), except.join()]
}

test('an object has a rule, further dates and exceptions, as days or times of the event', () => {
  assert.deepEqual(read({ rrule: 'FREQ=WEEKLY' }), ['FREQ=WEEKLY', '', ''])
  assert.deepEqual(read({ rrule: '', dates: ['2027-03-01', '2027-02-01T10:30', '2027-03-01 19:00:00'] }), [
    '',
    '2027-02-01 10:30:00,2027-03-01 19:00:00',
    '',
  ])
  assert.deepEqual(read({ rrule: 'FREQ=DAILY', except: '2027-01-05,2027-01-07 19:00' }), [
    'FREQ=DAILY',
    '',
    '2027-01-05 19:00:00,2027-01-07 19:00:00',
  ])
  assert.deepEqual(read({ dates: ['2027-02-01T15:30:00Z', '2027-01-01'] }), ['', '2027-02-01 10:30:00', ''])
})

test('a day in the exceptions leaves out all dates on that day', () => {
  const dates = ['2027-01-08 10:00:00', '2027-01-08 14:00:00', '2027-01-09 10:00:00']

  assert.deepEqual(read({ rrule: 'FREQ=WEEKLY', dates, except: ['2027-01-08'] }), [
    'FREQ=WEEKLY',
    dates.join(),
    '2027-01-08 10:00:00,2027-01-08 14:00:00,2027-01-08 19:00:00',
  ])
  assert.deepEqual(
    read({ dates, except: ['2027-01-01', '2027-01-08 14:00', '2026-12-31'] })[2],
    '2027-01-01 19:00:00,2027-01-08 14:00:00',
  )
})

test('an all-day event has days, also if times were sent', () => {
  assert.deepEqual(
    read(
      { rrule: 'FREQ=WEEKLY;UNTIL=20270201T045959Z', dates: ['2027-01-05 10:00'], except: ['20270108T120000'] },
      wholeDay,
    ),
    ['FREQ=WEEKLY;UNTIL=20270131', '2027-01-05 00:00:00', '2027-01-08 00:00:00'],
  )
})

test('lines of iCalendar are read in their zones', () => {
  const lines = [
    'RRULE:FREQ=WEEKLY;BYDAY=',
    ' TU,FR',
    'RDATE;TZID=Asia/Tokyo:20270203T090000,20270203T160000Z',
    'rdate;VALUE=DATE:20270301',
    '',
    'EXDATE;TZID="America/Toronto";X-A="b:c":20270108T190000',
    'EXDATE:20270112T190000',
  ]

  assert.deepEqual(read(lines.join('\r\n')), [
    'FREQ=WEEKLY;BYDAY=TU,FR',
    '2027-02-02 19:00:00,2027-02-03 11:00:00,2027-03-01 19:00:00',
    '2027-01-08 19:00:00,2027-01-12 19:00:00',
  ])
  assert.deepEqual(read(lines.join('\n')), read(lines.join('\r\n')))
  assert.deepEqual(read('FREQ=MONTHLY'), ['FREQ=MONTHLY', '', ''])
})

test('everything else is refused with its reason', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `2027-01-01 ${10 + (index % 10)}:00:00`)
  const refused: readonly (readonly [sent: unknown, fault: string])[] = [
    [null, 'invalid-rule form'],
    [12, 'invalid-rule form'],
    [[], 'invalid-rule form'],
    [{}, 'invalid-rule form'],
    [{ rrule: null, except: ['2027-01-05'] }, 'invalid-rule form'],
    [{ rrule: 12 }, 'invalid-rule form'],
    [{ dates: [12] }, 'invalid-rule form'],
    [{ dates: { a: 1 } }, 'invalid-rule form'],
    [{ rrule: ['FREQ=DAILY', 'FREQ=WEEKLY'] }, 'invalid-rule two-rules'],
    [{ rrule: 'FREQ=DAILY', exdates: [] }, 'invalid-rule member'],
    [{ rrule: 'FREQ=HOURLY' }, 'invalid-rule FREQ'],
    [{ dates: ['2027-02-30'] }, 'invalid-rule date'],
    [{ dates: ['next friday'] }, 'invalid-rule date'],
    [{ rrule: 'FREQ=DAILY', except: ['2027-1-5'] }, 'invalid-rule date'],
    [{ dates: many(501) }, 'too-many-dates too-many'],
    [{ rrule: 'FREQ=DAILY', except: many(501) }, 'too-many-dates too-many'],
    [{ dates: ['2026-12-31'] }, 'invalid-rule before-start'],
    [{ rrule: 'FREQ=DAILY;UNTIL=20261231' }, 'invalid-rule before-start'],
    [{ dates: ['2037-01-02'] }, 'too-many-dates too-far'],
    [{ rrule: 'FREQ=DAILY;UNTIL=20370102' }, 'too-many-dates too-far'],
    [{ rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, 'no-dates never'],
    [{ rrule: 'FREQ=YEARLY;INTERVAL=11' }, 'no-dates never'],
    [{ rrule: 'FREQ=DAILY;COUNT=2', except: ['2027-01-01', '2027-01-02'] }, 'no-dates no-dates'],
    [{ dates: ['2027-01-02'], except: ['2027-01-01', '2027-01-02'] }, 'no-dates no-dates'],
    ['', 'invalid-rule part'],
    ['RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY', 'invalid-rule two-rules'],
    ['EXRULE:FREQ=DAILY', 'invalid-rule line'],
    ['DTSTART:20270101T190000\nRRULE:FREQ=DAILY', 'invalid-rule line'],
    ['RRULE:FREQ=DAILY\nFREQ=DAILY', 'invalid-rule line'],
    ['RDATE;TZID=Nowhere/City:20270105T190000', 'invalid-rule zone'],
    ['RDATE;VALUE=PERIOD:20270105T190000Z/PT1H', 'invalid-rule date'],
    ['EXDATE:20270105', 'invalid-rule form'],
  ]

  for (const [sent, fault] of refused) assert.equal(read(sent), fault, JSON.stringify(sent)?.slice(0, 80))
  assert.deepEqual(read({ rrule: 'FREQ=YEARLY;UNTIL=20370101' }), ['FREQ=YEARLY;UNTIL=20370101', '', ''])
  assert.deepEqual(read({ rrule: 'FREQ=DAILY', except: many(500) })[0], 'FREQ=DAILY')
})

test('lines are split as another program splits them', () => {
  const values = fc.stringMatching(/^[\w:;,=/ -]{1,20}$/).filter((value) => value.trim() === value)
  const zones = fc.constantFrom(
    '',
    ';TZID=America/Vancouver',
    ';TZID="America/Vancouver"',
    ';X-A=1;TZID=UTC;X-B="a:b;c"',
  )
  // Without properties and values, the program only splits a line.
  const plain = { ...ICAL.design.icalendar, property: {}, value: {} }

  fc.assert(
    fc.property(fc.constantFrom('RDATE', 'exdate'), zones, values, (name, parameters, value) => {
      const line = `${name}${parameters}:${value}`
      const [found, { tzid }, , text] = ICAL.parse.property(line, plain)

      const split = splitLines(line, zone)

      const dates = isRecurrenceFault(split) ? [] : found === 'rdate' ? split.dates : split.except
      assert.deepEqual(dates.map((date) => date.text).join(), text)
      for (const date of dates) assert.equal(date.zone.name, tzid ?? zone.name)
    }),
    { numRuns: runs(300, 3000) },
  )
})

test('nothing that is sent makes the reader fail', () => {
  const words = [
    'RRULE:',
    'RDATE',
    'EXDATE',
    ';TZID=',
    'FREQ=DAILY',
    '\n',
    '\r\n ',
    ':',
    '20270105',
    'T190000Z',
    ',',
    '"',
  ]
  const text = fc.array(fc.constantFrom(...words)).map((parts) => parts.join(''))
  const anything = fc.oneof(
    fc.anything(),
    text,
    fc.record({ rrule: text, dates: fc.array(text), except: fc.anything() }),
  )

  fc.assert(
    fc.property(anything, (sent) => {
      assert.equal(typeof readRecurrence(sent, event), 'object')
    }),
    { numRuns: runs(1000, 20_000) },
  )
})
