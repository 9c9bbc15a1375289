import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cities, secondsAround } from '../../../test/support/arbitraries/zone.arbitrary.ts'
import { runs } from '../../../test/support/long.ts'
import { canParseDateText, DateTextError, parseDateText } from './date-text.ts'
import {
  localDateTimeFromSeconds,
  maxLocalDateTimeSeconds,
  minLocalDateTimeSeconds,
  secondsOfLocalDateTime,
} from './local.date.time.ts'
import { epochSecondsOf, localDateTimeAt, parseZone, type Zone } from './zone.ts'

const zone = (name: string): Zone => parseZone(name) ?? assert.fail(`${name} is no zone`)
/** Wednesday, 18 November 2026, 10:30:20 in Toronto. */
const base = { nowSeconds: Date.parse('2026-11-18T15:30:20Z') / 1000, zone: zone('America/Toronto') }

function assertReads(cases: Readonly<Record<string, string>>) {
  for (const [text, localDateTime] of Object.entries(cases))
    assert.equal(parseDateText(text, base).localDateTime, localDateTime, text)
}

test('a day is read as the rules read it at midnight', () => {
  const read = (text: string) => (canParseDateText(text) ? parseDateText(text, base) : undefined)
  const number = (digits: number) => fc.nat(10 ** digits - 1).map((value) => String(value).padStart(digits, '0'))
  fc.assert(
    fc.property(
      number(4),
      fc.oneof(number(2), fc.constant('02')),
      fc.oneof(number(2), fc.constant('29')),
      (...parts) => {
        const day = parts.join('-')
        assert.deepEqual(read(day), read(`${day}T00:00:00`), day)
      },
    ),
    { numRuns: runs(1000, 20_000) },
  )
})

test('dates are read in the orders people write them', () => {
  assertReads({
    '2027-06-10': '2027-06-10 00:00:00',
    '2027-6-9': '2027-06-09 00:00:00',
    '2027/06/10': '2027-06-10 00:00:00',
    '2027-06': '2027-06-01 00:00:00',
    '2027-W23': '2027-06-07 00:00:00',
    '2027-W23-4': '2027-06-10 00:00:00',
    '2027W234': '2027-06-10 00:00:00',
    '2026-W53-7': '2027-01-03 00:00:00',
    '2027-161': '2027-06-10 00:00:00',
    '6/30/2027': '2027-06-30 00:00:00',
    '30-06-2027': '2027-06-30 00:00:00',
    '04.03.2031 12:00': '2031-03-04 12:00:00',
    '3/4/2031 2:30pm': '2031-03-04 14:30:00',
    '4 March 2031 10:00': '2031-03-04 10:00:00',
    'March 4, 2031 10:00 am': '2031-03-04 10:00:00',
    'MAR 4TH 2031': '2031-03-04 00:00:00',
    '1st of sept. 2031': '2031-09-01 00:00:00',
    '4-Mar-2031': '2031-03-04 00:00:00',
    'March 2031': '2031-03-01 00:00:00',
    'March 4': '2026-03-04 00:00:00',
    'Tue, 04 Mar 2031 10:00:00 +0000': '2031-03-04 10:00:00',
  })
})

test('times are read with or without seconds, fraction and half of the day', () => {
  assertReads({
    '2027-06-10 10:00': '2027-06-10 10:00:00',
    '2027-06-10T10:00:30.987': '2027-06-10 10:00:30',
    '20270610T100030': '2027-06-10 10:00:30',
    '2027-06-10 12am': '2027-06-10 00:00:00',
    '2027-06-10 12:05 p.m.': '2027-06-10 12:05:00',
    '10:00': '2026-11-18 10:00:00',
    '2027-06-10 at noon': '2027-06-10 12:00:00',
  })
})

test('a time with a dot is a time, alone or after a date', () => {
  assertReads({
    '7.30pm': '2026-11-18 19:30:00',
    '19.30': '2026-11-18 19:30:00',
    '3.04 pm': '2026-11-18 15:04:00',
    '3.04': '2026-11-18 03:04:00',
    '7.30 p.m.': '2026-11-18 19:30:00',
    '2027-06-10 7.30pm': '2027-06-10 19:30:00',
    '2027-06-10T19.30': '2027-06-10 19:30:00',
    '04.03.2031 19.30': '2031-03-04 19:30:00',
    '30.06.2027': '2027-06-30 00:00:00',
    'tomorrow 7.30pm': '2026-11-19 19:30:00',
    'March 4, 2031, 7.30pm': '2031-03-04 19:30:00',
    'March 4 19.30': '2026-03-04 19:30:00',
    'March 4.2031': '2031-03-04 00:00:00',
    'June 20.30': '2026-06-18 20:30:00',
    '4 March at 7.30pm': '2026-03-04 19:30:00',
    'next wednesday 16.00': '2026-11-25 16:00:00',
    '19.30 2027-06-10': '2027-06-10 19:30:00',
  })
})

test('a year may follow the time, and digits without signs may be one', () => {
  assertReads({
    'Sat Jan 2 15:04:05 2027': '2027-01-02 15:04:05',
    'Sat Jan  2 15:04:05 EST 2027': '2027-01-02 15:04:05',
    'Sat Jan 2 15:04:05 +0100 2027': '2027-01-02 15:04:05',
    '2 January 15.04 2027': '2027-01-02 15:04:00',
    '20270102 150405': '2027-01-02 15:04:05',
    '20270102 1504': '2027-01-02 15:04:00',
    '2027-01-02 150405Z': '2027-01-02 15:04:05',
  })
})

test('years of two digits come first, and a T that begins no time says nothing', () => {
  assertReads({
    '27-01-02': '2027-01-02 00:00:00',
    '69-12-31 10:00': '2069-12-31 10:00:00',
    '70-01-02': '1970-01-02 00:00:00',
    '2027-06-10T': '2027-06-10 00:00:00',
    '20270610T': '2027-06-10 00:00:00',
    '27-06-10t ': '2027-06-10 00:00:00',
    '2027-W23T': '2027-06-07 00:00:00',
  })
})

test('English numbers of one, and days of work, count from the present', () => {
  assertReads({
    'a week ago': '2026-11-11 10:30:20',
    'an hour ago': '2026-11-18 09:30:20',
    'a month': '2026-12-18 10:30:20',
    '+3 weekdays': '2026-11-23 10:30:20',
    '2 weekdays ago': '2026-11-16 10:30:20',
    '-3 weekdays 9am': '2026-11-13 09:00:00',
    '2026-11-21 +1 weekday': '2026-11-23 00:00:00',
    '2026-11-22 -1 weekday': '2026-11-20 00:00:00',
    'next weekday': '2026-11-19 00:00:00',
    'last weekday 9am': '2026-11-17 09:00:00',
  })
})

test('days of work are counted as they follow each other', () => {
  fc.assert(
    fc.property(fc.nat({ max: 40 }), fc.integer({ min: -60, max: 60 }), (offset, count) => {
      const first = Date.UTC(2027, 0, 1) / 86_400_000 + offset
      let day = first
      for (let left = Math.abs(count); left > 0; ) {
        day += Math.sign(count)
        if (![0, 6].includes(new Date(day * 86_400_000).getUTCDay())) left -= 1
      }

      const written = (number: number) => localDateTimeFromSeconds(number * 86_400).slice(0, 10)
      const { localDateTime } = parseDateText(`${written(first)} ${count} weekdays`, base)

      assert.equal(localDateTime.slice(0, 10), written(day))
    }),
  )
})

test('days the month has not, 24:00 and leap seconds run over', () => {
  assertReads({
    '2027-02-30': '2027-03-02 00:00:00',
    '2027-06-10 24:00': '2027-06-11 00:00:00',
    '2027-06-10 23:59:60': '2027-06-11 00:00:00',
  })
})

test('English phrases count from the present in the zone of the base', () => {
  assertReads({
    now: '2026-11-18 10:30:20',
    today: '2026-11-18 00:00:00',
    Tomorrow: '2026-11-19 00:00:00',
    yesterday: '2026-11-17 00:00:00',
    midnight: '2026-11-18 00:00:00',
    'tomorrow 9am': '2026-11-19 09:00:00',
    '9am tomorrow': '2026-11-19 09:00:00',
    'tomorrow noon': '2026-11-19 12:00:00',
    '+1 week': '2026-11-25 10:30:20',
    '+1 week 2 days': '2026-11-27 10:30:20',
    '3 days ago': '2026-11-15 10:30:20',
    '1 month 2 days ago': '2026-10-16 10:30:20',
    '2027-01-31 +1 month': '2027-03-03 00:00:00',
    'next month': '2026-12-18 10:30:20',
    'last year': '2025-11-18 10:30:20',
    wednesday: '2026-11-18 00:00:00',
    'this friday': '2026-11-20 00:00:00',
    'next friday': '2026-11-20 00:00:00',
    'next wednesday 4pm': '2026-11-25 16:00:00',
    'last monday': '2026-11-16 00:00:00',
    'last wednesday': '2026-11-11 00:00:00',
    'monday next week': '2026-11-23 00:00:00',
    'sunday this week': '2026-11-22 00:00:00',
    'first monday of january 2027': '2027-01-04 00:00:00',
    'last friday of next month': '2026-12-25 00:00:00',
    'first day of january 2027': '2027-01-01 00:00:00',
    'last day of next month': '2026-12-31 10:30:20',
  })
})

test('each unit, and each number of one, has its own length', () => {
  assertReads({
    '+1 second': '2026-11-18 10:30:21',
    '+20 secs': '2026-11-18 10:30:40',
    '+1 sec': '2026-11-18 10:30:21',
    '5 minutes': '2026-11-18 10:35:20',
    '- 5 min': '2026-11-18 10:25:20',
    '-2 hours': '2026-11-18 08:30:20',
    '+1 hour 1 minute ago': '2026-11-18 09:29:20',
    '+2 fortnights': '2026-12-16 10:30:20',
    'a fortnight ago': '2026-11-04 10:30:20',
    '+2 weeks': '2026-12-02 10:30:20',
    '+14 months': '2028-01-18 10:30:20',
    '+2 years': '2028-11-18 10:30:20',
    'a year ago': '2025-11-18 10:30:20',
    'previous month': '2026-10-18 10:30:20',
    'next fortnight': '2026-12-02 10:30:20',
    'last day': '2026-11-17 10:30:20',
    'this month': '2026-11-18 10:30:20',
    'last hour': '2026-11-18 09:30:20',
  })
})

test('a week without a weekday begins on its Monday, on every day and at any time of day', () => {
  assertReads({
    'this week': '2026-11-16 10:30:20',
    'Next Week': '2026-11-23 10:30:20',
    'LAST  WEEK': '2026-11-09 10:30:20',
    'previous week': '2026-11-09 10:30:20',
    'next week 14:00': '2026-11-23 14:00:00',
    '9am next week': '2026-11-23 09:00:00',
    'this week midnight': '2026-11-16 00:00:00',
    'next week +2 days': '2026-11-25 10:30:20',
    'next week +2 hours': '2026-11-23 12:30:20',
    'today next week': '2026-11-23 00:00:00',
    '2027-01-02 next week': '2027-01-04 00:00:00',
    'monday next week +2 days': '2026-11-25 00:00:00',
    'tuesday last week': '2026-11-10 00:00:00',
    'next week sun': '2026-11-29 00:00:00',
    // These name no week.
    'next weeks': '2026-11-25 10:30:20',
    '+1 week': '2026-11-25 10:30:20',
    'a week ago': '2026-11-11 10:30:20',
  })
  for (let day = 16; day <= 22; day += 1) {
    const on = { ...base, nowSeconds: Date.parse(`2026-11-${day}T15:30:20Z`) / 1000 }
    const read = (text: string) => parseDateText(text, on).localDateTime
    assert.deepEqual(
      [read('this week'), read('next week'), read('last week')],
      ['2026-11-16 10:30:20', '2026-11-23 10:30:20', '2026-11-09 10:30:20'],
      String(day),
    )
  }
})

test('seconds may follow a dot', () => {
  assertReads({
    '15.04.05': '2026-11-18 15:04:05',
    '2027-01-02 15.04.05': '2027-01-02 15:04:05',
    '2027-01-02T15.04.05': '2027-01-02 15:04:05',
    '3.04.05 pm': '2026-11-18 15:04:05',
    'tomorrow 3.04.05 a.m.': '2026-11-19 03:04:05',
    '04.03.2031 19.30.15': '2031-03-04 19:30:15',
    'June 20.30.15': '2026-06-18 20:30:15',
    '15.04.05 2027-01-02': '2027-01-02 15:04:05',
    '15.04.2005': '2005-04-15 00:00:00',
  })
})

test('the first to the fifth of a weekday count from the beginning of the month, the last from its end', () => {
  assertReads({
    'first tuesday of march 2027': '2027-03-02 00:00:00',
    'second tuesday of march 2027': '2027-03-09 00:00:00',
    'third tuesday of march 2027': '2027-03-16 00:00:00',
    'fourth tuesday of march 2027': '2027-03-23 00:00:00',
    'fifth tuesday of march 2027': '2027-03-30 00:00:00',
    'last tuesday of march 2027': '2027-03-30 00:00:00',
    'first monday of march 2027': '2027-03-01 00:00:00',
    'last wednesday of march 2027': '2027-03-31 00:00:00',
    'last sunday of march 2027 7pm': '2027-03-28 19:00:00',
    'fifth monday of february 2027': '2027-03-01 00:00:00',
    'last day of february 2028': '2028-02-29 00:00:00',
    'first day of this month': '2026-11-01 10:30:20',
  })
})

test('a weekday is long or short, with or without a dot, and the last one is never today', () => {
  const names: readonly (readonly [day: string, names: string])[] = [
    ['2026-11-18', 'wed wednes wednesday'],
    ['2026-11-19', 'thu thur thurs thursday'],
    ['2026-11-20', 'fri friday'],
    ['2026-11-21', 'sat saturday'],
    ['2026-11-22', 'sun sunday'],
    ['2026-11-23', 'mon monday'],
    ['2026-11-24', 'tue tues tuesday'],
  ]
  for (const [day, ofDay] of names) {
    for (const name of ofDay.split(' ')) {
      const weekBefore = localDateTimeFromSeconds(Date.parse(day) / 1000 - 7 * 86_400).slice(0, 10)
      assertReads({
        [name]: `${day} 00:00:00`,
        [`${name}. 19:00`]: `${day} 19:00:00`,
        [`this ${name.toUpperCase()}`]: `${day} 00:00:00`,
        [`last ${name}`]: `${weekBefore} 00:00:00`,
        [`previous ${name}`]: `${weekBefore} 00:00:00`,
      })
    }
    assert.equal(canParseDateText(`${ofDay.split(' ')[0]}x`), false)
  }
})

test('each month is read by its name, long and short', () => {
  const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October']
  for (const [index, name] of [...months, 'November', 'December'].entries()) {
    const month = String(index + 1).padStart(2, '0')
    assertReads({
      [`${name} 2027`]: `2027-${month}-01 00:00:00`,
      [`${name.slice(0, 3)}. 9 2027`]: `2027-${month}-09 00:00:00`,
      [`9 ${name.slice(0, 3)} 2027`]: `2027-${month}-09 00:00:00`,
      [`2027 ${name} 9`]: `2027-${month}-09 00:00:00`,
      // The day of a month alone is that of today.
      [name]: `2026-${month}-18 00:00:00`,
    })
  }
})

test('digits alone are Unix seconds, on the clock of UTC', () => {
  for (const [text, localDateTime] of [
    ['1930384800', '2031-03-04 10:00:00'],
    ['20270610', '1970-08-23 14:43:30'],
    ['2027', '1970-01-01 00:33:47'],
    ['@1930384800', '2031-03-04 10:00:00'],
    ['@-5', '1969-12-31 23:59:55'],
  ] as const) {
    assert.deepEqual(parseDateText(text, base), { localDateTime, offsetSeconds: 0, isUnixTime: true })
  }
})

test('an offset or a zone name is told, and the clock stays that of the text', () => {
  const cases: readonly (readonly [string, number | undefined])[] = [
    ['2027-07-10 10:00', undefined],
    ['2027-07-10T10:00:00Z', 0],
    ['2027-07-10T10:00:00+05:30', 19_800],
    ['2027-07-10 10:00 -0400', -14_400],
    ['2027-07-10 10:00 GMT+2', 7200],
    ['2027-07-10 10:00 EST', -18_000],
    ['2027-07-10 10:00 Europe/Paris', 7200],
    ['2027-01-10 10:00 europe/paris', 3600],
  ]
  for (const [text, offset] of cases) {
    const read = parseDateText(text, base)

    assert.equal(read.offsetSeconds, offset, text)
    assert.equal(read.localDateTime.slice(11), '10:00:00', text)
  }
})

test('an abbreviation is the offset of the clocks that have it (rulings.md 32)', () => {
  const winters =
    'NST America/St_Johns,AST America/Halifax,EST America/Toronto,CST America/Winnipeg,MST America/Denver,' +
    'PST America/Los_Angeles,AKST America/Anchorage,HST Pacific/Honolulu,WET Europe/Lisbon,GMT Europe/London,' +
    'CET Europe/Paris,MET Europe/Paris,EET Europe/Helsinki,MSK Europe/Moscow,SAST Africa/Johannesburg,JST Asia/Tokyo,' +
    'KST Asia/Seoul,AWST Australia/Perth,ACDT Australia/Adelaide,AEDT Australia/Sydney,NZDT Pacific/Auckland,Z UTC,UTC UTC'
  const summers =
    'NDT America/St_Johns,ADT America/Halifax,EDT America/Toronto,CDT America/Winnipeg,MDT America/Denver,' +
    'PDT America/Los_Angeles,AKDT America/Anchorage,WEST Europe/Lisbon,BST Europe/London,CEST Europe/Paris,' +
    'MEST Europe/Paris,EEST Europe/Helsinki,ACST Australia/Adelaide,AEST Australia/Sydney,NZST Pacific/Auckland'
  for (const [pairs, month] of [
    [winters, '01'],
    [summers, '07'],
  ] as const) {
    for (const pair of pairs.split(',')) {
      const [letters = '', place = ''] = pair.split(' ')
      const there = parseDateText(`2027-${month}-10 10:00 ${place}`, base)

      assert.deepEqual(parseDateText(`2027-01-10 10:00 ${letters}`, base).offsetSeconds, there.offsetSeconds, letters)
    }
  }
})

test('a clock time that its own zone skips is a moment one hour later on the clock', () => {
  const { localDateTime, offsetSeconds } = parseDateText('2027-03-14 02:30 America/Toronto', base)

  assert.equal(
    localDateTimeAt(secondsOfLocalDateTime(localDateTime) - (offsetSeconds ?? Number.NaN), base.zone),
    '2027-03-14 03:30:00',
  )
})

test('a clock time that comes twice in its own zone is the first', () => {
  assert.equal(parseDateText('2027-11-07 01:30 America/Toronto', base).offsetSeconds, -4 * 3600)
})

test('a time with a dot is that time where its zone skips it, or has it twice', () => {
  for (const day of ['2027-03-14', '2027-11-07']) {
    const dotted = parseDateText(`${day} 1.30 America/Toronto`, base)

    assert.deepEqual(dotted, parseDateText(`${day} 01:30 America/Toronto`, base))
    assert.deepEqual(
      parseDateText(`${day} 2.30am America/Toronto`, base),
      parseDateText(`${day} 02:30 America/Toronto`, base),
    )
  }
})

test('hours pass while days are turned, where clocks change between', () => {
  assertReads({
    '2027-03-13 12:00 +24 hours': '2027-03-14 13:00:00',
    '2027-03-13 12:00 +1 day': '2027-03-14 12:00:00',
  })
})

test('in the second of two equal hours one hour from now is one hour away', () => {
  const secondHalfPastOne = { ...base, nowSeconds: Date.parse('2027-11-07T06:30:00Z') / 1000 }

  assert.equal(parseDateText('+1 hour', secondHalfPastOne).localDateTime, '2027-11-07 02:30:00')
})

test('what is no date is refused', () => {
  for (const text of [
    ...[
      '',
      ' ',
      'x',
      'z',
      'z!',
      'never',
      'nonsense',
      'soon-ish',
      'not a date',
      'utc',
      'Europe/Paris',
      '+02:00',
      'ago',
      'on',
    ],
    ...['2027-13-01', '2027-00-10', '2027-01-00', '2027-01-32', '31/12/2027', '2027-W54', '2027-W00', '2027-367'],
    ...['2027-06-10 25:00', '2027-06-10 10:60', '2027-06-10 10:00:61', '13pm', '0am', '2027-06-10 10'],
    ...['4 mars 2031', '4. März 2031', 'morgen', 'lundi', '明日'],
    ...['0000-00-00 00:00:00', '0000-01-01', '9999-12-31 24:00', '99999999999999', '+9000 years', '-9000 years'],
    ...['+999999999 hours', '2027-06-10T10:00+15:00', '2027-06-10T10:00-12:30', '2027-06-10T10:00+02:60'],
    ...['0', '@0', '1970-01-01', '1970-01-01T00:00:00Z', '1970-01-01T01:00:00+01:00'],
    ...['30.06.27', '25.30', '19.60', '13.30pm', '1.5pm', '7.305', '19.30 2027', '2027-06-10.30'],
    ...['10:00 2027', '2027 10:00', 'today 2027', 'Jan 2 2027 10:00 2027', 'Jan 2 150405', '20270102 250000'],
    ...['20270102 10:00 1504', '20270102 15045', '27-1-2', '27-13-02', 'T', '10:00T', '2027-06-10TT', 'a', 'a monday'],
    ...[
      '+99999999 weekdays',
      '0000 January',
      'Jan 2 10:00 0000',
      '10:00 11:00',
      '2027-01-01 2027-01-02',
      '12.5',
      '-86400',
      `2027-06-10${' '.repeat(100)}`,
    ],
  ]) {
    assert.throws(() => parseDateText(text, base), DateTextError, text)
    assert.equal(canParseDateText(text), false, text)
  }
})

/** Texts that consist of the words and signs of dates. Most are almost dates. */
const nearDates = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '-',
        '/',
        ':',
        '.',
        ' ',
        ',',
        '+',
        'T',
        'Z',
        'am',
        '@',
        'W',
        'of',
        'ago',
        'next',
        'last',
        'first',
        'day',
      ),
      fc.constantFrom(
        'week',
        'weekdays',
        'a',
        '19.30',
        '150405',
        '27-01-02',
        'months',
        'years',
        'hours',
        'monday',
        'march',
        'noon',
        'now',
        'tomorrow',
        'UTC',
        'Europe/Paris',
      ),
      fc.nat({ max: 99 }).map(String),
      fc.nat({ max: 9999 }).map((number) => String(number).padStart(4, '0')),
    ),
    { maxLength: 14 },
  )
  .chain((words) => fc.constantFrom('', ' ').map((gap) => words.join(gap)))

test('any text either parses as a local time or is refused with the declared error', () => {
  fc.assert(
    fc.property(fc.oneof(nearDates, fc.string(), fc.string({ unit: 'binary', maxLength: 200 })), (text) => {
      const isReadable = canParseDateText(text)
      try {
        const { localDateTime } = parseDateText(text, { nowSeconds: 1_800_000_000, zone: zone('UTC') })

        assert.ok(isReadable)
        assert.equal(localDateTimeFromSeconds(secondsOfLocalDateTime(localDateTime)), localDateTime)
      } catch (error) {
        assert.ok(error instanceof DateTextError)
        assert.equal(isReadable, false)
      }
    }),
    { numRuns: runs(400, 2_000) },
  )
})

const moments = fc
  .integer({ min: minLocalDateTimeSeconds, max: maxLocalDateTimeSeconds })
  .filter((seconds) => seconds !== 0)
const monthNames = ['Jan', 'February', 'mar', 'April', 'May', 'JUNE', 'Jul', 'August', 'Sept', 'Oct', 'november', 'Dec']

/** Formatters for each absolute form, from the parts of a local date and time. */
const forms: Readonly<Record<string, (year: string, month: string, day: string, time: string) => string>> = {
  'ISO 8601': (year, month, day, time) => `${year}-${month}-${day}T${time}`,
  'ISO 8601, basic': (year, month, day, time) => `${year}${month}${day}T${time.replaceAll(':', '')}`,
  'year-month-day': (year, month, day, time) => `${year}-${Number(month)}-${Number(day)} ${time}`,
  'year/month/day': (year, month, day, time) => `${year}/${month}/${day} ${time}`,
  'month/day/year': (year, month, day, time) => `${Number(month)}/${Number(day)}/${year} ${time}`,
  'day-month-year': (year, month, day, time) => `${day}-${month}-${year} ${time}`,
  'day.month.year': (year, month, day, time) => `${day}.${month}.${year} ${time}`,
  'day month-name year': (year, month, day, time) => `${Number(day)} ${monthNames[Number(month) - 1]} ${year} ${time}`,
  'month-name day, year': (year, month, day, time) =>
    `${monthNames[Number(month) - 1]} ${Number(day)}, ${year}, ${time}`,
  'month-name day time year': (year, month, day, time) =>
    `${monthNames[Number(month) - 1]} ${Number(day)} ${time} ${year}`,
  'digits alone': (year, month, day, time) => `${year}${month}${day} ${time.replaceAll(':', '')}`,
}

for (const [name, write] of Object.entries(forms)) {
  test(`every date written as ${name} reads back`, () => {
    fc.assert(
      fc.property(moments, (seconds) => {
        const localDateTime = localDateTimeFromSeconds(seconds)

        const text = write(
          localDateTime.slice(0, 4),
          localDateTime.slice(5, 7),
          localDateTime.slice(8, 10),
          localDateTime.slice(11),
        )

        assert.deepEqual(parseDateText(text, base), { localDateTime, offsetSeconds: undefined, isUnixTime: false })
      }),
    )
  })
}

test('every time written with a dot reads back, in both ways of counting hours', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1439 }), fc.constantFrom('', '2027-06-10 ', '10.06.2027, '), (minutes, date) => {
      const hour = Math.floor(minutes / 60)
      const minute = String(minutes % 60).padStart(2, '0')
      const expected = `${String(hour).padStart(2, '0')}:${minute}:00`

      for (const text of [`${hour}.${minute}`, `${hour % 12 || 12}.${minute}${hour < 12 ? 'am' : ' pm'}`]) {
        assert.equal(parseDateText(date + text, base).localDateTime.slice(11), expected, date + text)
      }
    }),
  )
})

test('every Unix second reads back', () => {
  fc.assert(
    fc.property(moments, (seconds) => {
      assert.equal(secondsOfLocalDateTime(parseDateText(`@${seconds}`, base).localDateTime), seconds)
    }),
  )
})

const quarterHours = fc.integer({ min: -48, max: 56 })

test('every offset reads back', () => {
  fc.assert(
    fc.property(quarterHours, (quarters) => {
      const minutes = String((Math.abs(quarters) % 4) * 15).padStart(2, '0')
      const hours = String(Math.floor(Math.abs(quarters) / 4)).padStart(2, '0')

      const text = `2027-06-10T10:00:00${quarters < 0 ? '-' : '+'}${hours}:${minutes}`

      assert.equal(parseDateText(text, base).offsetSeconds, quarters * 900)
    }),
  )
})

for (const name of cities) {
  test(`a clock time with the zone ${name} means the moment that the zone says, gaps and doubled hours included`, () => {
    fc.assert(
      fc.property(secondsAround(name), (asUtc) => {
        const clock = localDateTimeFromSeconds(asUtc)
        fc.pre(epochSecondsOf(clock, zone(name)) !== 0) // The only moment that is not a date.

        const { localDateTime, offsetSeconds } = parseDateText(`${clock} ${name}`, base)

        assert.equal(localDateTime, clock)
        assert.equal(
          secondsOfLocalDateTime(localDateTime) - (offsetSeconds ?? Number.NaN),
          epochSecondsOf(localDateTime, zone(name)),
        )
      }),
    )
  })

  test(`"now" in ${name} is the clock there`, () => {
    fc.assert(
      fc.property(secondsAround(name), (nowSeconds) => {
        fc.pre(localDateTimeAt(nowSeconds, zone(name)) !== '1970-01-01 00:00:00') // Not a date if read without a zone.
        assert.equal(
          parseDateText('now', { nowSeconds, zone: zone(name) }).localDateTime,
          localDateTimeAt(nowSeconds, zone(name)),
        )
      }),
    )
  })
}
