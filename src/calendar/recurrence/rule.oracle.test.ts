import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import rrule from 'rrule'
import { rules, starts } from '../../../test/support/arbitraries/rule.arbitrary.ts'
import {
  addMonths,
  dayNumber,
  type LocalDateTime,
  partsOfLocalDateTime,
  weekdayOf,
} from '../../base/time/local.date.time.ts'
import { type RecurrenceRule, WEEKDAYS } from './recurrence.ts'
import { datesOf } from './rule.dates.ts'
import { horizonOf } from './rule.periods.ts'
import { ruleText } from './rule.text.ts'

/** `RECURRENCE_RULES=20000` is the long form. */
const numRuns = Number(process.env.RECURRENCE_RULES ?? 1000)
const maxCompared = 200

/** Returns the rule in the subset that the `rrule` package reads as RFC 5545 says. */
function comparable(rule: RecurrenceRule, start: LocalDateTime): RecurrenceRule {
  // The package takes the first date for a negative position beyond the set. The last one is in every set, and a weekday
  // is in each month four times.
  const hasFour = rule.byMonthDay.length === 0 && rule.byDay.some(({ ordinal }) => ordinal === undefined)
  const least = hasFour && ['MONTHLY', 'YEARLY'].includes(rule.frequency) ? -4 : -1
  const bySetPos = rule.bySetPos.filter((position) => position >= least)
  // It counts the positions of the first week from the start, and not from the beginning of the week.
  const { year, month, day } = partsOfLocalDateTime(start)
  const startDay = WEEKDAYS[weekdayOf(dayNumber(year, month, day))] ?? 'MO'
  return {
    ...rule,
    bySetPos,
    weekStart: bySetPos.length > 0 && rule.frequency === 'WEEKLY' ? startDay : rule.weekStart,
  }
}

/**
 * Returns the dates by the `rrule` package. Sorts, ends and counts them itself: for several positions, the package may
 * give a date twice, and not in order.
 */
function expectedDates({ count, until, ...rule }: RecurrenceRule, start: LocalDateTime): readonly LocalDateTime[] {
  const horizon = horizonOf(start)
  const options = rrule.RRule.parseString(ruleText(rule))
  const last = until !== undefined && until < horizon ? until : horizon
  const oracle = new rrule.RRule({ ...options, dtstart: asUtc(start), until: asUtc(addMonths(last, 12)) })
  const found = oracle.all((_, index) => index < 6 * maxCompared).map(localOf)
  const wanted = found.filter((date) => date <= last)
  return [...new Set([start, ...wanted])].sort().slice(0, Math.min(count ?? maxCompared, maxCompared))
}

function asUtc(local: LocalDateTime): Date {
  return new Date(`${local.replace(' ', 'T')}Z`)
}

function localOf(date: Date): LocalDateTime {
  return date.toISOString().slice(0, 19).replace('T', ' ') as LocalDateTime
}

test('random rules have the dates that another program finds', () => {
  let withDates = 0

  fc.assert(
    fc.property(rules, starts, (random, start) => {
      const rule = comparable(random, start)

      const { dates } = datesOf(
        { rule, dates: [], except: [] },
        { start, through: horizonOf(start), limit: maxCompared },
      )

      assert.deepEqual(dates, expectedDates(rule, start), `${start} ${ruleText(rule)}`)
      if (dates.length > 1) withDates += 1
    }),
    { numRuns },
  )
  assert.ok(withDates > numRuns / 2, `${withDates} rules have a second date`)
})
