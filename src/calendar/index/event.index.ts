import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Flag } from '../../storage/database/tables.ts'

/** A row of the table `event_order`: an event of any status, with what lists need to find and order it. */
export interface EventOrderTable {
  event_id: number
  /** See `EventClass`. */
  class: string
  start_local: string
  dated_at: number
  end_local: string
  start_utc: number
  end_utc: number
  /** Whether the event lasts longer than `longestShortSeconds`. */
  is_long: Flag
  /** The numbers of its facets, in order: see `FACETS`. */
  facets: string
  /** The series of which the event is a date. */
  series_id: number | null
}

/** The columns that order and identify the entries of a list. */
export type IndexEntry = Pick<EventOrderTable, 'start_local' | 'dated_at' | 'event_id'>

/** Few events last longer. Lists find them by their ends. */
export const longestShortSeconds = 7 * 86_400

/**
 * The numbers of facets, which are the properties by which lists filter. There is a set of events for each. Translations
 * of each other count as one term, venue or organizer, with the id of their group. Only events
 * that are unpublished or protected have the facet of their author. Events that are scheduled have no facet for their
 * status, and those that people attend on site have none for their attendance.
 */
export const FACETS = {
  all: 0,
  featured: 1,
  ticketed: 2,
  term: (groupId: number) => groupId * 8 + 4,
  place: (groupId: number) => groupId * 8 + 5,
  author: (userId: number) => userId * 8 + 6,
  series: (seriesId: number) => seriesId * 8 + 7,
  state: (word: StateFacet) => stateNumbers[word],
} as const

/** The columns `event_status` and `attendance`, except their usual values. */
const stateNumbers = { canceled: 11, postponed: 19, rescheduled: 27, moved_online: 35, online: 43, mixed: 51 } as const
export type StateFacet = keyof typeof stateNumbers

export function isStateFacet(word: string): word is StateFacet {
  return Object.hasOwn(stateNumbers, word)
}

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
