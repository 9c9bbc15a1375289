import { type Addresses, query, routeUrl } from '../../access/http/addresses.ts'
import type { Pairs } from '../../access/http/paging.ts'
import type { LinkedEvent } from '../../calendar/events/event.ts'
import { recordUrl } from '../../calendar/records/record.present.ts'
import type { FeedFormat } from './feed.ts'

/** Address of the events that a list with these parameters has, in this form. */
export function feedUrl(addresses: Addresses, format: FeedFormat, pairs: Pairs = []): string {
  const path = routeUrl(addresses, `/events.${format}`)
  return pairs.length === 0 ? path : `${path}?${query(pairs)}`
}

/** Address of one event as a calendar: below its page. */
export function eventCalendarUrl(addresses: Addresses, event: LinkedEvent): string {
  return `${recordUrl(addresses, event)}ical/`
}

/** The same address for programs that subscribe to calendars: where they are installed, a click on it opens them. */
export function webcalUrl(url: string): string {
  return url.replace(/^https?:/, 'webcal:')
}
