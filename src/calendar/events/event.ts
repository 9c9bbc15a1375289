import { endOfDay, startOfDay, type Wall } from '../../base/time/wall.ts'
import { utcOf, wallAt, type Zone } from '../../base/time/zone.ts'
import type { Entry } from '../directory/directory.ts'
import type { Picture } from '../media/media.ts'
import type { OrganizerFields } from '../organizers/organizer.ts'
import type { CalendarRecord, RecordId, ShownRecord } from '../records/record.ts'
import type { Term } from '../terms/term.ts'
import type { Translations } from '../translations/viewer.ts'
import type { VenueFields } from '../venues/venue.ts'
import type { StoredCost } from './event.cost.ts'

export type EventId = RecordId

/**
 * When an event takes place. Local times are on the clock of `zone`; the instants, in whole seconds since 1970 UTC, are
 * derived from them and never disagree.
 */
export interface EventTimes {
  readonly start: Wall
  readonly end: Wall
  readonly zone: Zone
  readonly startUtc: number
  readonly endUtc: number
  readonly isAllDay: boolean
}

/** What an event has besides the shared part of a record, its times and its links. */
export interface EventFields {
  readonly cost: StoredCost
  /** Undefined where none was ever set, which is shown as the event's own page; `''` where it was cleared. */
  readonly website: string | undefined
  readonly showMap: boolean
  readonly showMapLink: boolean
  readonly isHidden: boolean
  readonly isSticky: boolean
  readonly isFeatured: boolean
}

/** What is shown of an event by itself. */
export interface ShownEvent extends ShownRecord, EventTimes, EventFields {
  readonly customFields: Readonly<Record<string, { readonly label: string; readonly value: unknown }>>
}

/** An event as it is stored. */
export interface CalendarEvent extends ShownEvent, CalendarRecord {}

/** An event with all that a viewer is shown with it, in the order in which it was linked. */
export interface LinkedEvent extends ShownEvent {
  readonly image: Picture | undefined
  /** Known only where a language was asked for. */
  readonly translations?: Translations
  readonly venues: readonly Entry<VenueFields>[]
  readonly organizers: readonly Entry<OrganizerFields>[]
  readonly categories: readonly Term[]
  readonly tags: readonly Term[]
}

/**
 * The times of an event from local start and end (events.md §3, §8 rows 9 and 26): a clock hour that does not exist
 * moves forward, one that occurs twice is the first; whole days run from 00:00:00 to 23:59:59; an end before the start
 * becomes the start, or the end of the first day.
 */
export function timesOf(start: Wall, end: Wall, zone: Zone, isAllDay: boolean): EventTimes {
  const startUtc = utcOf(isAllDay ? startOfDay(start) : start, zone)
  const sentEnd = utcOf(isAllDay ? endOfDay(end) : end, zone)
  const earliestEnd = isAllDay ? utcOf(endOfDay(start), zone) : startUtc
  const endUtc = sentEnd < startUtc ? earliestEnd : sentEnd
  return { start: wallAt(startUtc, zone), end: wallAt(endUtc, zone), zone, startUtc, endUtc, isAllDay }
}
