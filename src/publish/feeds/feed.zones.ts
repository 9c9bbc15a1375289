import { isFixedZone, type Zone } from '../../base/time/zone.ts'
import type { EventTimes } from '../../calendar/events/model/event.ts'

/** Time zones by id, each with the years of the events in it. */
export type ZonesInUse = Map<string, { readonly zone: Zone; readonly years: Set<number> }>

/** The time zone of an event, with the years in which the event begins and ends. */
export interface ZoneYears {
  /** Undefined if the zone has no offset changes that a reader needs. */
  readonly zone: Zone | undefined
  readonly firstYear: number
  readonly lastYear: number
}

/** Returns the time zone of an event. */
export function zoneYearsOf({ start, end, zone, isAllDay }: EventTimes): ZoneYears {
  const hasChanges = !isAllDay && !isFixedZone(zone)
  return { zone: hasChanges ? zone : undefined, firstYear: yearOf(start), lastYear: yearOf(end) }
}

/** Adds the time zone of an event. */
export function noteZone(clocks: ZonesInUse, { zone, firstYear, lastYear }: ZoneYears): void {
  if (zone) yearsOf(clocks, zone).add(firstYear).add(lastYear)
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
