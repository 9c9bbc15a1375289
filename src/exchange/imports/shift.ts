import { addSeconds, secondsOfWall, startOfDay, type Wall } from '../../base/time/wall.ts'
import { wallAt, type Zone } from '../../base/time/zone.ts'

const daySeconds = 86_400
const weekDays = 7

/**
 * By how many days events must move so that none starts before tomorrow on its own clock: whole weeks, so that
 * weekdays stay; 0 where all of them lie ahead.
 *
 * @param now Whole seconds since 1970, UTC.
 */
export function weeksAhead(events: readonly { readonly start: Wall; readonly zone: Zone }[], now: number): number {
  const missing = events.map(({ start, zone }) => daysBetween(start, wallAt(now, zone)) + 1)
  return Math.ceil(missing.reduce((most, days) => Math.max(most, days), 0) / weekDays) * weekDays
}

/** The same time of day, so many days later. */
export function addDays(wall: Wall, days: number): Wall {
  return addSeconds(wall, days * daySeconds)
}

function daysBetween(from: Wall, to: Wall): number {
  return (secondsOfWall(startOfDay(to)) - secondsOfWall(startOfDay(from))) / daySeconds
}
