import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { ListPage } from '../../access/http/paging.ts'
import { bigintParameter } from '../../storage/database/sql.parameters.ts'
import { countFromDailyCounts } from '../index/daily.counts.repository.ts'
import { DayCounts } from '../index/day.counts.ts'
import type { IndexEntry } from '../index/event.index.ts'
import { firstOfNamed } from '../index/first.dates.repository.ts'
import { type IndexRange, indexEntries, indexEntriesAmong } from '../index/index.entries.repository.ts'
import { mostSkipped, startOfPage } from '../index/late.page.repository.ts'
import type { ReadContext } from '../translations/viewer.ts'
import { queryConditions } from './event.conditions.repository.ts'
import type { EventListPlan, IndexListPlan, RecordListPlan } from './event.list.plan.ts'
import { entriesOfPage, nextEntries, type PageEntries, type PagePlace } from './event.next.repository.ts'
import { inOrder, pageInOrder } from './event.order.repository.ts'
import type { EventQuery } from './event.query.ts'
import { type RenderedEventRow, renderedEventColumns, renderedEventFromRow, withLinks } from './event.repository.ts'
import { entriesOfIds, fewFound, isBySets, selectEvents, selectIds } from './event.selection.repository.ts'
import type { LinkedEvent } from './event.ts'

/** Returns one page of the events that the caller may read, and their total. Runs a fixed number of queries. */
export async function listEvents(context: ReadContext, plan: EventListPlan): Promise<ListPage<LinkedEvent>> {
  const { rows, total } = await rowsOfPage<RenderedEventRow>(context, plan, renderedEventColumns)
  return { items: await linked(context, rows), total }
}

/** Selects nothing that a list would have to look up. */
const onlyId = sql`records.id`

/** Returns the same page as ids. */
export async function listEventIds(
  context: ReadContext,
  plan: EventListPlan,
): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
  const { rows, total } = await rowsOfPage<Pick<RenderedEventRow, 'id'>>(context, plan, onlyId)
  return { ids: rows.map(({ id }) => id), total }
}

/** Returns the same page without counting the events on other pages. */
export async function listEventsUncounted(context: ReadContext, plan: IndexListPlan): Promise<readonly LinkedEvent[]> {
  const { rows } = await rowsFromIndex<RenderedEventRow>(context, plan, {
    selected: renderedEventColumns,
    isCounted: false,
  })
  return linked(context, rows)
}

async function linked(context: ReadContext, rows: readonly RenderedEventRow[]): Promise<readonly LinkedEvent[]> {
  return withLinks(context, rows.map(renderedEventFromRow))
}

/** Returns all entries of a plan, as a query on `listing` without an order. */
export async function matchingIndexEntries(context: ReadContext, plan: IndexListPlan): Promise<IndexEntries> {
  if (!isBySets(plan)) {
    const { entries } = await entriesInRange(context, plan, { offset: 0, isLatestFirst: false })
    return asListing(context, entries)
  }
  return asListing(context, entriesOfIds(context, [...(await selectIds(context, plan))]))
}

type IndexEntries = ReturnType<typeof asListing>

function asListing({ db }: ReadContext, entries: RawBuilder<IndexEntry>) {
  return db.selectFrom(entries.as('listing'))
}

export function rangeOf({ query: { window }, shown: { isOfClass } }: IndexListPlan): IndexRange {
  return { window, isOfClass }
}

/** Returns the entries of a list that is a range of the event index, from a place at or before the page. */
async function entriesInRange(context: ReadContext, plan: IndexListPlan, page: PagePlace): Promise<PageEntries> {
  if (plan.query.isNextOnly) return nextEntries(context, plan, page)
  const { db } = context
  const range = rangeOf(plan)
  const start = page.offset > mostSkipped ? await startOfPage(db, range, page) : undefined
  const offset = start?.offset ?? page.offset
  return {
    entries: indexEntries(start?.range ?? range, entriesOfPage(context, page, offset)),
    offset,
    count: async () =>
      (await countFromDailyCounts(db, range)) ?? (await countOf(asListing(context, indexEntries(range)))),
  }
}

interface RowsOfPage<R> {
  readonly rows: readonly R[]
  readonly total: number
}

/** @param selected The columns to read from the events. */
async function rowsOfPage<R>(
  context: ReadContext,
  plan: EventListPlan,
  selected: RawBuilder<unknown>,
): Promise<RowsOfPage<R>> {
  return plan.readFrom === 'index'
    ? rowsFromIndex<R>(context, plan, { selected, isCounted: true })
    : rowsFromRecords<R>(context, plan, selected)
}

async function rowsFromRecords<R>(
  context: ReadContext,
  { query }: RecordListPlan,
  selected: RawBuilder<unknown>,
): Promise<RowsOfPage<R>> {
  const { db, dialect } = context
  const all = db
    .selectFrom('events')
    .innerJoin('records', 'records.id', 'events.record_id')
    .where((e) => e.and(queryConditions(e, context, query)))
  const next = query.isNextOnly ? await firstOfNamed(db, all.select('records.id')) : undefined
  const matching = next ? all.where((e) => dialect.isAmong(e.ref('records.id'), next)) : all
  const order = orderOfRecords(query)
  const page = matching
    .select(['records.id as event_id', sql`count(*) over ()`.as('total')])
    .orderBy(order)
    .limit(bigintParameter(query.perPage))
    .offset(bigintParameter((query.page - 1) * query.perPage))
  const { rows } = await sql<R & { readonly listed_total: number }>`
    select page.total as listed_total, ${selected} from (${page}) page
      join records on records.id = page.event_id join events on events.record_id = page.event_id
    order by ${order}`.execute(db)
  // Only a page after the last one does not tell the total.
  return { rows, total: rows[0]?.listed_total ?? totalFromLastPage(0, query) ?? (await countOf(matching)) }
}

function orderOfRecords({ order, ids, isLatestFirst }: EventQuery): RawBuilder<unknown> {
  if (order) return inOrder(order)
  // Contract: named events are in the order of their publication (events.md §1).
  const columns = [
    ...(ids && isLatestFirst === undefined ? [] : ['events.start_local']),
    'records.dated_at',
    'records.id',
  ]
  const direction = sql.raw(isLatestFirst ? 'desc' : 'asc')
  return sql.join(columns.map((column) => sql`${sql.ref(column)} ${direction}`))
}

/** How much of a page to read. */
interface PageOptions {
  /** The columns to read from the events. */
  readonly selected: RawBuilder<unknown>
  /** Whether the events on other pages are counted. If not, the total may be anything. */
  readonly isCounted: boolean
}

async function rowsFromIndex<R>(
  context: ReadContext,
  plan: IndexListPlan,
  options: PageOptions,
): Promise<RowsOfPage<R>> {
  const { order, page, perPage } = plan.query
  if (order) {
    const { ids, total } = await pageInOrder(context, plan, { order, offset: (page - 1) * perPage, limit: perPage })
    return { rows: await rowsOfIds<R>(context, ids, options.selected), total }
  }
  if (!isBySets(plan)) return rowsFromRange<R>(context, plan, options)
  const few = await fewFound(context, plan)
  return few ? rowsFromFew<R>(context, plan, { ...options, ids: few }) : rowsFromSets<R>(context, plan, options)
}

/** @param ids Among them are all events of the list. */
async function rowsFromFew<R>(
  context: ReadContext,
  plan: IndexListPlan,
  { selected, ids }: PageOptions & { readonly ids: readonly number[] },
): Promise<RowsOfPage<R>> {
  if (ids.length === 0) return { rows: [], total: 0 }
  const { page, perPage, isLatestFirst = false } = plan.query
  const entries = asListing(context, indexEntriesAmong(rangeOf(plan), { dialect: context.dialect, ids }))
  const found = await inListOrder(entries, isLatestFirst).select('listing.event_id').execute()
  const onPage = found.slice((page - 1) * perPage, page * perPage).map((row) => row.event_id)
  return { rows: await rowsOfIds<R>(context, onPage, selected), total: found.length }
}

async function rowsFromSets<R>(
  context: ReadContext,
  plan: IndexListPlan,
  { selected }: PageOptions,
): Promise<RowsOfPage<R>> {
  const { page, perPage, isLatestFirst = false } = plan.query
  const counts = new DayCounts()
  const selection = await selectEvents(context, plan, (events) => counts.add(events))
  const { total } = counts
  const days = counts.page({ offset: (page - 1) * perPage, limit: perPage, isLatestFirst })
  if (!days) return { rows: [], total }
  const ids: number[] = []
  selection.visit((events) => ids.push(...events.ids.subarray(0, events.length)), days)
  const entries = asListing(context, entriesOfIds(context, ids))
  return {
    rows: await rowsOfEntries<R>(context, entries, { selected, isLatestFirst, perPage, offset: days.skipped }),
    total,
  }
}

async function rowsFromRange<R>(
  context: ReadContext,
  plan: IndexListPlan,
  { selected, isCounted }: PageOptions,
): Promise<RowsOfPage<R>> {
  const { page, perPage, isLatestFirst = false } = plan.query
  const { entries, offset, count } = await entriesInRange(context, plan, {
    offset: (page - 1) * perPage,
    ...{ isLatestFirst, perPage },
  })
  const asked = { selected, isLatestFirst, perPage, offset }
  const rows = await rowsOfEntries<R>(context, asListing(context, entries), asked)
  return { rows, total: isCounted ? (totalFromLastPage(rows.length, plan.query) ?? (await count())) : 0 }
}

/**
 * Returns the total if the page itself reveals it: the page is not full, and it contains an event or is the first page.
 */
function totalFromLastPage(count: number, { page, perPage }: EventQuery): number | undefined {
  return count < perPage && (count > 0 || page === 1) ? (page - 1) * perPage + count : undefined
}

interface EntryRange {
  readonly selected: RawBuilder<unknown>
  readonly isLatestFirst: boolean
  readonly perPage: number
  readonly offset: number
}

/** PostgreSQL would read all events to join more of them. */
const mostJoined = 50

/** Returns the rows of these events, in their order. */
async function rowsOfIds<R>(
  { db, dialect }: Pick<ReadContext, 'db' | 'dialect'>,
  ids: readonly number[],
  selected: RawBuilder<unknown>,
): Promise<readonly R[]> {
  if (selected === onlyId) return ids.map((id) => ({ id }) as R)
  const isAmong = (column: string) => dialect.isAmong(sql.ref(column), ids)
  const { rows } = await sql<R & { readonly id: number }>`
    select ${selected} from records join events on events.record_id = records.id
    where ${isAmong('records.id')} and ${isAmong('events.record_id')}`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

function directionOf(isLatestFirst: boolean): 'asc' | 'desc' {
  return isLatestFirst ? 'desc' : 'asc'
}

function inListOrder(entries: IndexEntries, isLatestFirst: boolean): IndexEntries {
  const direction = directionOf(isLatestFirst)
  return entries
    .orderBy('listing.start_local', direction)
    .orderBy('listing.dated_at', direction)
    .orderBy('listing.event_id', direction)
}

async function rowsOfEntries<R>(
  { db, dialect }: ReadContext,
  entries: IndexEntries,
  { selected, isLatestFirst, perPage, offset }: EntryRange,
): Promise<readonly R[]> {
  const asked = inListOrder(entries, isLatestFirst)
    .select(['listing.start_local', 'listing.dated_at', 'listing.event_id'])
    .limit(bigintParameter(perPage))
    .offset(bigintParameter(offset))
  if (perPage > mostJoined || selected === onlyId)
    return rowsOfIds<R>(
      { db, dialect },
      (await asked.execute()).map((row) => row.event_id),
      selected,
    )
  // The query looks up only the events of the page, even for a late page.
  const order = sql.raw(directionOf(isLatestFirst))
  const { rows } = await sql<R>`
    select ${selected} from (${asked}) page
      join records on records.id = page.event_id join events on events.record_id = page.event_id
    order by page.start_local ${order}, page.dated_at ${order}, page.event_id ${order}`.execute(db)
  return rows
}

async function countOf<DB, T extends keyof DB>(matching: SelectQueryBuilder<DB, T, object>): Promise<number> {
  const counting = matching.select((e) => e.fn.countAll<number>().as('total')).$castTo<{ readonly total: number }>()
  return Number((await counting.executeTakeFirstOrThrow()).total)
}
