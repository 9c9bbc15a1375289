import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { LocalDateTime } from '../../src/base/time/local.date.time.ts'
import { parseZone, utcZone } from '../../src/base/time/zone.ts'
import { isRecurrenceFault } from '../../src/calendar/recurrence/recurrence.ts'
import { parseRule, ruleText } from '../../src/calendar/recurrence/rule.text.ts'
import { noRepeat, recurrenceIn, repeatValues } from '../../src/desk/events/repeat.rule.ts'
import { rules } from '../support/arbitraries/rule.arbitrary.ts'
import { runs } from '../support/long.ts'

// Friday, the first one of February.
const start = '2030-02-01 19:00'
const context = { zone: parseZone('America/Toronto') ?? utcZone, start: `${start}:00` as LocalDateTime }

/** Returns the normal form of a rule. */
function normal(text: string): string {
  const rule = parseRule(text, context)
  return isRecurrenceFault(rule) ? rule.text : ruleText(rule)
}

test('each choice of the form is a rule, and shows again as the same choice', () => {
  const cases: readonly (readonly [fields: Readonly<Record<string, string>>, rrule: string | undefined])[] = [
    [{ repeat: 'weekly' }, 'FREQ=WEEKLY'],
    [{ repeat: 'weekly', repeat_days: 'TU,TH' }, 'FREQ=WEEKLY;BYDAY=TU,TH'],
    [
      { repeat: 'fortnightly', repeat_ends: 'until', repeat_until: '2030-06-18' },
      'FREQ=WEEKLY;INTERVAL=2;UNTIL=20300618',
    ],
    [{ repeat: 'monthly', repeat_ends: 'count', repeat_count: '10' }, 'FREQ=MONTHLY;COUNT=10'],
    [{ repeat: 'monthly-weekday' }, 'FREQ=MONTHLY;BYDAY=1FR'],
    [{ repeat: 'yearly' }, 'FREQ=YEARLY'],
    [{ repeat: 'custom', repeat_interval: '3', repeat_unit: 'DAILY' }, 'FREQ=DAILY;INTERVAL=3'],
    [
      { repeat: 'custom', repeat_interval: '3', repeat_unit: 'WEEKLY', repeat_days: 'MO' },
      'FREQ=WEEKLY;INTERVAL=3;BYDAY=MO',
    ],
    [{ repeat: 'custom', repeat_unit: 'MONTHLY', repeat_month_day: '1,-1' }, 'FREQ=MONTHLY;BYMONTHDAY=1,-1'],
    [
      { repeat: 'custom', repeat_unit: 'MONTHLY', repeat_nth: '-1', repeat_days: 'TU,FR' },
      'FREQ=MONTHLY;BYDAY=-1TU,-1FR',
    ],
    [{ repeat: 'custom', repeat_interval: '2', repeat_unit: 'YEARLY' }, 'FREQ=YEARLY;INTERVAL=2'],
    [
      { repeat: 'rule', repeat_rule: 'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1;COUNT=4' },
      'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1;COUNT=4',
    ],
    [{ repeat: 'dates', repeat_dates: '2030-02-08\n2030-02-12 20:00' }, undefined],
  ]

  for (const [fields, rrule] of cases) {
    const sent = recurrenceIn({ ...noRepeat, ...fields, start })
    assert.equal(sent?.rrule, rrule, JSON.stringify(fields))
    assert.ok(sent)
    const shown = repeatValues(sent, start)
    for (const [name, value] of Object.entries(fields)) assert.equal(shown[name], value, `${name} of ${rrule}`)
  }
  assert.equal(recurrenceIn({ ...noRepeat, repeat_days: 'MO', repeat_until: '2030-06-18', start }), undefined)
  assert.deepEqual(
    recurrenceIn({ ...noRepeat, repeat: 'dates', repeat_dates: '2030-02-12 20:00\n\n2030-02-08', start }),
    {
      dates: ['2030-02-12 20:00:00', '2030-02-08'],
      except: [],
    },
  )
})

test('every rule that the service stores is shown by fields that say the same rule', () => {
  fc.assert(
    fc.property(rules, (rule) => {
      const rrule = normal(ruleText(rule))
      fc.pre(rrule.startsWith('FREQ'))
      const values = repeatValues({ rrule, dates: [], except: [] }, start)
      assert.equal(normal(recurrenceIn({ ...values, start })?.rrule ?? ''), rrule)
    }),
    { numRuns: runs(200, 5000) },
  )
})
