import { query } from '../../access/http/addresses.ts'
import { dayOf, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { isoUtc } from '../../base/time/wire.ts'
import { epochSecondsOf } from '../../base/time/zone.ts'
import { addDays } from './date.texts.ts'
import type { PageCall } from './frame/page.ts'
import { today } from './list/event.lists.ts'
import type { PageFilters } from './list/filters.ts'
import { notOver } from './page.addresses.ts'

// Parameters of feeds that contain the events of a page. Feeds take the same parameters as the interface.

type QueryPairs = readonly (readonly [string, string])[]

/**
 * Returns parameters that select the events that overlap these days. Either bound may be missing. Without both, these are
 * the events that are not over, as long as somebody subscribes to them.
 */
export function ofDays(call: PageCall, from?: LocalDateTime, to?: LocalDateTime): QueryPairs {
  if (from === undefined && to === undefined) return notOver(call)
  return [
    ...(from === undefined ? [] : [['ends_after', dayOf(addDays(from, -1))] as const]),
    ...(to === undefined ? [] : [['starts_before', dayOf(to)] as const]),
  ]
}

/** Returns parameters that select past events. */
export function ofPast(call: PageCall): QueryPairs {
  const { siteZone } = call.deps.config
  return [
    ['strict_dates', '1'],
    ['ends_before', isoUtc(epochSecondsOf(today(call), siteZone))],
  ]
}

/** Returns parameters for the active filters, except those of days. */
export function ofFilters({ values, named, isImpossible }: PageFilters): QueryPairs {
  // The interface refuses a filter that names a missing record. No event ends before year 1, so the feed is empty.
  if (isImpossible) return [['ends_before', '0001-01-01']]
  const pairs = [
    ['search', values.search],
    ['categories', named.category?.asked],
    ['tags', named.tag?.asked],
    ['venue', named.venue?.asked],
    ['featured', values.featured],
  ] as const
  return pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

export function feedQuery(...parts: readonly QueryPairs[]): string {
  return query(parts.flat())
}
