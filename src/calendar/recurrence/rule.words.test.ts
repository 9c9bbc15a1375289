import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rules, starts } from '../../../test/support/arbitraries/rule.arbitrary.ts'
import { runs } from '../../../test/support/long.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { utcZone } from '../../base/time/zone.ts'
import { readRecurrence } from './recurrence.text.ts'
import { isRecurrenceFault } from './recurrence.ts'
import { ruleInWords } from './rule.words.ts'

const friday = '2027-06-18 19:00:00' as LocalDateTime

/** Returns a recurrence in English and in French, with plain spaces. */
function said(sent: unknown, start = friday): readonly string[] {
  const recurrence = readRecurrence(sent, { zone: utcZone, start, isAllDay: false })
  if (isRecurrenceFault(recurrence)) throw new Error(recurrence.text)
  return (['en', 'fr'] as const).map((language) =>
    ruleInWords(recurrence, { start, language }).replaceAll(/[\u00a0\u2009]/g, ' '),
  )
}

test('rules are said as people say them', () => {
  const cases: readonly (readonly [rule: string, english: string, french: string])[] = [
    ['FREQ=DAILY', 'every day', 'tous les jours'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', 'every day', 'tous les jours'],
    ['FREQ=DAILY;INTERVAL=2', 'every second day', 'un jour sur deux'],
    ['FREQ=DAILY;INTERVAL=10;COUNT=5', 'every 10 days, 5 times', 'tous les 10 jours, 5 fois'],
    ['FREQ=DAILY;BYMONTH=7,8', 'every day, only in July and August', 'tous les jours, seulement en juillet et août'],
    [
      'FREQ=DAILY;INTERVAL=3;BYDAY=MO,FR;BYMONTHDAY=1,-1',
      'every 3 days, only on the 1st and the last day, only on Monday and Friday',
      'tous les 3 jours, seulement le 1er et le dernier jour, seulement le lundi et le vendredi',
    ],
    ['FREQ=WEEKLY', 'every Friday', 'tous les vendredis'],
    ['FREQ=WEEKLY;BYDAY=TU,TH', 'every Tuesday and Thursday', 'tous les mardis et jeudis'],
    ['FREQ=MONTHLY;BYDAY=TU,TH,SU', 'every Tuesday, Thursday and Sunday', 'tous les mardis, jeudis et dimanches'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'every weekday', 'tous les jours du lundi au vendredi'],
    [
      'FREQ=WEEKLY;INTERVAL=2;UNTIL=20280618',
      'every second Friday until June 18, 2028',
      'un vendredi sur deux jusqu’au 18 juin 2028',
    ],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;UNTIL=20280701',
      'every second week on Tuesday and Thursday until July 1, 2028',
      'une semaine sur deux, le mardi et le jeudi jusqu’au 1er juillet 2028',
    ],
    ['FREQ=WEEKLY;INTERVAL=3;COUNT=1', 'every 3 weeks on Friday, 1 time', 'toutes les 3 semaines, le vendredi, 1 fois'],
    [
      'FREQ=WEEKLY;BYDAY=MO,FR;BYSETPOS=1',
      'every Monday and Friday, of these dates only the first day in each week',
      'tous les lundis et vendredis, et de ces dates seulement le premier jour de chaque semaine',
    ],
    ['FREQ=MONTHLY', 'the 18th of every month', 'le 18 de chaque mois'],
    [
      'FREQ=MONTHLY;BYMONTHDAY=1,2,3,21,-1',
      'the 1st, the 2nd, the 3rd, the 21st and the last day of every month',
      'le 1er, le 2, le 3, le 21 et le dernier jour de chaque mois',
    ],
    [
      'FREQ=MONTHLY;BYMONTHDAY=-3',
      'the 3rd to last day of every month',
      'le 3e jour en partant de la fin de chaque mois',
    ],
    ['FREQ=YEARLY;BYMONTHDAY=15', 'the 15th of every month', 'le 15 de chaque mois'],
    ['FREQ=MONTHLY;BYDAY=1FR', 'the first Friday of every month', 'le premier vendredi de chaque mois'],
    [
      'FREQ=MONTHLY;BYDAY=FR;BYSETPOS=1,3',
      'the first Friday and the third Friday of every month',
      'le premier vendredi et le troisième vendredi de chaque mois',
    ],
    [
      'FREQ=MONTHLY;INTERVAL=2;BYDAY=-1TH',
      'every second month on the last Thursday',
      'un mois sur deux, le dernier jeudi',
    ],
    [
      'FREQ=MONTHLY;INTERVAL=3;BYDAY=-2TH',
      'every 3 months on the second to last Thursday',
      'tous les 3 mois, l’avant-dernier jeudi',
    ],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
      'the last weekday of every month',
      'le dernier jour de semaine de chaque mois',
    ],
    [
      'FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1',
      'the first Saturday or Sunday of every month',
      'le premier samedi ou dimanche de chaque mois',
    ],
    [
      'FREQ=MONTHLY;BYDAY=SA,SU,5MO',
      'the fifth Monday, every Saturday and every Sunday of every month',
      'le cinquième lundi, tous les samedis et tous les dimanches de chaque mois',
    ],
    [
      'FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR',
      'the 13th of every month, only on Friday',
      'le 13 de chaque mois, seulement le vendredi',
    ],
    [
      'FREQ=MONTHLY;BYMONTHDAY=1,3;BYSETPOS=-1',
      'the 1st and the 3rd of every month, of these dates only the last day in each month',
      'le 1er et le 3 de chaque mois, et de ces dates seulement le dernier jour de chaque mois',
    ],
    ['FREQ=YEARLY', 'every year on June 18', 'chaque année, le 18 juin'],
    ['FREQ=YEARLY;INTERVAL=2', 'every second year on June 18', 'tous les deux ans, le 18 juin'],
    [
      'FREQ=YEARLY;INTERVAL=4;BYMONTH=4,10;BYMONTHDAY=1',
      'every 4 years on April 1 and October 1',
      'tous les 4 ans, le 1er avril et le 1er octobre',
    ],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', 'every year on February 29', 'chaque année, le 29 février'],
    [
      'FREQ=YEARLY;BYMONTH=6,7,8;BYMONTHDAY=1,15',
      'every year on the 1st and the 15th of June, of July and of August',
      'chaque année, le 1er et le 15 de juin, de juillet et d’août',
    ],
    [
      'FREQ=YEARLY;INTERVAL=2;BYMONTHDAY=1',
      'every second year on the 1st of every month',
      'tous les deux ans, le 1er de chaque mois',
    ],
    [
      'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH',
      'every year on the fourth Thursday of November',
      'chaque année, le quatrième jeudi de novembre',
    ],
    [
      'FREQ=MONTHLY;BYMONTH=4,7;BYDAY=2SA',
      'every year on the second Saturday of April and of July',
      'chaque année, le deuxième samedi d’avril et de juillet',
    ],
    ['FREQ=YEARLY;BYDAY=20MO', 'every year on the 20th Monday of the year', 'chaque année, le 20e lundi de l’année'],
  ]

  for (const [rrule, ...expected] of cases) assert.deepEqual(said({ rrule }), expected, rrule)
})

test('further dates and exceptions are counted', () => {
  const rrule = 'FREQ=WEEKLY;UNTIL=20271231'
  const [one, two] = [['2027-07-01'], ['2027-07-01', '2027-07-02']]

  assert.deepEqual(said({ rrule, dates: one, except: ['2027-06-25', '2027-07-09', '2027-07-16'] }), [
    'every Friday until December 31, 2027, and 1 more date, except 3 dates',
    'tous les vendredis jusqu’au 31 décembre 2027, et 1 autre date, sauf 3 dates',
  ])
  assert.deepEqual(said({ rrule, dates: two, except: ['2027-06-25'] }), [
    'every Friday until December 31, 2027, and 2 more dates, except 1 date',
    'tous les vendredis jusqu’au 31 décembre 2027, et 2 autres dates, sauf 1 date',
  ])
})

test('without a rule, the dates are counted from the first to the last', () => {
  assert.deepEqual(said({ dates: ['2027-07-01', '2027-09-01'] }), [
    'on 3 dates, June 18–September 1, 2027',
    '3 dates, du 18 juin au 1er septembre 2027',
  ])
  assert.deepEqual(said({ dates: ['2027-07-01', '2027-07-02'], except: ['2027-06-18', '2027-07-02'] }), [
    'on July 1, 2027',
    'le 1er juillet 2027',
  ])
})

test('every rule can be said, differently in each language', () => {
  fc.assert(
    fc.property(rules, starts, (rule, start) => {
      const [english = '', french = ''] = (['en', 'fr'] as const).map((language) =>
        ruleInWords({ rule, dates: [], except: [] }, { start, language }),
      )

      assert.notEqual(english, french)
      assert.doesNotMatch(`${english} ${french}`, /[{}]|undefined|NaN| {2}/)
    }),
    { numRuns: runs(300, 3000) },
  )
})
