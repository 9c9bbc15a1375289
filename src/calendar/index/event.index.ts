import type { IndexedPreference } from '../../base/languages/preference.bits.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Flag } from '../../storage/database/tables.ts'

/**
 * The event index, table `event_listings`: each published event once per facet, in the order of lists. Of a protected
 * event it has only the facet of all: a list by what the password hides would tell it.
 */
export interface EventIndexTable {
  /** What a list can be filtered by: see `FACETS`. */
  facet: number
  start_local: string
  dated_at: number
  event_id: number
  end_local: string
  start_utc: number
  end_utc: number
  /** The language preferences under which it is the version of its group that is shown: see `preferenceBits`. */
  shown_to: number
  /** Whether it lasts longer than `longestShortSeconds`. */
  is_long: Flag
}

/** What a list is ordered by and made of. */
export type IndexEntry = Pick<EventIndexTable, 'start_local' | 'dated_at' | 'event_id'>

/** Events that last longer are few. They are found by their ends. */
export const longestShortSeconds = 7 * 86_400

/**
 * The numbers of facets: all events, the featured ones, and those with a term, venue or organizer. Translations of each
 * other count as one, under the id of their group.
 */
export const FACETS = {
  all: 0,
  featured: 1,
  term: (groupId: number) => groupId * 4 + 2,
  place: (groupId: number) => groupId * 4 + 3,
} as const

/** The filters of a list as facets: an event has to be in one facet of each filter. */
export type FacetFilters = readonly (readonly number[])[]

/** One bound of a list: events whose start or end compares so to a time. */
export interface TimeBound {
  readonly edge: 'start' | 'end'
  readonly operator: '>=' | '<=' | '>' | '<'
  readonly localDateTime: LocalDateTime
}

/** The times that a list is asked for. */
export interface TimeWindow {
  readonly bounds: readonly TimeBound[]
  /**
   * Whether bounds are compared with the instants of events: so on a site on the clock of UTC. Everywhere else they are
   * compared with their own local time, whatever their zone (events.md §1 "Dates").
   */
  readonly isInUtc: boolean
}

/** What the index is asked for: which events, in which order, and which page of them. */
export interface IndexQuery {
  readonly window: TimeWindow
  /** Which version of translated events is listed. */
  readonly preference: IndexedPreference
  readonly facets: FacetFilters
  readonly isLatestFirst: boolean
  readonly page: number
  readonly perPage: number
}
