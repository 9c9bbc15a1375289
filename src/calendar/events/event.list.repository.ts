import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { ListPage } from '../../access/http/paging.ts'
import { bigintParameter } from '../../storage/database/sql.parameters.ts'
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

/** Returns one page of the events that the caller may read, and their total. Runs a fixed number of queries. */
export async function listEvents(context: ReadContext, plan: EventListPlan): Promise<ListPage<LinkedEvent>> {
  const { rows, total } = await rowsOfPage<RenderedEventRow>(context, plan, renderedEventColumns)
  return { items: await linked(context, rows), total }
}

/** The key of an event on a page. The event itself is read later. */
export interface EventKey {
  readonly id: number
  /** Undefined if no password protects the event. */
  readonly passwordDigest: string | undefined
  readonly changeCount: number
  /** The size of its long texts in bytes. */
  readonly octets: number
}

/** Returns the same page as keys. Its cost does not depend on the texts of the events. */
export async function listEventKeys(context: ReadContext, plan: EventListPlan): Promise<ListPage<EventKey>> {
  const { rows, total } = await rowsOfPage<EventKeyRow>(context, plan, selectedKey)
  const items = rows.map(({ id, password, change_count, octets }) => ({
    ...{ id, passwordDigest: password ?? undefined, changeCount: change_count, octets: Number(octets) },
  }))
  return { items, total }
}

type EventKeyRow = Pick<RenderedEventRow, 'id' | 'password' | 'change_count'> & { readonly octets: number }

const selectedKey = sql`records.id, records.password, records.change_count, ${eventTextBytes} as octets`

/** Returns the same page without counting the events on other pages. */
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

/** Returns all entries of a plan, as a query on `listing` without an order. */
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

/** @param selected The columns to read from the events. */
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
    .limit(bigintParameter(query.perPage))
    .offset(bigintParameter((query.page - 1) * query.perPage))
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

/**
 * Returns the total if the page itself reveals it: the page is not full, and it contains an event or is the first page.
 */
function totalFromLastPage(count: number, { page, perPage }: EventQuery): number | undefined {
  return count < perPage && (count > 0 || page === 1) ? (page - 1) * perPage + count : undefined
}

/** Returns the total if an index counts the events faster than a scan. */
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

/** Like `matchingIndexEntries`, but may omit entries after the page, if the total is known without them. */
async function indexEntriesUpToPage(context: ReadContext, plan: IndexListPlan): Promise<IndexEntries> {
  const { db, dialect } = context
  return isSearch(plan.index)
    ? whereRemaining(context, plan, await searchIndexOf(dialect).entriesUpToPage(db, plan.index))
    : matchingIndexEntries(context, plan)
}

type IndexEntries = ReturnType<typeof matchingIndexEntries>

/** Returns the entries that meet the conditions that the index cannot answer. */
function whereRemaining(context: ReadContext, { remaining, isEmpty }: IndexListPlan, entries: RawBuilder<IndexEntry>) {
  const listed = context.db.selectFrom(entries.as('listing'))
  if (isEmpty) return listed.where(sql<SqlBool>`1 = 0`)
  if (!remaining) return listed
  return listed.where((e) =>
    // Not “exists”: PostgreSQL would turn it into a join with all events.
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
    .limit(bigintParameter(perPage))
    .offset(bigintParameter((page - 1) * perPage))
  // The query looks up only the events of the page, even for a late page.
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
