import type { LanguagePreference } from '../../base/languages/chain.ts'
import type { SearchTerms } from '../../base/text/fold.ts'
import type { TimeWindow } from '../index/event.index.ts'
import type { StatusFilter } from '../records/record.arguments.ts'
import type { SearchArea } from './event.area.repository.ts'

/** What a list of events is asked for. Ids of linked records and terms name all versions of each. */
export interface EventQuery {
  readonly page: number
  readonly perPage: number
  readonly window: TimeWindow
  readonly status: StatusFilter | undefined
  /** Which version of translated events is listed. */
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
  readonly hasTickets: boolean | undefined
  /** True: the venue, in the version that is shown, has coordinates. */
  readonly hasPlace: boolean
  readonly around: SearchArea | undefined
  /** Lists for visitors only; by default the earliest events come first. */
  readonly isLatestFirst?: boolean
}
