import { type RawBuilder, sql } from 'kysely'
import { windowDays } from '../index/certain.days.ts'
import { FACETS, type IndexEntry, type TimeWindow } from '../index/event.index.ts'
import { IdSet } from '../index/id.set.ts'
import { type PartsQuery, readSetParts } from '../index/set.parts.repository.ts'
import { placeOfDay } from '../index/set.segments.ts'
import { CombinedSets, Selection, VisitedEvents, type VisitSelected } from '../index/set.selection.ts'
import { startRange, windowConditions } from '../index/time.window.repository.ts'
import { beyondEnd } from '../index/whole.days.ts'
import { type ModifiedRange, modifiedConditions } from '../records/record.modified.repository.ts'
import { findEvents } from '../search/search.find.repository.ts'
import type { ReadContext } from '../translations/viewer.ts'
import type { IndexListPlan } from './event.list.plan.ts'
import { DatesOfSeries, onlyNextDates } from './event.next.selection.repository.ts'

/** The times of more long events are not compared with a window one by one if those that end after it can be read. */
const usualLongCompared = 2000

/** The events of a search that are looked up one by one. Reading the sets of a usual window takes as long as looking up these. */
const usualLookedUp = 400

/** Whether a list is selected by sets. All others are ranges of the event index. */
export function isBySets({ filters, shown, query }: IndexListPlan): boolean {
  return (
    query.search !== undefined || query.modified !== undefined || filters.length > 0 || shown.isOfSome !== undefined
  )
}

/**
 * Searches for the events of a list, and returns them if they are so few that their times are compared one by one, in any
 * window. Reading the sets of all events of the window would take longer. Some may be of other classes, or not in the window.
 * Returns undefined if there are more, or if the list is more than a search in a window.
 */
export async function fewFound(context: ReadContext, plan: IndexListPlan): Promise<readonly number[] | undefined> {
  const { search, shown, filters, query, mostLookedUp = usualLookedUp } = plan
  const isPlain = filters.length === 0 && !query.modified && !query.isNextOnly && !shown.isOfSome && !plan.isEmpty
  if (!search || !isPlain) return undefined
  const found = await findEvents(context, search, query.window)
  return found.count() <= mostLookedUp ? [...found] : undefined
}

/**
 * Selects the events of a list, and visits all of them. Runs one query for the sets, and one if the times of some events must
 * be compared with the window. Lists of the next dates of series run one or two more.
 */
export async function selectEvents(
  context: ReadContext,
  plan: IndexListPlan,
  visit: VisitSelected,
): Promise<Selection> {
  if (plan.isEmpty) return new Selection()
  const days = windowDays(plan.query.window)
  const range = ({ first, last }: typeof days.possible) => ({ from: placeOfDay(first), to: placeOfDay(last + 1) - 1 })
  const sets = { ...plan.shown, ...plan.nextLimits, places: range(days.possible), longPlaces: range(days.possibleLong) }
  if (!plan.query.isNextOnly) return selectAll(context, plan, { sets, visit })
  const dates = new DatesOfSeries()
  const all = await selectAll(context, plan, { sets, visit: dates.visit })
  const selection = await onlyNextDates(context, all, { dates: dates.found, ...sets })
  selection.visit(visit)
  return selection
}

/** Returns the events of a list, in the order of their ids. */
export async function selectIds(context: ReadContext, plan: IndexListPlan): Promise<IdSet> {
  const found = new IdSet()
  await selectEvents(context, plan, ({ ids, length }) => found.addAll(ids, length))
  return found
}

/** Counts the events of a list by class. */
export async function countSelected(context: ReadContext, plan: IndexListPlan): Promise<ReadonlyMap<string, number>> {
  const numbers = new Map<string, number>()
  await selectEvents(context, plan, ({ length }, name) => numbers.set(name, (numbers.get(name) ?? 0) + length))
  return numbers
}

async function selectAll(
  context: ReadContext,
  plan: IndexListPlan,
  { sets, visit }: { readonly sets: Omit<PartsQuery, 'facets'>; readonly visit: VisitSelected },
): Promise<Selection> {
  const { shown, filters, search, query, fewSets, mostLongCompared = usualLongCompared } = plan
  const days = windowDays(query.window)
  const isPositive = filters.some(({ isWithout }) => !isWithout)
  const asked = isPositive ? filters : [...filters, { facets: [FACETS.all] }]
  const [parts, found, modified] = await Promise.all([
    readSetParts(context, { ...sets, facets: [...new Set(asked.flatMap(({ facets }) => facets))] }, fewSets),
    search && findEvents(context, search, query.window),
    query.modified && idsModifiedIn(context, query.modified),
  ])
  const long = parts.reduce((sum, { isLong, size }) => sum + (isLong ? size : 0), 0)
  const beyond = long > mostLongCompared ? await longEventsBeyond(context, query.window) : undefined
  const { added, removed } = shown
  const among = [...(found ? [found] : []), ...(modified ? [modified] : [])]
  const except = beyond ? [beyond] : []
  const combined = new CombinedSets({
    parts,
    filters: asked,
    // Long events of certain days are in the window too, except those that end after it.
    days: beyond ? { ...days, certainLong: days.certain } : days,
    among,
    except,
    added,
    removed,
  })
  const uncertain = new VisitedEvents()
  combined.visit(visit, uncertain.add)
  const selection = new Selection(combined, await idsInWindow(context, plan, uncertain.ids))
  uncertain.visit(selection.siftUncertain(visit))
  return selection
}

/** Returns the events that were changed in a range. An index alone answers. */
async function idsModifiedIn({ db }: ReadContext, range: ModifiedRange): Promise<IdSet> {
  const { rows } = await sql<{ id: number }>`
    select id from records where kind = 'event' and ${sql.join(modifiedConditions(range), sql` and `)}`.execute(db)
  return IdSet.of(rows.map(({ id }) => id))
}

async function idsInWindow(
  { db, dialect }: ReadContext,
  { query }: IndexListPlan,
  ids: readonly number[],
): Promise<IdSet> {
  if (ids.length === 0) return new IdSet()
  const conditions = windowConditions('entry', { ...query.window, isByEnd: true })
  const { rows } = await sql<{ event_id: number }>`
    select event_id from event_order entry where ${dialect.isAmong(sql.ref('entry.event_id'), ids)}
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
