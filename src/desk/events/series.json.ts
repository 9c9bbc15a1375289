import type { ApiAnswer } from '../api/desk.api.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { RecurrenceJson } from './repeat.rule.ts'

interface TimesJson {
  readonly start_date: string
  readonly end_date: string
  readonly timezone: string
  readonly all_day: boolean
}

/** A rule of a series, and from when on it counts. */
export interface SegmentJson extends TimesJson, RecurrenceJson {
  readonly from: string
  readonly rrule: string
  /** The rule in words. */
  readonly text: string
}

/** A series, as the interface shows it. */
export interface SeriesJson extends TimesJson {
  readonly id: number
  /** The ids of its versions, by language. */
  readonly translations: Readonly<Record<string, number>>
  readonly language: string
  readonly status: string
  readonly title: string
  readonly url: string
  readonly text: string
  readonly segments: readonly SegmentJson[]
  /** Until when the dates of a series without an end exist. */
  readonly dates_until: string | null
}

/** A date of a series. */
export interface SeriesDateJson extends TimesJson {
  readonly event_id: number
  readonly recurrence_id: string
  readonly status: string
  readonly event_status: string
  readonly is_dropped: boolean
  readonly own_fields: readonly string[]
}

interface SeriesDatesJson {
  readonly dates: readonly SeriesDateJson[]
  readonly next_cursor: string | null
}

export function readSeries({ api }: OwnCall, id: number): Promise<ApiAnswer<SeriesJson>> {
  return api.service<SeriesJson>({ path: `/series/${id}` })
}

/** Reads dates of a series in its language. */
export async function readDates(
  { api }: OwnCall,
  id: number,
  query: {
    readonly from?: string
    readonly to?: string
    readonly cursor?: string | undefined
    readonly per_page: number
  },
): Promise<SeriesDatesJson> {
  const { status, body } = await api.service<SeriesDatesJson>({ path: `/series/${id}/dates`, query })
  return status === 200 ? body : { dates: [], next_cursor: null }
}

/** Returns the rule that gave a date. */
export function segmentOf({ segments }: SeriesJson, recurrenceId: string): SegmentJson | undefined {
  return segments.findLast(({ from }) => from <= recurrenceId) ?? segments[0]
}
