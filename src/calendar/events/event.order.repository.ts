import { type RawBuilder, sql } from 'kysely'
import type { EventOrder } from './event.query.ts'

/** Returns what a list is ordered by. Equal ones are in the order of their ids.  */
const orderKeys: Readonly<Record<EventOrder['by'], (table: string) => RawBuilder<unknown>>> = {
  // The beginning of the title: see the index `records_event_title`.
  title: (table) => sql`substr(${sql.ref(`${table}.title_folded`)}, 1, 200)`,
  status: (table) => sql.ref(`${table}.status`),
  modified: (table) => sql.ref(`${table}.modified_at`),
  created: (table) => sql.ref(`${table}.id`),
}

/**
 * Returns the order of the rows of `records`.
 *
 * @param id The column with the id of the event, if it is read from another table.
 */
export function inOrder({ by, isDescending }: EventOrder, id = 'records.id'): RawBuilder<unknown> {
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  return by === 'created'
    ? sql`${sql.ref(id)} ${direction}`
    : sql`${orderKeys[by]('records')} ${direction}, ${sql.ref(id)} ${direction}`
}
