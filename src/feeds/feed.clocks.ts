import type { EventTimes } from '../events/event.ts'
import { isFixedZone, type Zone } from '../time/zone.ts'

/** Zones by their ids, each with the years that events on its clocks are in. */
export type ClocksInUse = Map<string, { readonly zone: Zone; readonly years: Set<number> }>

/** Adds the zone on whose clocks an event is, where it has changes of clocks that a reader would need. */
export function noteClocks(clocks: ClocksInUse, { start, end, zone, isAllDay }: EventTimes): void {
  if (isAllDay || isFixedZone(zone)) return
  const known = clocks.get(zone.id) ?? { zone, years: new Set() }
  known.years.add(yearOf(start)).add(yearOf(end))
  clocks.set(zone.id, known)
}

function yearOf(wall: string): number {
  return Number(wall.slice(0, 4))
}
