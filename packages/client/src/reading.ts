import type { CalendarEvent, DateTime, Venue } from './api.generated.ts'

/** Returns the moment of a time in UTC, or undefined if it is all zeros, which means no time. */
export function utcDate(time: DateTime): Date | undefined {
  const date = new Date(`${time.replace(' ', 'T')}Z`)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** Returns the moment at which an event starts. */
export function startOf({ utc_start_date: time }: Pick<CalendarEvent, 'utc_start_date'>): Date {
  return momentOf(time)
}

/** Returns the moment at which an event ends. */
export function endOf({ utc_end_date: time }: Pick<CalendarEvent, 'utc_end_date'>): Date {
  return momentOf(time)
}

/** Returns the venues of an event, usually one or none. */
export function venuesOf({ venue }: Pick<CalendarEvent, 'venue'>): readonly Venue[] {
  return Array.isArray(venue) ? venue : [venue as Venue]
}

/** @throws RangeError, if an event has no time, which no response of the service contains */
function momentOf(time: DateTime): Date {
  const date = utcDate(time)
  if (!date) throw new RangeError(`${time} is no moment.`)
  return date
}
