import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Page } from '../../access/http/paging.ts'
import { matchesNothing } from '../../base/text/fold.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import { plannedOnce } from '../../storage/database/parameters.ts'
import type { Db } from '../../storage/database/tables.ts'
import type { Viewer } from '../translations/viewer.ts'
import { countFromDailyCounts } from './daily.counts.repository.ts'
import { eventConditions, needsEventConditions, queryConditions } from './event.conditions.repository.ts'
import { eventIndexFor } from './event.index.repository.ts'
import type { EventQuery } from './event.query.ts'
import {
  eventTextBytes,
  type RenderedEventRow,
  renderedEventColumns,
  renderedEventFromRow,
  withLinks,
} from './event.repository.ts'
import {
  countByFacetMatch,
  countMatches,
  dayAfterPage,
  fullTextIndexEntries,
  wordSearch,
} from './event.search.repository.ts'
import type { LinkedEvent } from './event.ts'

/** One page of the events that the caller may read, and how many there are. A fixed number of queries. */
export async function listEvents(
  db: Db,
  dialect: Dialect,
  viewer: Viewer,
  asked: EventQuery,
): Promise<Page<LinkedEvent>> {
  const { rows, total } = await rowsOfPage<RenderedEventRow>(db, dialect, viewer, asked, renderedEventColumns)
  return { items: await withLinks(db, dialect, rows.map(renderedEventFromRow), viewer), total }
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
export async function listEventKeys(
  db: Db,
  dialect: Dialect,
  viewer: Viewer,
  asked: EventQuery,
): Promise<Page<EventKey>> {
  const { rows, total } = await rowsOfPage<EventKeyRow>(db, dialect, viewer, asked, selectedKey)
  const items = rows.map(({ id, password, change_count, octets }) => ({
    ...{ id, passwordDigest: password ?? undefined, changeCount: change_count, octets: Number(octets) },
  }))
  return { items, total }
}

type EventKeyRow = Pick<RenderedEventRow, 'id' | 'password' | 'change_count'> & { readonly octets: number }

const selectedKey = sql`records.id, records.password, records.change_count, ${eventTextBytes} as octets`

interface RowsOfPage<R> {
  readonly rows: readonly R[]
  readonly total: number
}

/** What is read of a page: where, for whom, which one, and which columns of its events. */
type PageReadArguments = readonly [
  db: Db,
  dialect: Dialect,
  viewer: Viewer,
  asked: EventQuery,
  selected: RawBuilder<unknown>,
]

async function rowsOfPage<R>(...read: PageReadArguments): Promise<RowsOfPage<R>> {
  const [, , { actor }, { ids, parentIds }] = read
  // A few named events are found by their ids; all else that is for everybody stands ready in the listings.
  const isPublic = actor.kind === 'visitor' && ids === undefined && parentIds === undefined
  return isPublic ? listPublicRows(...read) : listRows(...read)
}

async function listRows<R>(...[db, dialect, viewer, asked, selected]: PageReadArguments): Promise<RowsOfPage<R>> {
  const matching = db
    .selectFrom('events')
    .innerJoin('records', 'records.id', 'events.record_id')
    .where((e) => e.and(queryConditions(e, dialect, viewer, asked)))
  const ordered = asked.ids ? matching : matching.orderBy('events.start_local')
  const page = ordered
    .select('records.id as event_id')
    .orderBy('records.dated_at')
    .orderBy('records.id')
    .limit(plannedOnce(asked.perPage))
    .offset(plannedOnce((asked.page - 1) * asked.perPage))
  const { rows } = await sql<R>`
    select ${selected} from (${page}) page
      join records on records.id = page.event_id join events on events.record_id = page.event_id
    order by ${asked.ids ? sql`` : sql`events.start_local,`} records.dated_at, records.id`.execute(db)
  return { rows, total: totalFromLastPage(rows.length, asked) ?? (await countOf(matching)) }
}

async function listPublicRows<R>(...[db, dialect, viewer, asked, selected]: PageReadArguments): Promise<RowsOfPage<R>> {
  const { matching, counted } = await indexEntriesOfPage(db, dialect, viewer, asked)
  const rows = await rowsOfIndexPage<R>(db, matching, asked, selected)
  return { rows, total: totalFromLastPage(rows.length, asked) ?? (await counted()) ?? (await countOf(matching)) }
}

/** How many there are, as the last page tells by itself: what is not full, and has something on it or none before it. */
function totalFromLastPage(count: number, { page, perPage }: EventQuery): number | undefined {
  return count < perPage && (count > 0 || page === 1) ? (page - 1) * perPage + count : undefined
}

/** The same page for a visitor, without the work of counting what is on the others. */
export async function listEventsUncounted(
  db: Db,
  dialect: Dialect,
  viewer: Viewer,
  asked: EventQuery,
): Promise<readonly LinkedEvent[]> {
  const { matching } = await indexEntriesOfPage(db, dialect, viewer, asked)
  const rows = await rowsOfIndexPage<RenderedEventRow>(db, matching, asked, renderedEventColumns)
  return withLinks(db, dialect, rows.map(renderedEventFromRow), viewer)
}

/** The listings of what a visitor asks for, as a query on `listing`, in no order. */
export async function matchingIndexEntries(db: Db, dialect: Dialect, viewer: Viewer, asked: EventQuery) {
  return indexEntriesFor(db, dialect, viewer, asked, await wordSearch(db, dialect, asked))
}

/** The listings that the page asked for is cut from, and how many there are where that is known at once. */
async function indexEntriesOfPage(db: Db, dialect: Dialect, viewer: Viewer, asked: EventQuery) {
  const found = await wordSearch(db, dialect, asked)
  const isWholly = !needsEventConditions(remainingQuery(asked, found))
  const isMatched = found !== undefined && 'match' in found
  // What is latest is not among the first days.
  const before = isMatched && isWholly && !asked.isLatestFirst ? await dayAfterPage(db, found, asked) : undefined
  const matching = await indexEntriesFor(db, dialect, viewer, asked, found, before)
  const counted = async () => {
    if (!isWholly) return undefined
    if (found) return isMatched ? countMatches(db, found, asked) : undefined
    return (await countFromDailyCounts(db, dialect, asked)) ?? (await countByFacetMatch(db, dialect, asked))
  }
  return { matching, counted }
}

type MaybeWordSearch = Awaited<ReturnType<typeof wordSearch>>

/** What is still to be asked: what the index of words answers exactly is not asked of the texts again. */
function remainingQuery(asked: EventQuery, found: MaybeWordSearch): EventQuery {
  return found?.isExact ? { ...asked, search: undefined } : asked
}

async function indexEntriesFor(
  db: Db,
  dialect: Dialect,
  viewer: Viewer,
  asked: EventQuery,
  found: MaybeWordSearch,
  before?: Parameters<typeof fullTextIndexEntries>[2],
) {
  const rest = remainingQuery(asked, found)
  const listings =
    found && 'match' in found
      ? fullTextIndexEntries(found, asked, before)
      : await eventIndexFor(db, dialect, asked, found?.conditions)
  const listed = db.selectFrom(listings.as('listing'))
  // Seen once, not with each of them.
  if (rest.search && matchesNothing(rest.search)) return listed.where(sql<SqlBool>`1 = 0`)
  if (!needsEventConditions(rest)) return listed
  return listed.where((e) =>
    // Not “exists”, which PostgreSQL would rather join with all events.
    e(
      e
        .selectFrom('events')
        .innerJoin('records', 'records.id', 'events.record_id')
        .select(sql.lit(1).as('is_met'))
        .whereRef('events.record_id', '=', 'listing.event_id')
        .where((event) => event.and(eventConditions(event, dialect, viewer, rest))),
      '=',
      sql.lit(1),
    ),
  )
}

type IndexEntries = Awaited<ReturnType<typeof matchingIndexEntries>>

async function rowsOfIndexPage<R>(
  db: Db,
  matching: IndexEntries,
  { page, perPage, isLatestFirst }: EventQuery,
  selected: RawBuilder<unknown>,
): Promise<readonly R[]> {
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
