import { parseDateText } from '../../base/time/date-text.ts'
import { addMonths, addSeconds, dayOf, endOfDay, secondsOfWall, startOfDay, type Wall } from '../../base/time/wall.ts'
import { isSameClockAsUtc, offsetAt, offsetDigits, utcOf, utcZone, wallAt, type Zone } from '../../base/time/zone.ts'

/** The dates that a list can be asked for, by their parameters. */
export interface AskedDates {
  readonly start_date: string | undefined
  readonly end_date: string | undefined
  readonly starts_before: string | undefined
  readonly starts_after: string | undefined
  readonly ends_before: string | undefined
  readonly ends_after: string | undefined
}

export type DateName = keyof AskedDates

/** One bound of a list: events whose start or end stands so to a time. */
export interface Bound {
  readonly edge: 'start' | 'end'
  readonly operator: '>=' | '<=' | '>' | '<'
  readonly wall: Wall
}

export interface EventWindow {
  readonly bounds: readonly Bound[]
  /**
   * Whether bounds are held against the instants of events: so on a site on the clock of UTC; everywhere else against
   * their own wall clock, whatever their zone (events.md §1 "Dates").
   */
  readonly isInUtc: boolean
  /** The dates in force as an address shows them. */
  readonly shown: Readonly<Partial<Record<DateName, string>>>
}

const bounds: Readonly<Record<DateName, Pick<Bound, 'edge' | 'operator'>>> = {
  start_date: { edge: 'start', operator: '>=' },
  end_date: { edge: 'end', operator: '<=' },
  starts_before: { edge: 'start', operator: '<' },
  starts_after: { edge: 'start', operator: '>' },
  ends_before: { edge: 'end', operator: '<' },
  ends_after: { edge: 'end', operator: '>' },
}
const relativeNames = ['starts_before', 'starts_after', 'ends_before', 'ends_after'] as const
const daySeconds = 86_400
/** No clock is put forward by more in a day. */
const longestClockChangeSeconds = 2 * 3600
const defaultMonths = 24

/**
 * The window of a list (events.md §1 "Dates", §8 rows 12 to 15): what was sent, or by default from yesterday for two
 * years. Any relative parameter lifts the default; `include` lifts the default and the plain dates.
 */
export function windowOf(asked: AskedDates, { isStrict, hasInclude, siteZone, now }: WindowOptions): EventWindow {
  const isRelative = relativeNames.some((name) => asked[name] !== undefined)
  const names: DateName[] = hasInclude ? [...relativeNames] : ['start_date', 'end_date', ...relativeNames]
  const found: [DateName, Wall][] = []
  for (const name of names) {
    const text = asked[name]
    if (text !== undefined) found.push([name, readBound(name, text, isStrict, siteZone, now)])
    else if (!isRelative && !hasInclude) found.push(...defaultBound(name, isStrict, siteZone, now))
  }
  return {
    bounds: found.map(([name, wall]) => ({ ...bounds[name], wall })),
    isInUtc: isSameClockAsUtc(siteZone),
    shown: Object.fromEntries(found.map(([name, wall]) => [name, isStrict ? withOffset(wall, siteZone) : wall])),
  }
}

export interface WindowOptions {
  readonly isStrict: boolean
  readonly hasInclude: boolean
  readonly siteZone: Zone
  /** Whole seconds since 1970, UTC. */
  readonly now: number
}

/** Contract: a date without an offset is read as UTC, in both modes; whole days keep its day, strict ones its time. */
function readBound(name: DateName, text: string, isStrict: boolean, siteZone: Zone, now: number): Wall {
  const { wall, offsetSeconds } = parseDateText(text, { nowSeconds: now, zone: utcZone })
  const instant = secondsOfWall(wall) - (offsetSeconds ?? 0)
  if (isStrict) return wallAt(instant, siteZone)
  return widened(name, wallAt(instant, utcZone))
}

/** Whole-day mode: a start date begins its day, every other one ends it. */
function widened(name: DateName, wall: Wall): Wall {
  return name === 'start_date' ? startOfDay(wall) : endOfDay(wall)
}

function defaultBound(name: DateName, isStrict: boolean, siteZone: Zone, now: number): readonly [DateName, Wall][] {
  const { start, end } = defaultWindow(now)
  if (name === 'start_date') {
    const wall = wallAt(secondsOfWall(start), siteZone)
    return [[name, isStrict ? wall : startOfDay(wall)]]
  }
  if (name === 'end_date') return [[name, isStrict ? wallAt(secondsOfWall(end), siteZone) : endOfDay(end)]]
  return []
}

/** The default window in UTC: from yesterday, 23:59:00, until two years from now. */
export function defaultWindow(now: number): { readonly start: Wall; readonly end: Wall } {
  const present = wallAt(now, utcZone)
  const yesterday = dayOf(addSeconds(present, -daySeconds))
  return { start: `${yesterday} 23:59:00` as Wall, end: addMonths(present, defaultMonths) }
}

/** The last second of the day that a clock in this zone shows; the earlier one, where clocks change before it. */
export function lastSecondOfDay(now: number, zone: Zone): number {
  const wall = wallAt(now, zone)
  return now + Math.max(0, secondsOfWall(endOfDay(wall)) - secondsOfWall(wall) - longestClockChangeSeconds)
}

/** A strict time in an address carries its offset, unless that is zero: so it is read as the same instant again. */
function withOffset(wall: Wall, siteZone: Zone): string {
  const offset = offsetAt(utcOf(wall, siteZone), siteZone)
  return offset === 0 ? wall : `${wall}${offsetDigits(offset, ':')}`
}
