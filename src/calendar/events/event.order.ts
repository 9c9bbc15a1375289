import { oneOf } from '../../access/http/argument.rules.ts'
import { wordSchema } from '../../access/http/argument.schema.ts'
import type { Arguments, ArgumentValues } from '../../access/http/argument.ts'
import type { EventQuery } from './event.query.ts'

// Lists of events in another order than that of their starts.

const ORDERS = ['start', 'title', 'status', 'modified', 'created'] as const
const DIRECTIONS = ['asc', 'desc'] as const

export const orderArguments = {
  orderby: { read: oneOf(ORDERS), description: 'orderby.events', schema: wordSchema(ORDERS), isExtension: true },
  order: { read: oneOf(DIRECTIONS), description: 'order.events', schema: wordSchema(DIRECTIONS), isExtension: true },
} as const satisfies Arguments

/** Returns the order of a query. Without a direction, the earliest start, the first title or state and the last change are first. */
export function orderFrom({
  orderby,
  order,
}: ArgumentValues<typeof orderArguments>): Pick<EventQuery, 'isLatestFirst' | 'order'> {
  if (orderby === undefined && order === undefined) return {}
  if (orderby === undefined || orderby === 'start') return { isLatestFirst: order === 'desc' }
  const usual = orderby === 'title' || orderby === 'status' ? 'asc' : 'desc'
  return { order: { by: orderby, isDescending: (order ?? usual) === 'desc' } }
}
