import fc from 'fast-check'
import { addSeconds, type LocalDateTime } from '../../../src/base/time/local.date.time.ts'
import {
  FREQUENCIES,
  type RecurrenceRule,
  type RuleDay,
  WEEKDAYS,
} from '../../../src/calendar/recurrence/recurrence.ts'

const firstStart = '9976-01-01 00:00:00' as LocalDateTime

/**
 * A start between 9976 and 9988, so that 10 years follow. Other programs search until the year 9999 if a rule never
 * matches. The calendar is that of 1976 to 1988, because it repeats every 400 years.
 */
export const starts: fc.Arbitrary<LocalDateTime> = fc
  .tuple(fc.nat({ max: 12 * 365 }), fc.nat({ max: 24 * 60 - 1 }))
  .map(([day, minute]) => addSeconds(firstStart, day * 86_400 + minute * 60))

const few = <T>(one: fc.Arbitrary<T>) => fc.oneof(fc.constant([]), fc.uniqueArray(one, { minLength: 1, maxLength: 4 }))
const counted = (most: number, usual: number) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: usual }) },
    { weight: 2, arbitrary: fc.integer({ min: -usual, max: -1 }) },
    { weight: 1, arbitrary: fc.integer({ min: -most, max: most }).filter((number) => number !== 0) },
  )
const plainDays = few(fc.constantFrom(...WEEKDAYS)).map((days) => days.map((day): RuleDay => ({ day })))
const ordinalDays = (most: number) =>
  few(fc.record({ day: fc.constantFrom(...WEEKDAYS), ordinal: counted(most, 5) })) as fc.Arbitrary<RuleDay[]>

/** How a rule ends, with UNTIL at the end of a day as `parseRule` gives it. */
const ends = fc.oneof(
  fc.constant({}),
  fc.record({ count: fc.integer({ min: 1, max: 60 }) }),
  fc.nat({ max: 23 * 365 }).map((day) => ({ until: addSeconds(firstStart, (day + 1) * 86_400 - 1) })),
)

/**
 * A rule as `parseRule` gives it, with each part in any order. Its weekdays are all plain or all numbered: ports of
 * python-dateutil find no dates for both together.
 */
export const rules: fc.Arbitrary<RecurrenceRule> = fc
  .tuple(fc.constantFrom(...FREQUENCIES), ends)
  .chain(([frequency, end]) => {
    const isLong = frequency === 'MONTHLY' || frequency === 'YEARLY'
    return fc.record({
      frequency: fc.constant(frequency),
      end: fc.constant(end),
      interval: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 6 }) }, fc.integer({ min: 1, max: 999 })),
      byDay: isLong ? fc.oneof(plainDays, ordinalDays(frequency === 'YEARLY' ? 53 : 5)) : plainDays,
      byMonthDay: frequency === 'WEEKLY' ? fc.constant([]) : few(counted(31, 31)),
      byMonth: few(fc.integer({ min: 1, max: 12 })),
      bySetPos: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, few(counted(366, 5))),
      weekStart: frequency === 'WEEKLY' ? fc.constantFrom(...WEEKDAYS) : fc.constant('MO' as const),
    })
  })
  .map(({ end, bySetPos, ...rule }) => {
    const isAlone = [rule.byDay, rule.byMonthDay, rule.byMonth].every(({ length }) => length === 0)
    return { ...rule, ...end, bySetPos: isAlone ? [] : bySetPos }
  })
