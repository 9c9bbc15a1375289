import { type DateCounts, withCounts } from '../events/series.counts.ts'
import { type DeskAnswer, type OwnCall, type Told, withParameters } from '../shell/desk.call.ts'
import { tellAt } from '../shell/told.ts'

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

interface Done extends Pick<Told, 'undo'> {
  readonly done: 'added' | 'joined' | 'removed' | 'returned' | 'ended' | 'trashed' | 'restored' | 'translated'
  readonly back: string
  /** The date that was changed. The page is shown at its row. */
  readonly event?: string | undefined
  readonly counts?: DateCounts | undefined
}

export type SeriesDone = Done['done']

/** Returns to the place from which a form was sent, with a message about what was done. */
export function backToSeries(call: OwnCall, id: string, { done, back, event, undo, counts }: Done): DeskAnswer {
  const path = seriesAt(id, placeIn(new URLSearchParams(back)))
  const text = withCounts(call, call.say(`series.${done}`), counts)
  return tellAt(call, event === undefined ? path : `${path}#e-${event}`, { text, undo })
}
