import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Zone } from '../../base/time/zone.ts'
import type { Recurrence } from '../recurrence/recurrence.ts'

// Which events are dates of series: docs/decisions/0059-series.md. The room `series` writes them.

/** A part of a series with rules of its own. The beginning of the next one ends it. */
export interface SeriesSegment {
  /** No other segment ever gets it. 0 if it is not stored yet. */
  readonly id: number
  readonly position: number
  /** Its dates begin at or after this local time. */
  readonly from: LocalDateTime
  /** The times of its first date. The times of all its dates follow from them. */
  readonly start: LocalDateTime
  readonly end: LocalDateTime
  readonly zone: Zone
  readonly isAllDay: boolean
  readonly recurrence: Recurrence
}

/** What makes an event a date of a series. */
export interface SeriesMembership {
  readonly eventId: number
  /** The original of the translations of the series. */
  readonly seriesId: number
  /** The template in the language of the event, or the original if the series has no template in that language. */
  readonly templateId: number
  /** The local start that the rules gave the date. It stays if the date is moved. */
  readonly recurrenceId: LocalDateTime
  /** The end of its address, for life: `yoga/2030-01-31`, `yoga/2030-01-31/2`. */
  readonly path: string
  /** Names of the arguments in which the date does not follow the series. */
  readonly ownFields: readonly string[]
  /** Whether the series no longer has this date. */
  readonly isDropped: boolean
  /** The slug of the template. */
  readonly base: string
  readonly rules: readonly SeriesSegment[]
  /** Whether the reader may change the series. Others know no further dates and exceptions: see `publicRule`. */
  readonly isWhole: boolean
  /** Dates until this local time exist. Undefined if the series ends, because all dates exist then. */
  readonly madeUntil: LocalDateTime | undefined
}
