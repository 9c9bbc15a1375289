import { endOfDay, type LocalDateTime, startOfDay } from '../../base/time/local.date.time.ts'
import { epochSecondsOf, localDateTimeAt, type Zone } from '../../base/time/zone.ts'
import type { DirectoryEntry } from '../directory/directory.ts'
import type { Picture } from '../media/media.ts'
import type { OrganizerFields } from '../organizers/organizer.ts'
import type { CalendarRecord, RecordId, RenderedRecord } from '../records/record.ts'
import type { Term } from '../terms/term.ts'
import type { TranslationIds } from '../translations/viewer.ts'
import type { VenueFields } from '../venues/venue.ts'
import type { StoredCost } from './event.cost.ts'

export type EventId = RecordId

/**
 * When an event takes place. Local times are on the clock of `zone`; the instants, in whole seconds since 1970 UTC, are
 * derived from them and never disagree.
 */
export interface EventTimes {
  readonly start: LocalDateTime
  readonly end: LocalDateTime
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
export interface RenderedEvent extends RenderedRecord, EventTimes, EventFields {
  readonly customFields: Readonly<Record<string, { readonly label: string; readonly value: unknown }>>
}

/** An event as it is stored. */
export interface CalendarEvent extends RenderedEvent, CalendarRecord {}

/** An event with all that a viewer is shown with it, in the order in which it was linked. */
export interface LinkedEvent extends RenderedEvent {
  readonly image: Picture | undefined
  /** Known only where a language was asked for. */
  readonly translations?: TranslationIds
  readonly venues: readonly DirectoryEntry<VenueFields>[]
  readonly organizers: readonly DirectoryEntry<OrganizerFields>[]
  readonly categories: readonly Term[]
  readonly tags: readonly Term[]
}

/**
 * The times of an event from local start and end (events.md §3, §8 rows 9 and 26): a clock hour that does not exist
 * moves forward, one that occurs twice is the first; whole days run from 00:00:00 to 23:59:59; an end before the start
 * becomes the start, or the end of the first day.
 */
export function timesOf(start: LocalDateTime, end: LocalDateTime, zone: Zone, isAllDay: boolean): EventTimes {
  const startUtc = epochSecondsOf(isAllDay ? startOfDay(start) : start, zone)
  const sentEnd = epochSecondsOf(isAllDay ? endOfDay(end) : end, zone)
  const earliestEnd = isAllDay ? epochSecondsOf(endOfDay(start), zone) : startUtc
  const endUtc = sentEnd < startUtc ? earliestEnd : sentEnd
  return {
    start: localDateTimeAt(startUtc, zone),
    end: localDateTimeAt(endUtc, zone),
    zone,
    startUtc,
    endUtc,
    isAllDay,
  }
}
