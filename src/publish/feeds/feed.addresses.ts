import { type Addresses, query, routeUrl } from '../../access/http/addresses.ts'
import type { QueryPairs } from '../../access/http/arguments/paging.ts'
import type { LinkedEvent } from '../../calendar/events/model/event.ts'
import { recordUrl } from '../../calendar/records/record.present.ts'
import type { FeedFormat } from './feed.ts'

/** Returns the address of a feed in this format. It has the events of the list with these parameters. */
export function feedUrl(addresses: Addresses, format: FeedFormat, pairs: QueryPairs = []): string {
  const path = routeUrl(addresses, `/events.${format}`)
  return pairs.length === 0 ? path : `${path}?${query(pairs)}`
}

/** Returns the address of one event as a calendar: below its page. */
export function eventCalendarUrl(addresses: Addresses, event: LinkedEvent): string {
  return `${recordUrl(addresses, event)}ical/`
}
