import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rules } from '../../../test/support/arbitraries/rule.arbitrary.ts'
import { runs } from '../../../test/support/long.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { parseZone, utcZone } from '../../base/time/zone.ts'
import { isRecurrenceFault } from './recurrence.ts'
import { parseRule, ruleText } from './rule.text.ts'

const context = { zone: parseZone('America/Toronto') ?? utcZone, start: '2027-01-01 19:00:00' as LocalDateTime }

/** Returns the normal form of a rule, or the text of its fault. */
function normal(text: string): string {
  const rule = parseRule(text, context)
  return isRecurrenceFault(rule) ? rule.text : ruleText(rule)
}

test('equal rules have one normal form', () => {
  const cases: readonly (readonly [sent: string, normal: string])[] = [
    ['FREQ=WEEKLY', 'FREQ=WEEKLY'],
    ['RRULE:FREQ=WEEKLY;BYDAY=FR', 'FREQ=WEEKLY;BYDAY=FR'],
    [' rrule:byday=fr,mo,fr;freq=weekly; ', 'FREQ=WEEKLY;BYDAY=MO,FR'],
    ['WKST=MO;INTERVAL=1;FREQ=WEEKLY', 'FREQ=WEEKLY'],
    ['FREQ=WEEKLY;INTERVAL=02;WKST=SU', 'FREQ=WEEKLY;INTERVAL=2;WKST=SU'],
    ['FREQ=MONTHLY;WKST=SU', 'FREQ=MONTHLY'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1,+15,1,-2', 'FREQ=MONTHLY;BYMONTHDAY=1,15,-2,-1'],
    ['FREQ=MONTHLY;BYDAY=+2FR,-1FR,2FR,MO,1MO', 'FREQ=MONTHLY;BYDAY=MO,-1FR,2FR'],
    ['COUNT=5;BYSETPOS=-1;BYDAY=SU,SA;FREQ=MONTHLY', 'FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=-1;COUNT=5'],
    ['FREQ=YEARLY;BYMONTH=12,6', 'FREQ=YEARLY;BYMONTH=6,12'],
    ['FREQ=DAILY;INTERVAL=999;COUNT=9999', 'FREQ=DAILY;INTERVAL=999;COUNT=9999'],
  ]

  for (const [sent, expected] of cases) assert.equal(normal(sent), expected, sent)
})

test('UNTIL is a day in local time, and a time before the start of events ends the day before', () => {
  const cases: readonly (readonly [sent: string, day: string])[] = [
    ['20270618', '20270618'],
    ['2027-06-18', '20270618'],
    ['20270618T190000', '20270618'],
    ['20270618T185959', '20270617'],
    ['20270618T230000Z', '20270618'], // 19:00 in Toronto
    ['20270618T225959Z', '20270617'],
    ['20270619T035959Z', '20270618'],
    ['20270101T000000Z', '20261231'],
    ['20270618T190000-04:00', '20270618'],
    ['20270618T190000+0200', '20270617'],
  ]

  for (const [sent, day] of cases) assert.equal(normal(`FREQ=WEEKLY;UNTIL=${sent}`), `FREQ=WEEKLY;UNTIL=${day}`, sent)
  const rule = parseRule('FREQ=WEEKLY;UNTIL=20270618', context)
  assert.equal('until' in rule ? rule.until : undefined, '2027-06-18 23:59:59')
})

test('what is not supported or not valid is refused by name', () => {
  const refused: readonly (readonly [sent: string, fault: string])[] = [
    ['', 'part'],
    ['WEEKLY', 'part'],
    ['FREQ=WEEKLY;BYHOUR=9', 'part'],
    ['FREQ=WEEKLY;BYMINUTE=9', 'part'],
    ['FREQ=WEEKLY;BYSECOND=9', 'part'],
    ['FREQ=YEARLY;BYWEEKNO=20', 'part'],
    ['FREQ=YEARLY;BYYEARDAY=100', 'part'],
    ['RSCALE=CHINESE;FREQ=YEARLY', 'part'],
    ['FREQ=WEEKLY;X-MINE=1', 'part'],
    ['FREQ=WEEKLY;constructor=1', 'part'],
    ['FREQ=WEEKLY;;BYDAY=FR', 'part'],
    ['RRULE:FREQ=WEEKLY\nRRULE:FREQ=DAILY', 'two-rules'],
    ['FREQ=WEEKLY;FREQ=WEEKLY', 'twice'],
    ['INTERVAL=2', 'FREQ'],
    ['FREQ=HOURLY', 'FREQ'],
    ['FREQ=MINUTELY', 'FREQ'],
    ['FREQ=SECONDLY', 'FREQ'],
    ['FREQ=', 'FREQ'],
    ['FREQ=DAILY;INTERVAL=0', 'INTERVAL'],
    ['FREQ=DAILY;INTERVAL=1000', 'INTERVAL'],
    ['FREQ=DAILY;INTERVAL=1.5', 'INTERVAL'],
    ['FREQ=DAILY;INTERVAL', 'INTERVAL'],
    ['FREQ=DAILY;COUNT=0', 'COUNT'],
    ['FREQ=DAILY;COUNT=-1', 'COUNT'],
    ['FREQ=DAILY;COUNT=10000', 'COUNT'],
    ['FREQ=DAILY;UNTIL=20270230', 'UNTIL'],
    ['FREQ=DAILY;UNTIL=tomorrow', 'UNTIL'],
    ['FREQ=DAILY;UNTIL=20270101T250000', 'UNTIL'],
    ['FREQ=DAILY;BYMONTH=13', 'BYMONTH'],
    ['FREQ=DAILY;BYMONTH=-1', 'BYMONTH'],
    ['FREQ=DAILY;BYMONTH=6,', 'BYMONTH'],
    ['FREQ=DAILY;BYMONTHDAY=0', 'BYMONTHDAY'],
    ['FREQ=DAILY;BYMONTHDAY=32', 'BYMONTHDAY'],
    ['FREQ=WEEKLY;BYDAY=FRI', 'BYDAY'],
    ['FREQ=WEEKLY;BYDAY=', 'BYDAY'],
    ['FREQ=MONTHLY;BYDAY=0FR', 'BYDAY'],
    ['FREQ=MONTHLY;BYDAY=-FR', 'BYDAY'],
    ['FREQ=YEARLY;BYDAY=54FR', 'BYDAY'],
    ['FREQ=MONTHLY;BYDAY=FR;BYSETPOS=367', 'BYSETPOS'],
    ['FREQ=WEEKLY;WKST=1', 'WKST'],
    ['FREQ=DAILY;COUNT=3;UNTIL=20270601', 'count-and-until'],
    ['FREQ=WEEKLY;BYDAY=1FR', 'ordinal'],
    ['FREQ=DAILY;BYDAY=-1FR', 'ordinal'],
    ['FREQ=WEEKLY;BYMONTHDAY=15', 'weekly-month-day'],
    ['FREQ=MONTHLY;BYSETPOS=1', 'position'],
    [`FREQ=WEEKLY;BYDAY=${'MO,'.repeat(400)}MO`, 'long'],
  ]

  for (const [sent, fault] of refused) assert.equal(normal(sent), `fault.recurrence.${fault}`, sent)
})

test('the normal form is read as the same rule, in any order of its parts', () => {
  fc.assert(
    fc.property(rules, fc.func(fc.integer()), (random, order) => {
      const rule = parseRule(ruleText(random), context)
      assert.ok(!isRecurrenceFault(rule), ruleText(random))
      const text = ruleText(rule)

      const shuffled = text.split(';').sort((one, other) => order(one, other))
      assert.deepEqual(parseRule(text, context), rule)
      assert.equal(normal(shuffled.join(';').toLowerCase()), text)
    }),
    { numRuns: runs(500, 5000) },
  )
})

test('no text makes the reader fail', () => {
  const word = fc.constantFrom(
    ...'FREQ INTERVAL COUNT UNTIL BYDAY BYMONTH WKST = ; , : - + WEEKLY MO 1 2027 T Z'.split(' '),
  )
  const texts = fc.oneof(
    fc.string(),
    fc.array(word).map((words) => words.join('')),
  )

  fc.assert(
    fc.property(texts, (text) => {
      assert.equal(typeof normal(text), 'string')
    }),
    { numRuns: runs(1000, 20_000) },
  )
})
