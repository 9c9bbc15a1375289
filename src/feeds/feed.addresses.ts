import type { LinkedEvent } from '../events/event.ts'
import { type Addresses, query, routeUrl } from '../http/addresses.ts'
import type { Pairs } from '../http/paging.ts'
import { recordUrl } from '../records/record.present.ts'
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
