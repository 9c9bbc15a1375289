import { dayNumber, type LocalDateTime, partsOfLocalDateTime, weekdayOf } from '../../base/time/local.date.time.ts'
import { type RecurrenceRule, WEEKDAYS } from './recurrence.ts'
import { periodsOf } from './rule.periods.ts'

/** Returns the same rule with the days that it takes from its start, so that it gives the same days from any of them. */
export function withDaysOfStart(rule: RecurrenceRule, start: LocalDateTime): RecurrenceRule {
  const { frequency, byDay, byMonth, byMonthDay } = rule
  const { year, month, day } = partsOfLocalDateTime(start)
  if (byDay.length > 0 || frequency === 'DAILY') return rule
  if (frequency === 'WEEKLY') {
    const weekday = WEEKDAYS[weekdayOf(dayNumber(year, month, day))] ?? 'MO'
    return { ...rule, byDay: [{ day: weekday }] }
  }
  if (byMonthDay.length > 0) return rule
  const months = frequency === 'YEARLY' && byMonth.length === 0 ? [month] : byMonth
  return { ...rule, byMonth: months, byMonthDay: [day] }
}

/** Whether a rule that starts at this time gives this very time. */
export function isDateOfRule(rule: RecurrenceRule, start: LocalDateTime): boolean {
  const { year, month, day } = partsOfLocalDateTime(start)
  const [first] = periodsOf(rule, start)
  return first?.includes(dayNumber(year, month, day)) ?? false
}
