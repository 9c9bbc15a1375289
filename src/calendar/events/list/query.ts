import type { LanguagePreference } from '../../../base/languages/chain.ts'
import type { SearchTerms } from '../../../base/text/fold.ts'
import type { TimeWindow } from '../../index/event.index.ts'
import type { StatusFilter } from '../../records/record.arguments.ts'
import type { ModifiedRange } from '../../records/record.modified.repository.ts'
import type { Attendance, EventStatus } from '../model/state.ts'
import type { SearchArea } from './area.repository.ts'

/** Another order than that of lists. `created` is the order in which the events were stored. */
export interface EventOrder {
  readonly by: 'title' | 'status' | 'modified' | 'published' | 'created'
  readonly isDescending: boolean
}

/** The query of a list of events. Ids of linked records and terms stand for all their versions. */
export interface EventQuery {
  readonly page: number
  readonly perPage: number
  readonly window: TimeWindow
  readonly status: StatusFilter | undefined
  /** Which version of a translated event the list shows. */
  readonly preference: LanguagePreference
  /** Folded. */
  readonly search: SearchTerms | undefined
  readonly categoryIds: readonly number[] | undefined
  readonly tagIds: readonly number[] | undefined
  readonly venueIds: readonly number[] | undefined
  readonly organizerIds: readonly number[] | undefined
  readonly isFeatured: boolean | undefined
  readonly ids: readonly number[] | undefined
  /** All versions of the parent. */
  readonly parentIds: readonly number[] | undefined
  /** The series, by the id of its original, whose dates are asked for as its children. */
  readonly parentSeriesId?: number
  /** Only dates of these series, by the ids of their originals. */
  readonly seriesIds?: readonly number[] | undefined
  /** Of each series, only its first date in the list. */
  readonly isNextOnly?: boolean
  readonly hasTickets: boolean | undefined
  readonly eventStatuses: readonly EventStatus[] | undefined
  readonly attendances: readonly Attendance[] | undefined
  /** True: the shown version of the venue has coordinates. */
  readonly hasPlace: boolean
  readonly around: SearchArea | undefined
  /** Default: the earliest events come first. */
  readonly isLatestFirst?: boolean
  readonly modified?: ModifiedRange | undefined
  /** Another order than that of the starts. */
  readonly order?: EventOrder
  /** Only events that do not exist in this language. */
  readonly withoutLanguage?: string | undefined
  readonly hasNoVenue?: boolean
}
