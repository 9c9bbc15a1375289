import { type RawBuilder, sql } from 'kysely'
import type { EventOrder } from './query.ts'

/** What tables have of an event that lists are ordered by. */
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
export function isOrderOfRecords({ by }: EventOrder): boolean {
  return by in recordKeys
}

/** Returns the order of rows of `records`, or of the event index. Equal ones are in the order of their ids. */
export function inOrder({ by, isDescending }: EventOrder, table: keyof typeof tables = 'records'): RawBuilder<unknown> {
  const { id, publishedAt } = tables[table]
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  if (by === 'created') return sql`${sql.ref(id)} ${direction}`
  const key = by === 'published' ? sql.ref(publishedAt) : recordKeys[by]
  return sql`${key} ${direction}, ${sql.ref(id)} ${direction}`
}
