import { query } from '../../access/http/addresses.ts'
import { dayOf, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { isoUtc } from '../../base/time/wire.ts'
import { epochSecondsOf } from '../../base/time/zone.ts'
import { addDays } from './dates.ts'
import { today } from './list/event.lists.ts'
import type { PageFilters } from './list/filters.ts'
import type { PageCall } from './page.ts'

// What feeds are asked for so that they have the events of a page. They are asked as the interface is.

type QueryPairs = readonly (readonly [string, string])[]

/** Whatever has anything of these days in it; either may be missing. */
export function ofDays(from: LocalDateTime | undefined, to: LocalDateTime | undefined): QueryPairs {
  return [
    ...(from === undefined ? [] : [['ends_after', dayOf(addDays(from, -1))] as const]),
    ...(to === undefined ? [] : [['starts_before', dayOf(to)] as const]),
  ]
}

/** What is over. */
export function ofPast(call: PageCall): QueryPairs {
  const { siteZone } = call.deps.config
  return [
    ['strict_dates', '1'],
    ['ends_before', isoUtc(epochSecondsOf(today(call), siteZone))],
  ]
}

/** The filters that are in force, but for those of days. */
export function ofFilters({ values, named, isImpossible }: PageFilters): QueryPairs {
  // What is not there cannot be asked for: the interface would refuse it. No event ends before all years.
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
