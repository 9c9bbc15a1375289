import type { CalendarEvent, DateTime, Venue } from './api.generated.ts'

/** The moment that a time in UTC names; undefined where it is all zeros, which stands for none. */
export function utcDate(time: DateTime): Date | undefined {
  const date = new Date(`${time.replace(' ', 'T')}Z`)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** The moment at which an event starts. */
export function startOf({ utc_start_date: time }: Pick<CalendarEvent, 'utc_start_date'>): Date {
  return momentOf(time)
}

/** The moment at which an event ends. */
export function endOf({ utc_end_date: time }: Pick<CalendarEvent, 'utc_end_date'>): Date {
  return momentOf(time)
}

/** The venues of an event, which are most often one or none. */
export function venuesOf({ venue }: Pick<CalendarEvent, 'venue'>): readonly Venue[] {
  return Array.isArray(venue) ? venue : [venue as Venue]
}

/** @throws RangeError, where an event has no time: the service answers none such */
function momentOf(time: DateTime): Date {
  const date = utcDate(time)
  if (!date) throw new RangeError(`${time} is no moment.`)
  return date
}
