import { classFromKey } from '../index/event.classes.ts'
import { FACETS } from '../index/event.index.ts'
import { firstOfSeries, listSeriesIds } from '../index/first.dates.repository.ts'
import { IdSet } from '../index/id.set.ts'
import { type PartsQuery, readSetParts } from '../index/set.parts.repository.ts'
import { visitMembers } from '../index/set.segments.ts'
import type { Selection, VisitSelected } from '../index/set.selection.ts'
import type { ReadContext } from '../translations/viewer.ts'

/** The sets that were read for a selection. */
export interface SelectedSets extends Omit<PartsQuery, 'facets'> {
  /** Up to this number, looking up the series of dates costs less than reading the sets of all series. */
  readonly mostLookedUp?: number
}

const usuallyLookedUp = 500

/** Finds the dates of series among the events that it visits. */
export class DatesOfSeries {
  readonly found = new IdSet()
  readonly #isOfSeries = new Map<string, boolean>()

  visit: VisitSelected = ({ ids, length }, className) => {
    const isDate = this.#isOfSeries.get(className) ?? classFromKey(className).isOfSeries
    this.#isOfSeries.set(className, isDate)
    if (isDate) this.found.addAll(ids, length)
  }
}

/** Leaves out of selected events all dates of a series except the first one. */
export async function onlyNextDates(
  context: ReadContext,
  selection: Selection,
  { dates, mostLookedUp = usuallyLookedUp, ...sets }: SelectedSets & { readonly dates: IdSet },
): Promise<Selection> {
  const number = dates.count()
  if (number === 0) return selection
  const firsts =
    number <= mostLookedUp
      ? await firstOfSeries(context.db, context.dialect, [...dates])
      : await firstInSets(context, dates, sets)
  return selection.without(dates.andNot(IdSet.of(firsts)))
}

/** The events of a series on its first day. */
interface FirstDay {
  readonly day: number
  readonly ids: number[]
}

/** Returns the first of these dates of each series, from the sets of the series. */
async function firstInSets(context: ReadContext, wanted: IdSet, sets: SelectedSets): Promise<readonly number[]> {
  const facets = (await listSeriesIds(context.db)).map(FACETS.series)
  const parts = await readSetParts(context, { ...sets, facets })
  const firstDays = new Map<number, FirstDay>()
  for (const { facet, members } of parts) {
    let first = firstDays.get(facet)
    visitMembers(members, (day, id) => {
      if ((first && day > first.day) || !wanted.has(id)) return
      if (first && day === first.day) first.ids.push(id)
      else first = { day, ids: [id] }
    })
    if (first) firstDays.set(facet, first)
  }
  const found = [...firstDays.values()]
  const alone = found.flatMap(({ ids }) => (ids.length === 1 ? ids : []))
  // Days have no order: the times of several dates on one day are compared.
  const several = found.flatMap(({ ids }) => (ids.length === 1 ? [] : ids))
  return [...alone, ...(await firstOfSeries(context.db, context.dialect, several))]
}
