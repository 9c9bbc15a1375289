import { isFixedZone, type Zone } from '../../base/time/zone.ts'
import type { EventTimes } from '../../calendar/events/event.ts'

/** Time zones by id, each with the years of the events in it. */
export type ZonesInUse = Map<string, { readonly zone: Zone; readonly years: Set<number> }>

/** Adds the time zone of an event, if the zone has offset changes that a reader needs. */
export function noteZone(clocks: ZonesInUse, { start, end, zone, isAllDay }: EventTimes): void {
  if (isAllDay || isFixedZone(zone)) return
  const known = clocks.get(zone.id) ?? { zone, years: new Set() }
  known.years.add(yearOf(start)).add(yearOf(end))
  clocks.set(zone.id, known)
}

/** Adds a time zone with all of these years. */
export function noteZoneYears(
  clocks: ZonesInUse,
  { zone, isAllDay }: Pick<EventTimes, 'zone' | 'isAllDay'>,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  if (isAllDay || isFixedZone(zone)) return
  const known = clocks.get(zone.id) ?? { zone, years: new Set() }
  for (let year = from; year <= to; year += 1) known.years.add(year)
  clocks.set(zone.id, known)
}

export function yearOf(localDateTime: string): number {
  return Number(localDateTime.slice(0, 4))
}
