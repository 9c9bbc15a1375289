import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { ListPage } from '../../../access/http/arguments/paging.ts'
import { bigintParameter } from '../../../storage/database/statements/sql.parameters.ts'
import type { IndexEntry, ListedEvent } from '../../index/event.index.ts'
import { type EntriesOfPage, indexEntries, inListOrder } from '../../index/index.entries.repository.ts'
import type { ReadContext } from '../../translations/viewer.ts'
import { type RenderedEventRow, renderedEventColumns, renderedEventFromRow, withLinks } from '../event.repository.ts'
import type { LinkedEvent } from '../model/event.ts'
import { queryConditions } from './conditions.repository.ts'
import type { EventListPlan, IndexListPlan, RecordListPlan } from './list.plan.ts'
import type { EventOrder, EventQuery } from './query.ts'

const tables = {
  records: { id: 'records.id', publishedAt: 'records.dated_at' },
  listing: { id: 'listing.event_id', publishedAt: 'listing.dated_at' },
} as const

const recordKeys = {
  // The beginning of the title: see the index `records_event_title`.
  title: sql`substr(records.title_folded, 1, 200)`,
  status: sql.ref('records.status'),
  modified: sql.ref('records.modified_at'),
} as const

/** Whether an order needs more than the event index has. */
function isOrderOfRecords({ by }: EventOrder): boolean {
  return by in recordKeys
}

/** Returns the order of rows of `records`, or of the event index. Equal ones are in the order of their ids. */
function inOrder({ by, isDescending }: EventOrder, table: keyof typeof tables = 'records'): RawBuilder<unknown> {
  const { id, publishedAt } = tables[table]
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  if (by === 'created') return sql`${sql.ref(id)} ${direction}`
  const key = by === 'published' ? sql.ref(publishedAt) : recordKeys[by]
  return sql`${key} ${direction}, ${sql.ref(id)} ${direction}`
}

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

/** Returns the number of events of a list. */
export async function countEvents(context: ReadContext, plan: EventListPlan): Promise<number> {
  return plan.readFrom === 'index'
    ? countOf(matchingIndexEntries(context, plan))
    : (await listEventIds(context, plan)).total
}

/** Returns all entries of a plan, as a query on `listing` without an order. */
export function matchingIndexEntries({ db }: ReadContext, plan: IndexListPlan) {
  return db.selectFrom(entriesOf(plan).as('listing'))
}

function entriesOf({ query, isShown, filters }: IndexListPlan, page?: EntriesOfPage): RawBuilder<ListedEvent> {
  const entries = indexEntries({ window: query.window, conditions: [isShown, ...filters] }, page)
  return query.isNextOnly ? onlyNext(entries) : entries
}

/**
 * Reads and counts entries before they are sorted. A server that knows of the limit would look up each event of the window in the
 * filters, or read all events in the other order, because it hopes to find a page soon.
 */
function readFirst(entries: RawBuilder<ListedEvent>): RawBuilder<PageEntry> {
  return sql`(with listed as materialized (select start_local, dated_at, event_id from ${entries} entry)
    select listed.*, (select count(*) from listed) as listed_total from listed)`
}

/** Names entries that are a range of the index, which need not be counted to find their page. */
function uncounted(entries: RawBuilder<ListedEvent>): RawBuilder<PageEntry> {
  return sql`(select start_local, dated_at, event_id, null as listed_total from ${entries} entry)`
}

/** Leaves out all dates of each series except the first one. */
function onlyNext(entries: RawBuilder<ListedEvent>): RawBuilder<ListedEvent> {
  return sql`(select * from (select entry.*, row_number() over (
      partition by coalesce(series_id, -event_id) order by ${inListOrder('entry')}) as nth from ${entries} entry
    ) numbered where nth = 1)`
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
  const { db } = context
  const all = db
    .selectFrom('events')
    .innerJoin('records', 'records.id', 'events.record_id')
    .where((e) => e.and(queryConditions(e, context, query)))
  const matching = query.isNextOnly
    ? all.where((e) => isFirstOfNamed(e.ref('records.id'), all.select('records.id')))
    : all
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

/** The condition that an event is the first one of its series among some events, or of no series. */
function isFirstOfNamed(id: Expression<number>, named: Expression<{ readonly id: number }>): RawBuilder<SqlBool> {
  return sql<SqlBool>`${id} in (select event_id from (
      select event_id, row_number() over (
        partition by coalesce(series_id, -event_id) order by ${inListOrder('entry')}) as nth
      from listed_events entry where entry.event_id in (${named})
    ) numbered where nth = 1)`
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

interface PageOptions {
  readonly selected: RawBuilder<unknown>
  /** Whether the events on other pages are counted. If not, the total may be anything. */
  readonly isCounted: boolean
}

async function rowsFromIndex<R>(
  context: ReadContext,
  plan: IndexListPlan,
  { selected, isCounted }: PageOptions,
): Promise<RowsOfPage<R>> {
  const { db, dialect } = context
  const { order, page, perPage, isLatestFirst = false, isNextOnly } = plan.query
  const offset = (page - 1) * perPage
  // The filters of a list are answered once, for its page and its total.
  const isRange = plan.filters.length === 0 && !order && !isNextOnly
  const entries = isRange
    ? uncounted(entriesOf(plan, { dialect, isLatestFirst, limit: offset + perPage }))
    : readFirst(entriesOf(plan))
  const listing = db.selectFrom(entries.as('listing'))
  const isJoined = order && isOrderOfRecords(order)
  const asked = (isJoined ? listing.innerJoin('records', 'records.id', 'listing.event_id') : listing)
    .select(['listing.start_local', 'listing.dated_at', 'listing.event_id', 'listing.listed_total'])
    .orderBy(order ? inOrder(order, 'listing') : inListOrder('listing', isLatestFirst))
    .limit(bigintParameter(perPage))
    .offset(bigintParameter(offset))
  const found = await rowsOfEntries<R>(context, asked, {
    selected,
    perPage,
    order: order ? inOrder(order) : inListOrder('page', isLatestFirst),
  })
  const total = isCounted ? (found.total ?? totalFromLastPage(found.rows.length, plan.query)) : 0
  return { rows: found.rows, total: total ?? (await countOf(matchingIndexEntries(context, plan))) }
}

interface PageEntry extends IndexEntry {
  readonly listed_total: number | string | null
}

/** Reads the events of a page, and the total of the list if it was counted. */
async function rowsOfEntries<R>(
  { db, dialect }: ReadContext,
  page: { execute(): Promise<readonly PageEntry[]> } & Expression<unknown>,
  {
    selected,
    perPage,
    order,
  }: { readonly selected: RawBuilder<unknown>; readonly perPage: number; readonly order: RawBuilder<unknown> },
): Promise<{ readonly rows: readonly R[]; readonly total: number | undefined }> {
  const totalOf = (rows: readonly Pick<PageEntry, 'listed_total'>[]) =>
    rows[0]?.listed_total == null ? undefined : Number(rows[0].listed_total)
  if (perPage > maxJoined || selected === onlyId) {
    const found = await page.execute()
    const ids = found.map(({ event_id }) => event_id)
    return { rows: await rowsOfIds<R>({ db, dialect }, ids, selected), total: totalOf(found) }
  }
  // The query looks up only the events of the page, even for a late page.
  const { rows } = await sql<R & PageEntry>`
    select page.listed_total, ${selected} from (${page}) page
      join records on records.id = page.event_id join events on events.record_id = page.event_id
    order by ${order}`.execute(db)
  return { rows, total: totalOf(rows) }
}

/** PostgreSQL would read all events to join more of them. */
const maxJoined = 50

/**
 * Returns the total if the page itself reveals it: the page is not full, and it contains an event or is the first page.
 */
function totalFromLastPage(count: number, { page, perPage }: EventQuery): number | undefined {
  return count < perPage && (count > 0 || page === 1) ? (page - 1) * perPage + count : undefined
}

/** Returns the rows of these events, in their order. */
async function rowsOfIds<R>(
  { db, dialect }: Pick<ReadContext, 'db' | 'dialect'>,
  ids: readonly number[],
  selected: RawBuilder<unknown>,
): Promise<readonly R[]> {
  if (selected === onlyId || ids.length === 0) return ids.map((id) => ({ id }) as R)
  const isAmong = (column: string) => dialect.isAmong(sql.ref(column), ids)
  const { rows } = await sql<R & { readonly id: number }>`
    select ${selected} from records join events on events.record_id = records.id
    where ${isAmong('records.id')} and ${isAmong('events.record_id')}`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

async function countOf<DB, T extends keyof DB>(matching: SelectQueryBuilder<DB, T, object>): Promise<number> {
  const counting = matching.select((e) => e.fn.countAll<number>().as('total')).$castTo<{ readonly total: number }>()
  return Number((await counting.executeTakeFirstOrThrow()).total)
}
