import type { IndexedPreference } from '../../base/languages/preference.bits.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Flag } from '../../storage/database/tables.ts'

/**
 * The event index, table `event_listings`. It has each published event once for each facet, in the order of lists. A
 * protected event has only the facet of all events: other lists would reveal what the password hides.
 */
export interface EventIndexTable {
  /** The filter value that the entry is for: see `FACETS`. */
  facet: number
  start_local: string
  dated_at: number
  event_id: number
  end_local: string
  start_utc: number
  end_utc: number
  /** The language preferences for which lists show this version of its group: see `preferenceBits`. */
  shown_to: number
  /** Whether the event lasts longer than `longestShortSeconds`. */
  is_long: Flag
}

/** The columns that order and identify the entries of a list. */
export type IndexEntry = Pick<EventIndexTable, 'start_local' | 'dated_at' | 'event_id'>

/** Few events last longer. Lists find them by their ends. */
export const longestShortSeconds = 7 * 86_400

/**
 * The numbers of facets: all events, featured events, and events with a term, venue or organizer. Translations of each
 * other count as one item, with the id of their group.
 */
export const FACETS = {
  all: 0,
  featured: 1,
  term: (groupId: number) => groupId * 4 + 2,
  place: (groupId: number) => groupId * 4 + 3,
} as const

/** The filters of a list as facets. An event must be in at least one facet of each filter. */
export type FacetFilters = readonly (readonly number[])[]

/** One bound of a list. It compares the start or end of an event with a time. */
export interface TimeBound {
  readonly edge: 'start' | 'end'
  readonly operator: '>=' | '<=' | '>' | '<'
  readonly localDateTime: LocalDateTime
}

/** The time window of a list. */
export interface TimeWindow {
  readonly bounds: readonly TimeBound[]
  /**
   * Whether bounds are compared with the instants of events. This is the case on a site in UTC. On other sites they are
   * compared with the local time of each event, in any zone (events.md §1 "Dates").
   */
  readonly isInUtc: boolean
}

/** A query to the index: which events, in which order, and which page. */
export interface IndexQuery {
  readonly window: TimeWindow
  /** Which version of a translated event the list shows. */
  readonly preference: IndexedPreference
  readonly facets: FacetFilters
  readonly isLatestFirst: boolean
  readonly page: number
  readonly perPage: number
}
