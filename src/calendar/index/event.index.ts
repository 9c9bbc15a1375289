import type { RawBuilder, SqlBool } from 'kysely'
import {
  type LocalDateTime,
  localDateTimeFromSeconds,
  secondsOfLocalDateTime,
} from '../../base/time/local.date.time.ts'
import { daysBefore1970, placesOfDay } from '../../storage/database/schema/derived.ts'
import type { Flag } from '../../storage/database/tables.ts'

/** A row of the table `listed_events`: an event of any status, with what lists need to find, show and order it. */
export interface ListedEvent {
  /** The day on which it begins, then its id: see `placeOf`. */
  readonly place: number
  readonly event_id: number
  readonly start_local: string
  readonly dated_at: number
  readonly end_local: string
  readonly start_utc: number
  readonly end_utc: number
  /** Whether the event lasts longer than `longestShortSeconds`. */
  readonly is_long: Flag
  readonly status: string
  readonly language: string
  readonly author_id: number
  /** The id of the original of its translations. Null without translations. */
  readonly group_id: number | null
  readonly is_hidden: Flag
  readonly is_protected: Flag
  readonly has_venue: Flag
  /** The lists of its own status that show it, one bit for each language preference. */
  readonly shown_alone: number
  /** The lists of all statuses except the trash that show it. */
  readonly shown_among_all: number
  /** The original of the series of which it is a date. */
  readonly series_id: number | null
  /** The numbers of its facets, in order: see `FACETS`. The table `event_facets` has a row for each. */
  readonly facets: string
}

/** The columns of `listed_events`, in their order. */
export const listedColumns = [
  ...['place', 'event_id', 'start_local', 'dated_at', 'end_local', 'start_utc', 'end_utc', 'is_long'],
  ...['status', 'language', 'author_id', 'group_id', 'is_hidden', 'is_protected', 'has_venue'],
  ...['shown_alone', 'shown_among_all', 'series_id', 'facets'],
] as readonly (keyof ListedEvent)[]

/** The columns that order and identify the entries of a list. */
export type IndexEntry = Pick<ListedEvent, 'start_local' | 'dated_at' | 'event_id'>

/** Few events last longer. Lists find them by their ends. */
export const longestShortSeconds = 7 * 86_400

/**
 * The numbers of facets, which are the properties by which lists filter. Translations of each other count as one term,
 * venue or organizer, with the id of their group. Events that are scheduled have no facet for their status, and those that
 * people attend on site have none for their attendance.
 */
export const FACETS = {
  featured: 1,
  ticketed: 2,
  term: (groupId: number) => groupId * 8 + 4,
  place: (groupId: number) => groupId * 8 + 5,
  series: (seriesId: number) => seriesId * 8 + 7,
  state: (word: StateFacet) => stateNumbers[word],
} as const

/** The columns `event_status` and `attendance`, except their usual values. */
const stateNumbers = { canceled: 11, postponed: 19, rescheduled: 27, moved_online: 35, online: 43, mixed: 51 } as const
export type StateFacet = keyof typeof stateNumbers

export function isStateFacet(word: string): word is StateFacet {
  return Object.hasOwn(stateNumbers, word)
}

/** A filter of a list: events must have at least one of some facets, or none of them. */
export interface FacetFilter {
  readonly facets: readonly number[]
  readonly isWithout?: boolean
}

/** A range of places, both included. */
export interface PlaceRange {
  readonly from: number
  readonly to: number
}

/**
 * A condition on a row of `listed_events`.
 *
 * @param entry The name of the table in the query.
 * @param within The places among which the row is; undefined for few rows at any place.
 */
export type EntryCondition = (entry: string, within: PlaceRange | undefined) => RawBuilder<SqlBool>

const daySeconds = 86_400

export function placeOf(startLocal: string, id: number): number {
  return firstPlaceOf(startLocal) + id
}

/** Returns the place before all events that begin on the day of a local time. */
export function firstPlaceOf(localDateTime: string): number {
  const seconds = secondsOfLocalDateTime(localDateTime as LocalDateTime)
  return (Math.floor(seconds / daySeconds) + daysBefore1970) * placesOfDay
}

/** Returns the place after all events that begin on the day of a local time. */
export function lastPlaceOf(localDateTime: string): number {
  return firstPlaceOf(localDateTime) + placesOfDay - 1
}

/** Returns the beginning of the day of this many days before or after an instant, in UTC. */
export function startOfUtcDay(seconds: number, days: number): LocalDateTime {
  return localDateTimeFromSeconds((Math.floor(seconds / daySeconds) + days) * daySeconds)
}

/** One bound of a list. It compares the start or end of an event with a time. */
export interface TimeBound {
  readonly edge: 'start' | 'end'
  readonly operator: '>=' | '<=' | '>' | '<'
  readonly localDateTime: LocalDateTime
}

export interface TimeWindow {
  readonly bounds: readonly TimeBound[]
  /**
   * Whether bounds are compared with the instants of events. This is the case on a site in UTC. On other sites they are
   * compared with the local time of each event, in any zone (events.md §1 "Dates").
   */
  readonly isInUtc: boolean
}
