import { type RawBuilder, sql } from 'kysely'
import { windowDays } from '../index/certain.days.ts'
import { FACETS, type IndexEntry, type TimeWindow } from '../index/event.index.ts'
import { IdSet } from '../index/id.set.ts'
import { type PartsQuery, readSetParts } from '../index/set.parts.repository.ts'
import { placeOfDay } from '../index/set.segments.ts'
import { combineSets, Selected } from '../index/set.selection.ts'
import { startRange, windowConditions } from '../index/time.window.repository.ts'
import { beyondEnd } from '../index/whole.days.ts'
import { type ModifiedRange, modifiedConditions } from '../records/record.modified.repository.ts'
import { findEvents } from '../search/search.find.repository.ts'
import type { ReadContext } from '../translations/viewer.ts'
import type { IndexListPlan } from './event.list.plan.ts'
import { onlyNextDates } from './event.next.selection.repository.ts'

/** The times of more long events are not compared with a window one by one if those that end after it can be read. */
const usualLongCompared = 2000

/** Whether a list is selected by sets. All others are ranges of the event index. */
export function isBySets({ filters, shown, query }: IndexListPlan): boolean {
  return (
    query.search !== undefined || query.modified !== undefined || filters.length > 0 || shown.isOfSome !== undefined
  )
}

/**
 * Returns the events of a list. Runs one query for the sets, and one if the times of some events must be compared with
 * the window. Lists of the next dates of series run one or two more.
 */
export async function selectEvents(context: ReadContext, plan: IndexListPlan): Promise<Selected> {
  if (plan.isEmpty) return new Selected()
  const days = windowDays(plan.query.window)
  const range = ({ first, last }: typeof days.possible) => ({ from: placeOfDay(first), to: placeOfDay(last + 1) - 1 })
  const sets = { ...plan.shown, ...plan.nextLimits, places: range(days.possible), longPlaces: range(days.possibleLong) }
  const selected = await selectAll(context, plan, sets)
  return plan.query.isNextOnly ? onlyNextDates(context, selected, sets) : selected
}

async function selectAll(
  context: ReadContext,
  plan: IndexListPlan,
  sets: Omit<PartsQuery, 'facets'>,
): Promise<Selected> {
  const { shown, filters, search, query, fewSets, mostLongCompared = usualLongCompared } = plan
  const days = windowDays(query.window)
  const isPositive = filters.some(({ isWithout }) => !isWithout)
  const asked = isPositive ? filters : [...filters, { facets: [FACETS.all] }]
  const [parts, found, modified] = await Promise.all([
    readSetParts(context, { ...sets, facets: [...new Set(asked.flatMap(({ facets }) => facets))] }, fewSets),
    search && findEvents(context, search, days.possibleLong),
    query.modified && idsModifiedIn(context, query.modified),
  ])
  const long = parts.reduce((sum, { isLong, size }) => sum + (isLong ? size : 0), 0)
  const beyond = long > mostLongCompared ? await longEventsBeyond(context, query.window) : undefined
  const { added, removed } = shown
  const among = [...(found?.among ? [found.among] : []), ...(modified ? [modified] : [])]
  const except = [...(found ? [found.except] : []), ...(beyond ? [beyond] : [])]
  const { certain, uncertain } = combineSets({
    parts,
    filters: asked,
    // Long events of certain days are in the window too, except those that end after it.
    days: beyond ? { ...days, certainLong: days.certain } : days,
    among,
    except,
    added,
    removed,
  })
  if (uncertain.length > 0) {
    appendAmong(certain, uncertain, await idsInWindow(context, plan, uncertain.ids))
  }
  return certain
}

/** Returns the events that were changed in a range. An index alone answers. */
async function idsModifiedIn({ db }: ReadContext, range: ModifiedRange): Promise<IdSet> {
  const { rows } = await sql<{ id: number }>`
    select id from records where kind = 'event' and ${sql.join(modifiedConditions(range), sql` and `)}`.execute(db)
  return IdSet.of(rows.map(({ id }) => id))
}

/** Appends those of some events that are in a set. */
function appendAmong(to: Selected, from: Selected, among: IdSet): void {
  const { days, classes } = from
  from.ids.forEach((id, place) => {
    if (among.has(id)) to.add(days[place] ?? 0, id, classes[place] ?? 0)
  })
}

async function idsInWindow({ db, dialect }: ReadContext, { query }: IndexListPlan, ids: Int32Array): Promise<IdSet> {
  const conditions = windowConditions('entry', { ...query.window, isByEnd: true })
  const { rows } = await sql<{ event_id: number }>`
    select event_id from event_order entry where ${dialect.isAmong(sql.ref('entry.event_id'), [...ids])}
      and ${sql.join(conditions, sql` and `)}`.execute(db)
  return IdSet.of(rows.map((row) => row.event_id))
}

/** Returns the long events that end after a window. Undefined if the window does not limit the ends. */
async function longEventsBeyond({ db }: ReadContext, window: TimeWindow): Promise<IdSet | undefined> {
  const isBeyond = beyondEnd(window.bounds)
  if (!isBeyond) return undefined
  const { to } = startRange(window)
  const conditions = windowConditions('entry', { ...window, bounds: [isBeyond], within: { to }, isByEnd: true })
  const { rows } = await sql<{ event_id: number }>`
    select event_id from event_order entry where is_long = 1 and ${sql.join(conditions, sql` and `)}`.execute(db)
  return IdSet.of(rows.map(({ event_id }) => event_id))
}

/** Returns the entries of these events, as a table to select from. */
export function entriesOfIds({ dialect }: ReadContext, ids: readonly number[]): RawBuilder<IndexEntry> {
  return sql`(select start_local, dated_at, event_id from event_order
    where ${dialect.isAmong(sql.ref('event_id'), ids)})`
}

/** Events among which a page of a list is found. */
export interface PageDays {
  readonly ids: readonly number[]
  /** The number of events among them that come before the page. */
  readonly skipped: number
}

/** Returns the events that begin on the days of a page. */
export function eventsOfPageDays(
  selected: Selected,
  {
    offset,
    limit,
    isLatestFirst,
  }: { readonly offset: number; readonly limit: number; readonly isLatestFirst: boolean },
): PageDays {
  const { days } = selected
  const counts = countsOfDays(days)
  if (isLatestFirst) counts.reverse()
  /** The days of the page. */
  const wanted: number[] = []
  let before = 0
  let skipped = offset
  for (const [day, count] of counts) {
    if (before >= offset + limit) break
    if (before <= offset && before + count > offset) skipped = offset - before
    if (before + count > offset) wanted.push(day)
    before += count
  }
  const [first, last] = [Math.min(...wanted), Math.max(...wanted)]
  const ids: number[] = []
  const all = selected.ids
  for (let place = 0; place < all.length; place += 1) {
    const day = days[place] ?? 0
    if (day >= first && day <= last) ids.push(all[place] ?? 0)
  }
  return { ids, skipped }
}

/** So many days are counted in an array: some 180 years. */
const fewDays = 65_536

/** Returns the number of events of each day that has some, in the order of days. */
function countsOfDays(days: Int32Array): (readonly [day: number, count: number])[] {
  let [least, most] = [days[0] ?? 0, days[0] ?? 0]
  // There may be a million of them, for which iterators take several times as long.
  for (let place = 0; place < days.length; place += 1) {
    const day = days[place] ?? 0
    if (day < least) least = day
    if (day > most) most = day
  }
  if (most - least >= fewDays) {
    const counts = new Map<number, number>()
    for (const day of days) counts.set(day, (counts.get(day) ?? 0) + 1)
    return [...counts].sort(([one], [other]) => one - other)
  }
  const counts = new Int32Array(most - least + 1)
  for (let place = 0; place < days.length; place += 1) {
    const passed = (days[place] ?? 0) - least
    counts[passed] = (counts[passed] ?? 0) + 1
  }
  const first = least
  return Array.from(counts, (count, passed) => [first + passed, count] as const).filter(([, count]) => count > 0)
}
