import { type RawBuilder, sql } from 'kysely'
import { bigintParameter } from '../../storage/database/sql.parameters.ts'
import type { IdSet } from '../index/id.set.ts'
import type { ReadContext } from '../translations/viewer.ts'
import type { IndexListPlan } from './event.list.plan.ts'
import type { EventOrder } from './event.query.ts'
import { selectIds } from './event.selection.repository.ts'

/** Up to this number, sorting the events of a list costs less than reading all events in order. */
const mostSorted = 2000
/** Events that are read at a time, in the order of a list. */
const stretch = 5000

/** Returns what a list is ordered by. Equal ones are in the order of their ids. An index by kind has each of these. */
const orderKeys: Readonly<Record<EventOrder['by'], (table: string) => RawBuilder<unknown>>> = {
  // The beginning of the title: see migration 0037.
  title: (table) => sql`substr(${sql.ref(`${table}.title_folded`)}, 1, 200)`,
  status: (table) => sql.ref(`${table}.status`),
  modified: (table) => sql.ref(`${table}.modified_at`),
  created: (table) => sql.ref(`${table}.id`),
}

/** The events of one page, in their order, and the number of all of them. */
interface OrderedPage {
  readonly ids: readonly number[]
  readonly total: number
}

/** Part of a list. */
interface PageRange {
  readonly order: EventOrder
  readonly offset: number
  readonly limit: number
}

/**
 * Returns a page of a list in an order that the event index does not have. Selects all events of the list from the sets.
 * Then it sorts them if they are few, else it reads events in the wanted order until it has found the page.
 */
export async function pageInOrder(context: ReadContext, plan: IndexListPlan, range: PageRange): Promise<OrderedPage> {
  const wanted = await selectIds(context, plan)
  const total = wanted.count()
  const { order, offset, limit } = range
  if (offset >= total) return { ids: [], total }
  if (order.by === 'created') {
    const [from, to] = order.isDescending ? [total - offset - limit, total - offset] : [offset, offset + limit]
    const page = [...wanted.slice(Math.max(0, from), Math.min(to, total))]
    return { ids: order.isDescending ? page.reverse() : page, total }
  }
  return { ids: await (total <= mostSorted ? sorted(context, wanted, range) : found(context, wanted, range)), total }
}

async function sorted(
  { db, dialect }: ReadContext,
  wanted: IdSet,
  { order, offset, limit }: PageRange,
): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from records where ${dialect.isAmong(sql.ref('records.id'), [...wanted])}
    order by ${inOrder(order)} limit ${bigintParameter(limit)} offset ${bigintParameter(offset)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Reads events in order, until those of the page are found. */
async function found(
  { db }: ReadContext,
  wanted: IdSet,
  { order, offset, limit }: PageRange,
): Promise<readonly number[]> {
  const key = orderKeys[order.by]('records')
  const page: number[] = []
  let skipped = 0
  let after: number | undefined
  while (page.length < limit) {
    const isAfter = order.isDescending ? sql`<` : sql`>`
    const ofLast = orderKeys[order.by]('last')
    const rest: RawBuilder<unknown> =
      after === undefined
        ? sql``
        : // SQLite finds the place in an index of an expression only by the expression alone.
          sql`and ${key} ${isAfter}= (select ${ofLast} from records last where last.id = ${after})
            and (${key}, records.id) ${isAfter} (select ${ofLast}, last.id from records last where last.id = ${after})`
    const { rows } = await sql<{ id: number }>`
      select id from records where kind = 'event' ${rest}
      order by ${inOrder(order)} limit ${sql.lit(stretch)}`.execute(db)
    for (const { id } of rows) {
      if (!wanted.has(id)) continue
      if (skipped < offset) skipped += 1
      else if (page.length < limit) page.push(id)
    }
    after = rows.at(-1)?.id
    if (rows.length < stretch) break
  }
  return page
}

export function inOrder({ by, isDescending }: EventOrder): RawBuilder<unknown> {
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  return by === 'created'
    ? sql`records.id ${direction}`
    : sql`${orderKeys[by]('records')} ${direction}, records.id ${direction}`
}
