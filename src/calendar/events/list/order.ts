import { accepted } from '../../../access/http/arguments/argument.rules.ts'
import { wordSchema } from '../../../access/http/arguments/argument.schema.ts'
import type { Argument, ArgumentRule, Arguments, ArgumentValues } from '../../../access/http/arguments/argument.ts'
import type { EventQuery } from './query.ts'

// Lists of events in another order than that of their starts.

const ORDERS = ['start', 'title', 'status', 'modified', 'published', 'created'] as const
const DIRECTIONS = ['asc', 'desc'] as const
/** Words that clients of the reference send, which ignores all of them (rulings.md 43). */
const OTHER_WORDS: Readonly<Record<string, (typeof ORDERS)[number]>> = {
  date: 'start',
  event_date: 'start',
  start_date: 'start',
}

/** One of these words in any letter case. Any other value has no effect. */
function knownWord<const W extends string>(
  words: readonly W[],
  others: Readonly<Record<string, W>> = {},
): ArgumentRule<W | undefined> {
  return (raw) => {
    const sent = typeof raw === 'string' ? raw.trim().toLowerCase() : ''
    const word = words.find((one) => one === sent) ?? (Object.hasOwn(others, sent) ? others[sent] : undefined)
    return word === undefined ? { value: undefined, isIgnored: true } : accepted(word)
  }
}

/** A feed may have another default. */
const orderby: Argument<(typeof ORDERS)[number] | undefined> = {
  read: knownWord(ORDERS, OTHER_WORDS),
  description: 'orderby.events',
  schema: wordSchema(ORDERS),
  isExtension: true,
}

export const orderArguments = {
  orderby,
  order: {
    read: knownWord(DIRECTIONS),
    description: 'order.events',
    schema: wordSchema(DIRECTIONS),
    isExtension: true,
  },
} as const satisfies Arguments

/**
 * Returns the order of a query. Without a direction, the earliest start, the first title or state, the last change and the
 * last publication are first.
 */
export function orderFrom({
  orderby,
  order,
}: ArgumentValues<typeof orderArguments>): Pick<EventQuery, 'isLatestFirst' | 'order'> {
  if (orderby === undefined && order === undefined) return {}
  if (orderby === undefined || orderby === 'start') return { isLatestFirst: order === 'desc' }
  const usual = orderby === 'title' || orderby === 'status' ? 'asc' : 'desc'
  return { order: { by: orderby, isDescending: (order ?? usual) === 'desc' } }
}
