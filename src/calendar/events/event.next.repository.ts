import type { RawBuilder } from 'kysely'
import { countClasses } from '../index/daily.counts.repository.ts'
import { classFromKey } from '../index/event.classes.ts'
import { FACETS, type IndexEntry } from '../index/event.index.ts'
import { type FirstDate, listFirstDates } from '../index/first.dates.repository.ts'
import { type EntriesOfPage, type IndexRange, indexEntriesWith } from '../index/index.entries.repository.ts'
import { mostSkipped, startOfPage } from '../index/late.page.repository.ts'
import type { ReadContext } from '../translations/viewer.ts'
import type { IndexListPlan, NextLimits } from './event.list.plan.ts'
import { entriesOfIds, selectIds } from './event.selection.repository.ts'
import { isOfNoSeries, isOfSeries, onlyOfClasses } from './event.shown.repository.ts'

/**
 * A list that has more dates of series than `mostWalked`, and few other events among them, is not read as a range: it
 * would skip dates for too long.
 */
const usualLimits: Omit<NextLimits, 'mostLookedUp'> = { mostWalked: 20_000, fewOthers: 0.1, mostSkipped }

/** Entries of the event index among which a page begins. */
export interface PageEntries {
  readonly entries: RawBuilder<IndexEntry>
  /** The number of entries before the page. */
  readonly offset: number
  /** Returns the number of all events of the list. */
  count(): Promise<number>
}

/** Where a page begins, and in which order. */
export interface PagePlace {
  readonly offset: number
  readonly isLatestFirst: boolean
  /** The number of its events. Undefined: all that follow. */
  readonly perPage?: number
}

/**
 * Returns the entries of a list that is a range of the event index, if it shows only the first date of each series.
 * Reads no other dates.
 */
export async function nextEntries(context: ReadContext, plan: IndexListPlan, page: PagePlace): Promise<PageEntries> {
  const { db, dialect } = context
  const { offset, isLatestFirst } = page
  const { window } = plan.query
  const { shown, nextLimits = usualLimits } = plan
  const rangeOf = (condition: typeof isOfSeries): IndexRange => ({
    window,
    isOfClass: onlyOfClasses(shown, condition).isOfClass,
  })
  const others = rangeOf(isOfNoSeries)
  const [firsts, numbers] = await Promise.all([
    listFirstDates(db, rangeOf(isOfSeries)),
    countClasses(db, { window, isOfClass: shown.isOfClass }),
  ])
  const numberOf = (ofSeries: boolean) =>
    [...numbers].reduce((sum, [name, number]) => sum + (classFromKey(name).isOfSeries === ofSeries ? number : 0), 0)
  const [otherCount, dateCount] = [numberOf(false), numberOf(true)]
  const count = async () => otherCount + firsts.length
  if (dateCount > nextLimits.mostWalked && otherCount < dateCount * nextLimits.fewOthers) {
    const filters = [{ facets: [FACETS.all] }]
    const ids = await selectIds(context, { ...plan, filters, shown: onlyOfClasses(shown, isOfNoSeries) })
    return { entries: entriesOfIds(context, [...ids, ...firsts.map(({ id }) => id)]), offset, count }
  }
  // Before an event of the list there are at most as many dates as there are series.
  const passed = offset - firsts.length
  const start =
    passed > nextLimits.mostSkipped ? await startOfPage(db, others, { offset: passed, isLatestFirst }) : undefined
  const range = start?.range ?? others
  const kept = firsts.filter((first) => isWithin(first, range))
  const skipped = start ? passed - start.offset + firsts.length - kept.length : 0
  const ids = kept.map(({ id }) => id)
  const entries = indexEntriesWith(range, { dialect, ids }, entriesOfPage(context, page, offset - skipped))
  return { entries, offset: offset - skipped, count }
}

/** @param offset The number of entries before the page. */
export function entriesOfPage(
  { dialect }: ReadContext,
  { perPage, isLatestFirst }: PagePlace,
  offset: number,
): EntriesOfPage | undefined {
  return perPage === undefined ? undefined : { dialect, isLatestFirst, limit: offset + perPage }
}

function isWithin({ start }: FirstDate, { within: { from, to } = {} }: IndexRange): boolean {
  return (from === undefined || start >= from) && (to === undefined || start <= to)
}
