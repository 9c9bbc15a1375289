import { endOfDay, type LocalDateTime, startOfDay } from '../../../base/time/local.date.time.ts'
import { epochSecondsOf, localDateTimeAt, type Zone } from '../../../base/time/zone.ts'
import type { DirectoryEntry } from '../../directory/directory.ts'
import type { Picture } from '../../media/media.ts'
import type { SeriesMembership } from '../../occurrences/occurrence.ts'
import type { OrganizerFields } from '../../organizers/organizer.ts'
import type { FieldValues } from '../../records/field.ts'
import type { CalendarRecord, RecordId, RenderedRecord } from '../../records/record.ts'
import type { Term } from '../../terms/term.ts'
import type { TranslationIds } from '../../translations/viewer.ts'
import type { VenueFields } from '../../venues/venue.ts'
import type { StoredCost } from './cost.ts'
import type { valueFields } from './event.fields.ts'
import type { EventState } from './state.ts'

export type EventId = RecordId

/** The times of an event, as local time in `zone`. */
interface LocalTimes {
  readonly start: LocalDateTime
  readonly end: LocalDateTime
  readonly zone: Zone
  readonly isAllDay: boolean
}

/** The day of drafts that have no date yet, because the interface needs one. No draft with it becomes public. */
export const NO_DAY = '9999-01-01'

/** Whether the start of an event is that of a draft without a date. */
export function isNoDate(start: string): boolean {
  return start.startsWith(NO_DAY)
}

/**
 * The same times with their instants, in whole seconds since 1970 UTC. The instants are derived from the local times.
 */
export interface EventTimes extends LocalTimes {
  readonly startUtc: number
  readonly endUtc: number
}

/** The fields of an event besides the shared part of a record, its times and its links. */
export interface EventFields extends FieldValues<typeof valueFields.fields>, EventState {
  readonly cost: StoredCost
}

/** The shown part of an event, without linked items. */
export interface RenderedEvent extends RenderedRecord, EventTimes, EventFields {
  /** The original of the series of which it is a date. */
  readonly seriesId: number | undefined
  /** The end of its address, if it is a date of a series. Otherwise its slug is. */
  readonly path: string | undefined
  readonly customFields: Readonly<Record<string, { readonly label: string; readonly value: unknown }>>
}

export interface CalendarEvent extends RenderedEvent, CalendarRecord {}

/** An event with the linked items that a viewer may see, in the order of its links. */
export interface LinkedEvent extends RenderedEvent {
  readonly image: Picture | undefined
  /** Undefined if it is not a date of a series. */
  readonly membership?: SeriesMembership | undefined
  /** Known only if the request names a language. */
  readonly translations?: TranslationIds
  readonly venues: readonly DirectoryEntry<VenueFields>[]
  readonly organizers: readonly DirectoryEntry<OrganizerFields>[]
  readonly categories: readonly Term[]
  readonly tags: readonly Term[]
}

/**
 * Returns the times of an event from local start and end (events.md §3, §8 rows 9 and 26). A local time that does not
 * exist moves forward. A local time that occurs twice means the first. Whole days run from 00:00:00 to 23:59:59. An end
 * before the start becomes the start, or the end of the first day.
 */
export function timesOf({ start, end, zone, isAllDay }: LocalTimes): EventTimes {
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
