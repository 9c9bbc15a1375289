import type { RecurrenceContext, RecurrenceFault, RecurrenceRule } from './recurrence.ts'

/** Reads a rule, with or without `RRULE:`. Names may be in any letter case. */
export function parseRule(_text: string, _context: RecurrenceContext): RecurrenceRule | RecurrenceFault {
  throw new Error('unfinished')
}

/** Returns the normal form of a rule: equal rules have equal texts. */
export function ruleText(_rule: RecurrenceRule): string {
  throw new Error('unfinished')
}
