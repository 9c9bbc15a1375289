import { isFixedZone, type Zone } from '../../base/time/zone.ts'
import type { EventTimes } from '../../calendar/events/event.ts'

/** Time zones by id, each with the years of the events in it. */
export type ZonesInUse = Map<string, { readonly zone: Zone; readonly years: Set<number> }>

/** The time zone of an event, with the years in which it begins and ends. */
export interface ZoneYears {
  readonly zone: Zone
  readonly first: number
  readonly last: number
}

/** Returns the time zone of an event, if the zone has offset changes that a reader needs. */
export function zoneYearsOf({ start, end, zone, isAllDay }: EventTimes): ZoneYears | undefined {
  return isAllDay || isFixedZone(zone) ? undefined : { zone, first: yearOf(start), last: yearOf(end) }
}

/** Adds the time zone of an event with these two years. */
export function noteZone(clocks: ZonesInUse, { zone, first, last }: ZoneYears): void {
  yearsOf(clocks, zone).add(first).add(last)
}

/** Adds a time zone with all of these years. */
export function noteZoneYears(
  clocks: ZonesInUse,
  { zone, isAllDay }: Pick<EventTimes, 'zone' | 'isAllDay'>,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  if (isAllDay || isFixedZone(zone)) return
  const years = yearsOf(clocks, zone)
  for (let year = from; year <= to; year += 1) years.add(year)
}

function yearsOf(clocks: ZonesInUse, zone: Zone): Set<number> {
  const known = clocks.get(zone.id)
  if (known) return known.years
  const years = new Set<number>()
  clocks.set(zone.id, { zone, years })
  return years
}

export function yearOf(localDateTime: string): number {
  return Number(localDateTime.slice(0, 4))
}
