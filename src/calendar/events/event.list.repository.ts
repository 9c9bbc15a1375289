import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Page } from '../../access/http/paging.ts'
import { plannedOnce } from '../../storage/database/parameters.ts'
import { countFromDailyCounts } from '../index/daily.counts.repository.ts'
import type { IndexEntry } from '../index/event.index.ts'
import { indexEntries } from '../index/index.entries.repository.ts'
import { searchIndexOf } from '../search/search.engine.ts'
import type { SearchQuery, WordQuery } from '../search/search.index.ts'
import type { ReadContext } from '../translations/viewer.ts'
import { eventConditions, queryConditions } from './event.conditions.repository.ts'
import type { EventListPlan, IndexListPlan, RecordListPlan } from './event.list.plan.ts'
import type { EventQuery } from './event.query.ts'
import {
  eventTextBytes,
  type RenderedEventRow,
  renderedEventColumns,
  renderedEventFromRow,
  withLinks,
} from './event.repository.ts'
import type { LinkedEvent } from './event.ts'

/** One page of the events that the caller may read, and how many there are. A fixed number of queries. */
export async function listEvents(context: ReadContext, plan: EventListPlan): Promise<Page<LinkedEvent>> {
  const { rows, total } = await rowsOfPage<RenderedEventRow>(context, plan, renderedEventColumns)
  return { items: await linked(context, rows), total }
}

/** An event of a page, for whoever reads the events themselves later. */
export interface EventKey {
  readonly id: number
  /** Undefined where no password protects it. */
  readonly passwordDigest: string | undefined
  readonly changeCount: number
  /** What its long texts take, in octets. */
  readonly octets: number
}

/** The same page as keys: what it takes does not depend on what the events say. */
export async function listEventKeys(context: ReadContext, plan: EventListPlan): Promise<Page<EventKey>> {
  const { rows, total } = await rowsOfPage<EventKeyRow>(context, plan, selectedKey)
  const items = rows.map(({ id, password, change_count, octets }) => ({
    ...{ id, passwordDigest: password ?? undefined, changeCount: change_count, octets: Number(octets) },
  }))
  return { items, total }
}

type EventKeyRow = Pick<RenderedEventRow, 'id' | 'password' | 'change_count'> & { readonly octets: number }

const selectedKey = sql`records.id, records.password, records.change_count, ${eventTextBytes} as octets`

/** The same page, without the work of counting what is on the others. */
export async function listEventsUncounted(context: ReadContext, plan: IndexListPlan): Promise<readonly LinkedEvent[]> {
  const page = await indexEntriesUpToPage(context, plan)
  return linked(
    context,
    await rowsOfIndexPage<RenderedEventRow>(context, page, { plan, selected: renderedEventColumns }),
  )
}

async function linked(context: ReadContext, rows: readonly RenderedEventRow[]): Promise<readonly LinkedEvent[]> {
  return withLinks(context, rows.map(renderedEventFromRow))
}

/** All that a plan lists, as a query on `listing`, in no order. */
export function matchingIndexEntries(context: ReadContext, plan: IndexListPlan) {
  return whereRemaining(
    context,
    plan,
    isSearch(plan.index) ? entriesOfSearch(context, plan.index) : indexEntries(plan.index),
  )
}

interface RowsOfPage<R> {
  readonly rows: readonly R[]
  readonly total: number
}

/** @param selected The columns that are read of the events. */
async function rowsOfPage<R>(
  context: ReadContext,
  plan: EventListPlan,
  selected: RawBuilder<unknown>,
): Promise<RowsOfPage<R>> {
  return plan.readFrom === 'index'
    ? rowsFromIndex<R>(context, plan, selected)
    : rowsFromRecords<R>(context, plan, selected)
}

async function rowsFromRecords<R>(
  context: ReadContext,
  { query }: RecordListPlan,
  selected: RawBuilder<unknown>,
): Promise<RowsOfPage<R>> {
  const { db } = context
  const matching = db
    .selectFrom('events')
    .innerJoin('records', 'records.id', 'events.record_id')
    .where((e) => e.and(queryConditions(e, context, query)))
  const ordered = query.ids ? matching : matching.orderBy('events.start_local')
  const page = ordered
    .select('records.id as event_id')
    .orderBy('records.dated_at')
    .orderBy('records.id')
    .limit(plannedOnce(query.perPage))
    .offset(plannedOnce((query.page - 1) * query.perPage))
  const { rows } = await sql<R>`
    select ${selected} from (${page}) page
      join records on records.id = page.event_id join events on events.record_id = page.event_id
    order by ${query.ids ? sql`` : sql`events.start_local,`} records.dated_at, records.id`.execute(db)
  return { rows, total: totalFromLastPage(rows.length, query) ?? (await countOf(matching)) }
}

async function rowsFromIndex<R>(
  context: ReadContext,
  plan: IndexListPlan,
  selected: RawBuilder<unknown>,
): Promise<RowsOfPage<R>> {
  const page = await indexEntriesUpToPage(context, plan)
  const rows = await rowsOfIndexPage<R>(context, page, { plan, selected })
  return {
    rows,
    total:
      totalFromLastPage(rows.length, plan.query) ??
      (await countFromIndexes(context, plan.index)) ??
      (await countOf(page)),
  }
}

/** How many there are, as the last page tells by itself: what is not full, and has something on it or none before it. */
function totalFromLastPage(count: number, { page, perPage }: EventQuery): number | undefined {
  return count < perPage && (count > 0 || page === 1) ? (page - 1) * perPage + count : undefined
}

/** How many there are, where an index counts them quicker than by going through them. */
async function countFromIndexes({ db, dialect }: ReadContext, query: SearchQuery): Promise<number | undefined> {
  if (!query.isComplete) return undefined
  return (
    (isSearch(query) ? undefined : await countFromDailyCounts(db, query)) ?? searchIndexOf(dialect).count(db, query)
  )
}

function isSearch(query: SearchQuery): query is WordQuery {
  return query.words !== undefined
}

function entriesOfSearch({ dialect }: ReadContext, query: WordQuery): RawBuilder<IndexEntry> {
  return searchIndexOf(dialect).entries(query)
}

/** Like `matchingIndexEntries`, but what comes after the page may be missing where it can be counted without. */
async function indexEntriesUpToPage(context: ReadContext, plan: IndexListPlan): Promise<IndexEntries> {
  const { db, dialect } = context
  return isSearch(plan.index)
    ? whereRemaining(context, plan, await searchIndexOf(dialect).entriesUpToPage(db, plan.index))
    : matchingIndexEntries(context, plan)
}

type IndexEntries = ReturnType<typeof matchingIndexEntries>

/** Those of the entries that meet what the index does not answer. */
function whereRemaining(context: ReadContext, { remaining, isEmpty }: IndexListPlan, entries: RawBuilder<IndexEntry>) {
  const listed = context.db.selectFrom(entries.as('listing'))
  if (isEmpty) return listed.where(sql<SqlBool>`1 = 0`)
  if (!remaining) return listed
  return listed.where((e) =>
    // Not “exists”, which PostgreSQL would rather join with all events.
    e(
      e
        .selectFrom('events')
        .innerJoin('records', 'records.id', 'events.record_id')
        .select(sql.lit(1).as('is_met'))
        .whereRef('events.record_id', '=', 'listing.event_id')
        .where((event) => event.and(eventConditions(event, context, remaining))),
      '=',
      sql.lit(1),
    ),
  )
}

async function rowsOfIndexPage<R>(
  { db }: ReadContext,
  matching: IndexEntries,
  { plan, selected }: { readonly plan: IndexListPlan; readonly selected: RawBuilder<unknown> },
): Promise<readonly R[]> {
  const { page, perPage, isLatestFirst } = plan.index
  const direction = isLatestFirst ? 'desc' : 'asc'
  const asked = matching
    .select(['listing.start_local', 'listing.dated_at', 'listing.event_id'])
    .orderBy('listing.start_local', direction)
    .orderBy('listing.dated_at', direction)
    .orderBy('listing.event_id', direction)
    .limit(plannedOnce(perPage))
    .offset(plannedOnce((page - 1) * perPage))
  // Only the events of the page are looked up, however many pages stand before it.
  const order = sql.raw(direction)
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
