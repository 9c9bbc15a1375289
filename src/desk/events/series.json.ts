import type { Series, SeriesDates } from '../api/answers.ts'
import type { ApiAnswer } from '../api/desk.api.ts'
import type { OwnCall } from '../shell/desk.call.ts'

export type SeriesJson = Series
/** A rule of a series, and from when on it counts. */
type SegmentJson = Series['segments'][number]
export type SeriesDateJson = SeriesDates['dates'][number]

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
): Promise<SeriesDates> {
  const { status, body } = await api.service<SeriesDates>({ path: `/series/${id}/dates`, query })
  return status === 200 ? body : { dates: [], next_cursor: null }
}

/** Returns the rule that gave a date. */
export function segmentOf({ segments }: SeriesJson, recurrenceId: string): SegmentJson | undefined {
  return segments.findLast(({ from }) => from <= recurrenceId) ?? segments[0]
}
