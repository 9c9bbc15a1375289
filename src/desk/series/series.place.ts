import { countsQuery, type DateCounts } from '../events/series.counts.ts'
import { type DeskAnswer, withParameters } from '../shell/desk.call.ts'

const dayPattern = /^\d{4}-\d\d-\d\d$/
const cursorPattern = /^[\w.:-]{1,100}$/

/** The dates of a series that its page shows: those from a day on, or those after a page. */
export interface SeriesPlace {
  readonly from?: string | undefined
  readonly after?: string | undefined
}

/** Returns the place in an address, or in the `back` field of a form. Values that are invalid count as absent. */
export function placeIn(query: URLSearchParams): SeriesPlace {
  const only = (name: string, pattern: RegExp) => {
    const value = query.get(name) ?? ''
    return pattern.test(value) ? value : undefined
  }
  return { from: only('from', dayPattern), after: only('after', cursorPattern) }
}

/** Returns what the `back` field of a form says. */
export function backOf({ from, after }: SeriesPlace): string {
  return withParameters('', { from, after }).slice(1)
}

/** Returns the address of the page of a series at a place. */
export function seriesAt(id: string | number, { from, after }: SeriesPlace): string {
  return withParameters(`/admin/series/${id}/`, { from, after })
}

interface Done {
  readonly done: string
  readonly back: string
  /** The date that was changed. The page is shown at its row. */
  readonly event?: string | undefined
  /** Its other languages that went with it. */
  readonly others?: readonly number[]
  readonly counts?: DateCounts | undefined
}

/** Returns to the place from which a form was sent, with a message about what was done. */
export function backToSeries(id: string, { done, back, event, others = [], counts }: Done): DeskAnswer {
  const place = placeIn(new URLSearchParams(back))
  const path = withParameters(`/admin/series/${id}/`, {
    ...place,
    done,
    id: event,
    with: others.length > 0 ? others.join('.') : undefined,
  })
  return { kind: 'see', path: `${path}${countsQuery(counts)}${event === undefined ? '' : `#e-${event}`}` }
}
