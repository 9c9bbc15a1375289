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

const versions = new WeakMap<object, number>()

/**
 * Returns the version of a record, as of the response that it came with: send it as `ifMatch`, so that you do not
 * overwrite a change that you have not seen. Undefined for records in lists, which have none.
 */
export function versionOf(record: object): number | undefined {
  return versions.get(record)
}

/** Remembers the version of the record in a response, which only a header has. */
export function rememberVersion(record: unknown, version: string | null): void {
  if (version !== null && typeof record === 'object' && record !== null) versions.set(record, Number(version))
}

/** @throws RangeError, if an event has no time, which no response of the service contains */
function momentOf(time: DateTime): Date {
  const date = utcDate(time)
  if (!date) throw new RangeError(`${time} is no moment.`)
  return date
}
