import type { Recurrence, RecurrenceContext, RecurrenceFault } from './recurrence.ts'

/**
 * Reads what repeats: `{rrule, dates, except}`, or lines of iCalendar (RRULE, RDATE, EXDATE), for which ical.js is
 * loaded.
 */
export async function readRecurrence(
  _sent: unknown,
  _context: RecurrenceContext & { readonly isAllDay: boolean },
): Promise<Recurrence | RecurrenceFault> {
  throw new Error('unfinished')
}
