import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rules, starts } from '../../../test/support/arbitraries/rule.arbitrary.ts'
import { runs } from '../../../test/support/long.ts'
import { dayOf, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { parseZone, utcZone } from '../../base/time/zone.ts'
import { isRecurrenceFault, type RecurrenceRule, type RuleDay, WEEKDAYS } from './recurrence.ts'
import { datesOf } from './rule.dates.ts'
import { horizonOf, periodsOf } from './rule.periods.ts'
import { parseRule, ruleText } from './rule.text.ts'

const newYork = parseZone('America/New_York') ?? utcZone
const local = (text: string) => text as LocalDateTime

function ruleOf(text: string, start: LocalDateTime): RecurrenceRule {
  const rule = parseRule(text, { zone: newYork, start })
  if (isRecurrenceFault(rule)) throw new Error(`${text}: ${rule.text}`)
  return rule
}

/** Reads `1997 0902 0904 1998 0101` as days. What cannot begin with a month is a year. */
function daysIn(text: string): readonly string[] {
  let year = ''
  return text.split(' ').flatMap((part) => {
    const isYear = Number(part.slice(0, 2)) > 12
    if (isYear) year = part
    return isYear ? [] : [`${year}-${part.slice(0, 2)}-${part.slice(2)}`]
  })
}

function daysOfRule(text: string, start: LocalDateTime, limit: number): readonly string[] {
  const rule = ruleOf(text, start)
  return datesOf({ rule, dates: [], except: [] }, { start, through: horizonOf(start), limit }).dates.map(dayOf)
}

const weekdays = 'MO,TU,WE,TH,FR'

test('the examples of RFC 5545, 3.8.5.3 have the dates given there', () => {
  const examples: readonly (readonly [start: string, rule: string, days: string])[] = [
    ['1997-09-02', 'FREQ=DAILY;COUNT=10', '1997 0902 0903 0904 0905 0906 0907 0908 0909 0910 0911'],
    ['1997-09-02', 'FREQ=DAILY;INTERVAL=2', '1997 0902 0904 0906 0908'],
    ['1997-09-02', 'FREQ=DAILY;INTERVAL=10;COUNT=5', '1997 0902 0912 0922 1002 1012'],
    ['1997-09-02', 'FREQ=WEEKLY;COUNT=10', '1997 0902 0909 0916 0923 0930 1007 1014 1021 1028 1104'],
    [
      '1997-09-02',
      'FREQ=WEEKLY;INTERVAL=2;WKST=SU',
      '1997 0902 0916 0930 1014 1028 1111 1125 1209 1223 1998 0106 0120',
    ],
    [
      '1997-09-02',
      'FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH',
      '1997 0902 0904 0909 0911 0916 0918 0923 0925 0930 1002',
    ],
    [
      '1997-09-01',
      'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
      '1997 0901 0903 0905 0915 0917 0919 0929 1001 1003 1013 1015 1017 1027 1029 1031 1110 1112 1114 1124 1126 1128 1208 1210 1212 1222',
    ],
    [
      '1997-09-02',
      'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH',
      '1997 0902 0904 0916 0918 0930 1002 1014 1016',
    ],
    ['1997-09-05', 'FREQ=MONTHLY;COUNT=10;BYDAY=1FR', '1997 0905 1003 1107 1205 1998 0102 0206 0306 0403 0501 0605'],
    ['1997-09-05', 'FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR', '1997 0905 1003 1107 1205'],
    [
      '1997-09-07',
      'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
      '1997 0907 0928 1102 1130 1998 0104 0125 0301 0329 0503 0531',
    ],
    ['1997-09-22', 'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO', '1997 0922 1020 1117 1222 1998 0119 0216'],
    ['1997-09-28', 'FREQ=MONTHLY;BYMONTHDAY=-3', '1997 0928 1029 1128 1229 1998 0129 0226'],
    [
      '1997-09-02',
      'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15',
      '1997 0902 0915 1002 1015 1102 1115 1202 1215 1998 0102 0115',
    ],
    [
      '1997-09-30',
      'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
      '1997 0930 1001 1031 1101 1130 1201 1231 1998 0101 0131 0201',
    ],
    [
      '1997-09-10',
      'FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15',
      '1997 0910 0911 0912 0913 0914 0915 1999 0310 0311 0312 0313',
    ],
    [
      '1997-09-02',
      'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU',
      '1997 0902 0909 0916 0923 0930 1104 1111 1118 1125 1998 0106 0113 0120 0127 0303 0310 0317 0324 0331',
    ],
    [
      '1997-06-10',
      'FREQ=YEARLY;COUNT=10;BYMONTH=6,7',
      '1997 0610 0710 1998 0610 0710 1999 0610 0710 2000 0610 0710 2001 0610 0710',
    ],
    [
      '1997-03-10',
      'FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3',
      '1997 0310 1999 0110 0210 0310 2001 0110 0210 0310 2003 0110 0210 0310',
    ],
    ['1997-05-19', 'FREQ=YEARLY;BYDAY=20MO', '1997 0519 1998 0518 1999 0517'],
    [
      '1997-03-13',
      'FREQ=YEARLY;BYMONTH=3;BYDAY=TH',
      '1997 0313 0320 0327 1998 0305 0312 0319 0326 1999 0304 0311 0318 0325',
    ],
    [
      '1997-06-05',
      'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8',
      '1997 0605 0612 0619 0626 0703 0710 0717 0724 0731 0807 0814 0821 0828 1998 0604 0611',
    ],
    [
      '1997-09-13',
      'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
      '1997 0913 1011 1108 1213 1998 0110 0207 0307 0411 0509 0613',
    ],
    [
      '1996-11-05',
      'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
      '1996 1105 2000 1107 2004 1102',
    ],
    ['1997-09-04', 'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', '1997 0904 1007 1106'],
    ['1997-09-29', `FREQ=MONTHLY;BYDAY=${weekdays};BYSETPOS=-2`, '1997 0929 1030 1127 1230 1998 0129 0226 0330'],
    ['1997-08-05', 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO', '1997 0805 0810 0819 0824'],
    ['1997-08-05', 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', '1997 0805 0817 0819 0831'],
    ['2007-01-15', 'FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5', '2007 0115 0130 0215 0315 0330'],
  ]

  for (const [day, rule, days] of examples) {
    const expected = daysIn(days)
    assert.deepEqual(daysOfRule(rule, local(`${day} 09:00:00`), expected.length), expected, rule)
  }
  const start = local('1997-09-02 09:00:00')
  assert.equal(daysOfRule('FREQ=DAILY;UNTIL=19971224T000000Z', start, 1000).length, 113)
  assert.equal(daysOfRule('FREQ=WEEKLY;UNTIL=19971224T000000Z', start, 1000).at(-1), '1997-12-23')
  const january = local('1998-01-01 09:00:00')
  const inJanuary = ['FREQ=YEARLY;BYDAY=SU,MO,TU,WE,TH,FR,SA', 'FREQ=DAILY'].map((rule) =>
    daysOfRule(`${rule};UNTIL=20000131T140000Z;BYMONTH=1`, january, 1000),
  )
  assert.deepEqual(inJanuary[0], inJanuary[1])
  assert.equal(inJanuary[0]?.length, 93)
})

test('Fridays the 13th, without the start that the rule leaves out', () => {
  const start = local('1997-09-02 09:00:00')
  const rule = ruleOf('FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', start)
  const options = { start, through: horizonOf(start), limit: 5 }

  assert.deepEqual(
    datesOf({ rule, dates: [], except: [start] }, options).dates.map(dayOf),
    daysIn('1998 0213 0313 1113 1999 0813 2000 1013'),
  )
})

test('weekdays with and without a number are united', () => {
  const start = local('2027-03-06 19:00:00') // A Saturday. March and May 2027 have five Mondays.
  const expected = daysIn('2027 0306 0307 0313 0314 0320 0321 0327 0328 0329 0403')

  assert.deepEqual(daysOfRule('FREQ=MONTHLY;BYDAY=SA,SU,5MO', start, 10), expected)
  assert.deepEqual(
    daysOfRule('FREQ=MONTHLY;INTERVAL=2;BYDAY=1TU,FR', start, 9),
    daysIn('2027 0306 0312 0319 0326 0504 0507 0514 0521 0528'),
  )
  assert.deepEqual(
    daysOfRule('FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO,SU', start, 7),
    daysIn('2027 0306 0502 0509 0516 0523 0530 0531'),
  )
  assert.deepEqual(
    daysOfRule('FREQ=MONTHLY;BYDAY=-1FR,SA;BYSETPOS=-1;BYMONTH=3,4', start, 4),
    daysIn('2027 0306 0327 0430 2028 0331'),
  )
})

test('the dates of several weekdays are those of each, united', () => {
  const days: fc.Arbitrary<RuleDay> = fc.oneof(
    fc.record({ day: fc.constantFrom(...WEEKDAYS) }),
    fc.record({ day: fc.constantFrom(...WEEKDAYS), ordinal: fc.constantFrom(1, 2, 4, 5, -1, -3, -5) }),
  )
  const monthly = rules.filter(({ frequency }) => frequency === 'MONTHLY' || frequency === 'YEARLY')

  fc.assert(
    fc.property(monthly, fc.array(days, { minLength: 2, maxLength: 5 }), starts, (random, byDay, start) => {
      const { count: _, ...rule } = { ...random, bySetPos: [] }
      const datesWith = (wanted: readonly RuleDay[]) =>
        datesOf(
          { rule: { ...rule, byDay: wanted }, dates: [], except: [] },
          { start, through: horizonOf(start), limit: 5000 },
        ).dates

      const united = new Set(byDay.flatMap((one) => datesWith([one])))
      assert.deepEqual(datesWith(byDay), [...united].sort())
    }),
    { numRuns: runs(200, 2000) },
  )
})

test('positions count the whole first week, also its days before the start', () => {
  const friday = local('2027-01-01 19:00:00')

  assert.deepEqual(daysOfRule('FREQ=WEEKLY;BYDAY=TU,FR;BYSETPOS=1', friday, 3), daysIn('2027 0101 0105 0112'))
  assert.deepEqual(daysOfRule('FREQ=WEEKLY;BYDAY=TU,FR;BYSETPOS=2', friday, 3), daysIn('2027 0101 0108 0115'))
})

test('the start is the first date and counts, even if the rule leaves it out', () => {
  const thursday = local('2027-01-07 19:00:00')

  assert.deepEqual(daysOfRule('FREQ=WEEKLY;BYDAY=FR;COUNT=3', thursday, 10), daysIn('2027 0107 0108 0115'))
  assert.deepEqual(daysOfRule('FREQ=WEEKLY;BYDAY=FR;COUNT=1', thursday, 10), daysIn('2027 0107'))
  assert.deepEqual(daysOfRule('FREQ=WEEKLY;UNTIL=20261231', thursday, 10), daysIn('2027 0107'))
})

test('further dates are added, exceptions left out, and exceptions count for COUNT', () => {
  const start = local('2027-01-01 19:00:00')
  const recurrence = {
    rule: ruleOf('FREQ=WEEKLY;COUNT=3', start),
    dates: [local('2027-01-03 12:00:00'), local('2027-01-08 19:00:00'), local('2028-05-05 19:00:00')],
    except: [local('2027-01-08 19:00:00'), local('2027-02-02 19:00:00')],
  }
  const datesUntil = (through: string, limit: number) => datesOf(recurrence, { start, through: local(through), limit })

  const all = ['2027-01-01 19:00:00', '2027-01-03 12:00:00', '2027-01-15 19:00:00', '2028-05-05 19:00:00']
  assert.deepEqual(datesUntil('2030-01-01 00:00:00', 10), { dates: all, isCut: false })
  assert.deepEqual(datesUntil('2027-01-15 19:00:00', 10), { dates: all.slice(0, 3), isCut: false })
  assert.deepEqual(datesUntil('2030-01-01 00:00:00', 2), { dates: all.slice(0, 2), isCut: true })
  assert.deepEqual(
    datesOf({ ...recurrence, rule: undefined }, { start, through: local('2030-01-01 00:00:00'), limit: 9 }),
    {
      dates: ['2027-01-01 19:00:00', '2027-01-03 12:00:00', '2028-05-05 19:00:00'],
      isCut: false,
    },
  )
})

test('a rule is followed for ten years, and dates after them are reported as missing', () => {
  const start = local('2028-02-29 10:00:00')
  const follow = (text: string, through: string) => {
    const { dates, isCut } = datesOf(
      { rule: ruleOf(text, start), dates: [], except: [] },
      { start, through: local(through), limit: 5000 },
    )
    return [dates.length, dates.at(-1), isCut]
  }

  assert.deepEqual(follow('FREQ=DAILY', '2100-01-01 00:00:00'), [3654, '2038-03-01 10:00:00', true])
  assert.deepEqual(follow('FREQ=DAILY', '2038-02-28 23:59:59'), [3653, '2038-02-28 10:00:00', false])
  assert.deepEqual(follow('FREQ=YEARLY', '2100-01-01 00:00:00'), [3, '2036-02-29 10:00:00', true])
  assert.deepEqual(follow('FREQ=YEARLY;COUNT=3', '2100-01-01 00:00:00'), [3, '2036-02-29 10:00:00', false])
  assert.deepEqual(follow('FREQ=YEARLY;UNTIL=20380101', '2100-01-01 00:00:00'), [3, '2036-02-29 10:00:00', false])
  assert.deepEqual(follow('FREQ=YEARLY;UNTIL=20400301', '2100-01-01 00:00:00'), [3, '2036-02-29 10:00:00', true])
})

test('no date is after the year 9999', () => {
  const start = local('9999-12-30 10:00:00')

  assert.deepEqual(daysOfRule('FREQ=DAILY', start, 10), ['9999-12-30', '9999-12-31'])
  assert.deepEqual(daysOfRule('FREQ=WEEKLY;BYDAY=TH,FR,SA', start, 10), ['9999-12-30', '9999-12-31'])
})

test('a part of the dates is that part of all dates', () => {
  const sizes = fc.tuple(fc.nat({ max: 100 }), fc.nat({ max: 100 }), fc.integer({ min: 1, max: 100 }))

  fc.assert(
    fc.property(rules, starts, sizes, (rule, start, [first, length, limit]) => {
      const all = datesOf({ rule, dates: [], except: [] }, { start, through: horizonOf(start), limit: 5000 }).dates
      const from = all[first] ?? start
      const through = all[first + length] ?? horizonOf(start)
      const except = all.filter((_, index) => index % 3 === 2)

      const part = datesOf({ rule, dates: all.slice(0, 20), except }, { start, from, through, limit })

      const wanted = all.filter((date) => date >= from && date <= through && !except.includes(date))
      assert.deepEqual(part, { dates: wanted.slice(0, limit), isCut: wanted.length > limit }, ruleText(rule))
    }),
    { numRuns: runs(200, 2000) },
  )
})

test('no rule has more periods than there are days in ten years, and none has more days than a year', () => {
  const dearest = [
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;BYMONTHDAY=31;BYDAY=MO;BYSETPOS=2',
    'FREQ=WEEKLY;BYDAY=MO;BYSETPOS=366',
    'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2;COUNT=9999',
    'FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU,53MO,-53MO',
    'FREQ=YEARLY;BYMONTHDAY=1,2,3,28,29,30,31,-1,-2,-31;BYDAY=53SU',
  ].map((text) => ruleOf(text, local('2027-01-01 00:00:00')))
  const maxPeriods = (start: LocalDateTime, rule: RecurrenceRule) => {
    const sizes = [...periodsOf(rule, start)].map(({ length }) => length)
    assert.ok(sizes.length <= 3654, `${ruleText(rule)} has ${sizes.length} periods`)
    assert.ok(Math.max(...sizes) <= 366, ruleText(rule))
  }

  for (const rule of dearest) maxPeriods(local('2027-01-01 00:00:00'), rule)
  fc.assert(fc.property(starts, rules, maxPeriods), { numRuns: runs(100, 2000) })
})
