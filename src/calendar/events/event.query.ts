import type { PageRequest } from '../../access/http/paging.ts'
import type { IndexedPreference } from '../../base/languages/preference.bits.ts'
import type { SearchTerms } from '../../base/text/fold.ts'
import type { StatusFilter } from '../records/record.arguments.ts'
import type { SearchArea } from './event.area.repository.ts'
import type { EventWindow } from './event.window.ts'

/** What a list of events is asked for. */
export interface EventQuery extends PageRequest {
  readonly window: EventWindow
  readonly status: StatusFilter | undefined
  /** Which version of translated events is listed. */
  readonly preference: IndexedPreference
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
  /** Public lists only; by default the earliest stand first. */
  readonly isLatestFirst?: boolean
}
