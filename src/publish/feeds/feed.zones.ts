import { isFixedZone, type Zone } from '../../base/time/zone.ts'
import type { EventTimes } from '../../calendar/events/event.ts'

/** Zones by their ids, each with the years that events on its clocks are in. */
export type ZonesInUse = Map<string, { readonly zone: Zone; readonly years: Set<number> }>

/** Adds the zone on whose clocks an event is, where it has changes of clocks that a reader would need. */
export function noteZone(clocks: ZonesInUse, { start, end, zone, isAllDay }: EventTimes): void {
  if (isAllDay || isFixedZone(zone)) return
  const known = clocks.get(zone.id) ?? { zone, years: new Set() }
  known.years.add(yearOf(start)).add(yearOf(end))
  clocks.set(zone.id, known)
}

function yearOf(localDateTime: string): number {
  return Number(localDateTime.slice(0, 4))
}
