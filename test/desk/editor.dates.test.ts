import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readMoment, writeMoment } from '../../src/desk/events/editor.dates.ts'

/** A Monday. */
const today = '2027-03-01'
const cases: readonly (readonly [typed: string, day: string | undefined, time?: string])[] = [
  ['ven. 19 h 30', '2027-03-05', '19:30'],
  ['Fri 7:30pm', '2027-03-05', '19:30'],
  ['Fri 7.30 p.m.', '2027-03-05', '19:30'],
  ['2027-03-05 7.30pm', '2027-03-05', '19:30'],
  ['Fri, 7:30 p.m.', '2027-03-05', '19:30'],
  ['2027-03-05 19:30', '2027-03-05', '19:30'],
  ['2027-03-05T19:30', '2027-03-05', '19:30'],
  ['vendredi prochain à 19h', '2027-03-05', '19:00'],
  ['lundi', '2027-03-01'],
  ['next Monday', '2027-03-08'],
  ['le mar. 2 mars à 9 h', '2027-03-02', '09:00'],
  ['Mar 2 at noon', '2027-03-02', '12:00'],
  ['mar. 20 h', '2027-03-02', '20:00'],
  ['1er février', '2028-02-01'],
  ['29 février', '2028-02-29'],
  ['Sept. 3rd, 2027', '2027-09-03'],
  ['aujourd’hui minuit', '2027-03-01', '00:00'],
  ['après-demain 12 am', '2027-03-03', '00:00'],
  ['demain', '2027-03-02'],
  ['21\u00a0h', undefined, '21:00'],
]

test('dates and times are read as people type them, in both languages', () => {
  for (const [typed, day, time] of cases) assert.deepEqual(readMoment(typed, today), { day, time }, typed)
  for (const [typed, fault] of [
    ['03/04/2027', 'ambiguous'],
    ['5/3 19 h', 'ambiguous'],
    ['Fri March 6', 'weekday'],
    ['2027-02-30', 'no-day'],
    ['30 février', 'no-day'],
    ...['', 'soon', '25:00', '13 pm', '5', '5 7', 'jui 5', 'next', 'Fri Sat', 'March May 5', 'x'.repeat(1000)].map(
      (typed) => [typed, 'unreadable'] as const,
    ),
  ] as const) {
    assert.equal(readMoment(typed, today), fault, typed)
  }
})

test('what the editor writes in either language, it reads again; and no text breaks it', () => {
  const moments = fc.date({
    min: new Date('1000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:00Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(moments, fc.constantFrom('en' as const, 'fr' as const), (date, language) => {
      const [day, time] = [date.toISOString().slice(0, 10), date.toISOString().slice(11, 16)]

      assert.deepEqual(readMoment(writeMoment(language, `${day} ${time}`), today), { day, time })
      assert.deepEqual(readMoment(writeMoment(language, day), today), { day, time: undefined })
    }),
    { numRuns: 40 },
  )
  const words = fc.constantFrom(
    'mar',
    'ven.',
    '5',
    '2027',
    'h',
    '30',
    'pm',
    ':',
    '-',
    'mars',
    'à',
    '19',
    ' ',
    'next',
    '/',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(words).map((all) => all.join(' ')),
      ),
      (text) => {
        const read = readMoment(text, today)
        if (typeof read === 'string') return
        assert.match(`${read.day ?? today} ${read.time ?? '00:00'}`, /^\d{4}-\d\d-\d\d ([01]\d|2[0-3]):[0-5]\d$/)
      },
    ),
  )
})
