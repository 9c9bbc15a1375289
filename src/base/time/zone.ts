import { LRUCache } from 'lru-cache'
import { type LocalDateTime, localDateTimeFromSeconds, secondsOfLocalDateTime } from './local.date.time.ts'
import { zoneLetterRows } from './zone-letters.ts'

/**
 * The time zone of an event.
 *
 * `name` is stored and shown, in the letter case in which it was sent. `id` is used to compute: a tz database name or
 * `±hh:mm`. `isManual` marks the `UTC±h` forms, which are shown by their own name.
 */
export type Zone = { readonly name: string; readonly id: string; readonly isManual: boolean }

/** UTC as a zone, with the name `UTC`. */
export const utcZone: Zone = { name: 'UTC', id: 'UTC', isManual: false }

const longestName = 64
/** Names come from clients, so the cache is bounded. */
const zonesByName = new LRUCache<string, { readonly zone: Zone | undefined }>({ max: 2000 })

/**
 * Returns the zone of this name, or undefined if there is none.
 *
 * Accepted: names and aliases of the tz database in any letter case; `+03:00`; `UTC±h`, `UTC±h.frac`, `UTC±h:mm`,
 * `GMT±h`, in exactly this letter case; the usual abbreviations (`PST`), as the fixed offsets of their names. Fixed
 * offsets are −12 to +14 hours in quarters. The caller handles an empty name, which means the zone of the site.
 *
 * @see events.md §3 "timezone", §8 row 10; rulings.md 32
 */
export function parseZone(name: string): Zone | undefined {
  if (name.length > longestName) return undefined
  const known = zonesByName.get(name)
  if (known) return known.zone
  const zone = readZone(name)
  zonesByName.set(name, { zone })
  return zone
}

/**
 * Returns the seconds since 1970 when the local time in `zone` is `localDateTime`. The first of two such moments. In a
 * gap, the moment later by the length of the gap (RFC 5545, 3.3.5).
 */
export function epochSecondsOf(localDateTime: LocalDateTime, zone: Zone): number {
  const fixed = fixedOffset(zone.id)
  if (fixed !== undefined) return secondsOfLocalDateTime(localDateTime) - fixed
  // Far from any offset change, there is exactly one such moment, and the offset period determines it.
  const seconds = secondsOfLocalDateTime(localDateTime)
  const { from, to, offset } = offsetPeriodAt(seconds, zone)
  if (from + changeSeconds < seconds && seconds < to - changeSeconds) return seconds - offset
  const moment = Temporal.PlainDateTime.from(localDateTime).toZonedDateTime(zone.id, { disambiguation: 'compatible' })
  return Math.floor(moment.epochMilliseconds / 1000)
}

/** Local time is never further from UTC, before a change or after it. */
const changeSeconds = 2 * 86_400

/** Returns the local date and time in `zone` at `seconds` since 1970. Clamped to the years 0001 to 9999. */
export function localDateTimeAt(seconds: number, zone: Zone): LocalDateTime {
  return localDateTimeFromSeconds(seconds + offsetAt(seconds, zone))
}

/** Returns the seconds by which local time in `zone` is ahead of UTC at `seconds` since 1970. */
export function offsetAt(seconds: number, zone: Zone): number {
  const fixed = fixedOffset(zone.id)
  if (fixed !== undefined) return fixed
  return offsetPeriodAt(seconds, zone).offset
}

/**
 * A UTC offset period: the time between two offset changes of a zone, in seconds since 1970. One of the two ends may be
 * infinite.
 */
export interface OffsetPeriod {
  readonly from: number
  readonly to: number
  /** Seconds by which local time is ahead of UTC. */
  readonly offset: number
}

/** Returns the UTC offset period that contains `seconds` since 1970. */
export function offsetPeriodAt(seconds: number, zone: Zone): OffsetPeriod {
  const known = offsetPeriodsByZone.get(zone.id) ?? []
  return known.find(({ from, to }) => from <= seconds && seconds < to) ?? findOffsetPeriod(seconds, zone.id, known)
}

/** Whether the offset of `zone` never changes because it is an offset, or UTC by name. */
export function isFixedZone({ id }: Zone): boolean {
  return fixedOffset(id) !== undefined
}

/** The most recently used offset periods. Events of a calendar are mostly in the same few. */
const offsetPeriodsByZone = new Map<string, readonly OffsetPeriod[]>()
const maxOffsetPeriods = 64

function findOffsetPeriod(seconds: number, zoneId: string, known: readonly OffsetPeriod[]): OffsetPeriod {
  const at = (second: number) => Temporal.Instant.fromEpochMilliseconds(second * 1000).toZonedDateTimeISO(zoneId)
  const second = Math.floor(seconds)
  const secondOf = (change: Temporal.ZonedDateTime | null) => change && Math.floor(change.epochMilliseconds / 1000)
  const offsetPeriod = {
    // A second later, because a change at this very second belongs to the previous ones.
    from: secondOf(at(second + 1).getTimeZoneTransition('previous')) ?? Number.NEGATIVE_INFINITY,
    to: secondOf(at(second).getTimeZoneTransition('next')) ?? Number.POSITIVE_INFINITY,
    offset: Math.round(at(second).offsetNanoseconds / 1e9),
  }
  offsetPeriodsByZone.set(zoneId, [offsetPeriod, ...known.slice(0, maxOffsetPeriods - 1)])
  return offsetPeriod
}

/**
 * Returns the abbreviation of `zone` at `seconds` since 1970: `EST`, `EDT`; `+0545` if the tz database has none;
 * `GMT+0300` for a bare offset; the name itself for a manual zone.
 *
 * @see events.md §2 "timezone_abbr"
 */
export function abbreviation(seconds: number, zone: Zone): string {
  if (zone.isManual) return zone.name
  const offset = offsetAt(seconds, zone)
  if (/^[+-]/.test(zone.id)) {
    return offsetByAbbreviation.has(zone.name.toUpperCase())
      ? zone.name.toUpperCase()
      : `GMT${formatOffset(offset, '')}`
  }
  return abbreviationsByZone.get(zone.id)?.get(offset / 60) ?? shortOffset(offset)
}

/** True if local time is UTC by name: `UTC` and manual zero. `Etc/UTC` is another zone (events.md §1 "Dates"). */
export function isUtc(zone: Zone): boolean {
  return zone.id === 'UTC' || (zone.isManual && zone.id === '+00:00')
}

/** Returns `+03:00` or `-03:30`. With an empty `separator`, `+0300`. Seconds of an offset are dropped. */
export function formatOffset(offsetSeconds: number, separator: ':' | ''): string {
  const minutes = Math.floor(Math.abs(offsetSeconds) / 60)
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0')
  return `${offsetSeconds < 0 ? '-' : '+'}${hours}${separator}${String(minutes % 60).padStart(2, '0')}`
}

/**
 * Abbreviations with one widely understood meaning, as hours ahead of UTC. Abbreviations that several countries share
 * (`IST`, `CST` of China) are read the American way or left out.
 */
const offsetByAbbreviation: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ NST: -3.5, NDT: -2.5, AST: -4, ADT: -3, EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6 },
    ...{ PST: -8, PDT: -7, AKST: -9, AKDT: -8, HST: -10 },
    ...{ WET: 0, WEST: 1, BST: 1, CET: 1, CEST: 2, MET: 1, MEST: 2, EET: 2, EEST: 3, MSK: 3, SAST: 2 },
    ...{ JST: 9, KST: 9, AWST: 8, ACST: 9.5, ACDT: 10.5, AEST: 10, AEDT: 11, NZST: 12, NZDT: 13 },
    ...{ Z: 0, GMT: 0, UTC: 0 },
  }),
)

/** Returns the seconds ahead of UTC of an abbreviation (`EST`, `Z`; any letter case), or undefined. */
export function offsetOfAbbreviation(letters: string): number | undefined {
  const hours = offsetByAbbreviation.get(letters.toUpperCase())
  return hours === undefined ? undefined : hours * 3600
}

const abbreviationsByZone: ReadonlyMap<string, ReadonlyMap<number, string>> = new Map(
  zoneLetterRows.flatMap(([letters, zones]) => {
    const words = letters.split(' ')
    const byMinutes = new Map<number, string>()
    for (let index = 0; index + 1 < words.length; index += 2)
      byMinutes.set(Number(words[index]), words[index + 1] ?? '')
    return zones.split(' ').map((zone) => [zone, byMinutes] as const)
  }),
)

function readZone(name: string): Zone | undefined {
  if (/^utc$/i.test(name)) return { name, id: 'UTC', isManual: false }
  const known = tzDatabaseId(name)
  if (known !== undefined) return { name, id: known, isManual: false }

  const offset = /^(UTC|GMT|)([+-])(\d{1,2})(?:(\.\d{1,2})|:?(\d\d))?$/.exec(name)
  if (offset !== null) {
    const [, prefix = '', sign, hours, fraction = '0', minutes = '0'] = offset
    const id = offsetId(
      (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(fraction) * 60 + Number(minutes)),
      minutes,
    )
    return id === undefined ? undefined : { name, id, isManual: prefix === 'UTC' }
  }

  // A lone `Z` is an offset in a date text, but not the name of a zone.
  const hours = name.length > 1 ? offsetByAbbreviation.get(name.toUpperCase()) : undefined
  return hours === undefined ? undefined : { name, id: formatOffset(hours * 3600, ':'), isManual: false }
}

/** Returns the canonical spelling of a tz database name, or undefined if the database does not have it. */
function tzDatabaseId(name: string): string | undefined {
  if (!/^[a-z][a-z0-9_+/-]*$/i.test(name)) return undefined
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId
  } catch (error) {
    if (error instanceof RangeError) return undefined // The only way to find out whether a zone is known.
    throw error
  }
}

/** Contract (events.md §8 row 10): −12 to +14 hours, in quarters. */
function offsetId(minutes: number, writtenMinutes: string): string | undefined {
  const isInRange = minutes >= -12 * 60 && minutes <= 14 * 60 && Number(writtenMinutes) < 60
  return isInRange && minutes % 15 === 0 ? formatOffset(minutes * 60, ':') : undefined
}

/**
 * Returns the seconds ahead of UTC if the id itself states them, without a lookup in the tz database. Otherwise
 * undefined.
 */
function fixedOffset(id: string): number | undefined {
  if (id === 'UTC') return 0
  const sign = id.charAt(0)
  if (sign !== '+' && sign !== '-') return undefined
  const seconds = Number(id.slice(1, 3)) * 3600 + Number(id.slice(4, 6)) * 60
  return sign === '-' ? -seconds : seconds
}

/** Returns `-03` or `+0545`, as the tz database names zones without letters. */
function shortOffset(offsetSeconds: number): string {
  return formatOffset(offsetSeconds, '').replace(/00$/, '')
}
