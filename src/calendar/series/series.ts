import type { Language } from '../../base/languages/language.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { CalendarEvent, EventTimes } from '../events/model/event.ts'
import type { EventState } from '../events/model/state.ts'
import type { SeriesSegment } from '../occurrences/occurrence.ts'
import type { RecordStatus } from '../records/record.ts'

// What happens again and again: docs/decisions/0059-series.md.

export type { SeriesScope } from '../events/model/series.arguments.ts'

/** The maximum number of segments of a series. */
export const maxSegments = 20

/** The maximum number of dates that the daily job adds in one write. */
export const datesAtOnce = 200

/** What a write did to the dates of a series. Translations of a date count once. */
export interface SeriesCounts {
  readonly added: number
  readonly dropped: number
  readonly changed: number
}

export const noCounts: SeriesCounts = { added: 0, dropped: 0, changed: 0 }

/** A series: its template in each of its languages, and its rules. */
export interface Series {
  /** The original of its templates. */
  readonly id: number
  /** The original first. */
  readonly templates: readonly [CalendarEvent, ...CalendarEvent[]]
  readonly segments: readonly SeriesSegment[]
  /** Dates until this local time exist. */
  readonly madeUntil: LocalDateTime
  readonly isEndless: boolean
  /** The number of changes of its rules and times. */
  readonly sequence: number
}

export interface SeriesDate extends EventTimes, EventState {
  readonly eventId: number
  readonly language: Language
  readonly groupId: number
  readonly authorId: number
  readonly recurrenceId: LocalDateTime
  readonly path: string
  readonly ownFields: readonly string[]
  readonly isDropped: boolean
  readonly status: RecordStatus
  readonly statusBeforeTrash: RecordStatus | undefined
  readonly slug: string
  readonly datedAt: number
  readonly isDated: boolean
  /** Whether the operator sells tickets for it. */
  readonly hasTickets: boolean
}

export function eventIdsOf(dates: readonly Pick<SeriesDate, 'eventId'>[]): readonly number[] {
  return dates.map(({ eventId }) => eventId)
}

/** Whether a date is one of the dates that its series has now. It may still be in the trash. */
export function isLive({ isDropped }: Pick<SeriesDate, 'isDropped'>): boolean {
  return !isDropped
}
