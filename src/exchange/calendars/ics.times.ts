import type ICAL from 'ical.js'
import { addSeconds, isLocalDateTime, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { epochSecondsOf, localDateTimeAt, offsetAt, parseZone, utcZone, type Zone } from '../../base/time/zone.ts'
import type { Property } from './ics.parts.ts'
import { zoneOfWindows } from './windows.zones.ts'

/** A day, or a local time in a zone. */
export interface Moment {
  readonly local: LocalDateTime
  readonly isDay: boolean
  /** Undefined: of any zone, that of a day or of a floating time. */
  readonly zone: Zone | undefined
}

/** Returns the local time of a moment in a zone. */
export function localIn({ local, isDay, zone: own }: Moment, zone: Zone): LocalDateTime {
  return isDay || own === undefined || own.id === zone.id ? local : localDateTimeAt(epochSecondsOf(local, own), zone)
}

/** Returns an instant as text. */
export function instantText(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
}

/** Returns a moment as the interface takes it: in its own zone as a local time, in another one as an instant. */
export function sentTime(moment: Moment, zone: Zone): string {
  if (moment.isDay) return moment.local.slice(0, 10)
  if (moment.zone === undefined || moment.zone.id === zone.id) return moment.local
  return instantText(epochSecondsOf(moment.local, moment.zone))
}

/** Finds the time zones that a calendar names. */
export interface CalendarZones {
  readonly momentsOf: (property: Property | undefined) => readonly Moment[]
  /** The names that mean nothing. */
  readonly unknown: ReadonlySet<string>
}

interface ZoneSource {
  readonly ical: typeof ICAL
  /** The zone of times that have none. */
  readonly usual: Zone
  /** The definitions in the calendar, by name. */
  readonly defined: ReadonlyMap<string, string>
}

const form = /^(\d{4}-\d\d-\d\d)(?:T(?::*|(\d\d:\d\d:\d\d)(Z?)))?$/

export function calendarZones(source: ZoneSource): CalendarZones {
  const known = new Map<string, Zone | undefined>()
  const unknown = new Set<string>()

  const zoneOf = (name: string, year: number): Zone | undefined => {
    if (!known.has(name)) known.set(name, zoneNamed(name) ?? zoneDefined(source, name, year) ?? zoneShort(name))
    const zone = known.get(name)
    if (!zone) unknown.add(name)
    return zone
  }
  const momentOf = (value: unknown, tzid: string | undefined): readonly Moment[] => {
    // A period begins with its start.
    const text = Array.isArray(value) ? String(value[0]) : String(value)
    const [, day, time, utc] = form.exec(text) ?? []
    const local = time === '24:00:00' ? endOfDay(`${day} 00:00:00`) : `${day} ${time ?? '00:00:00'}`
    if (day === undefined || !isLocalDateTime(local)) return []
    if (time === undefined) return [{ local, isDay: true, zone: undefined }]
    if (utc) return [{ local, isDay: false, zone: utcZone }]
    const zone = tzid === undefined ? undefined : zoneOf(tzid, Number(day.slice(0, 4)))
    return [{ local, isDay: false, zone }]
  }
  return {
    momentsOf: (property) => {
      const tzid = property?.params.tzid
      const name = typeof tzid === 'string' ? tzid : undefined
      return property?.values.flatMap((value) => momentOf(value, name)) ?? []
    },
    unknown,
  }
}

const endOfDay = (local: string) => (isLocalDateTime(local) ? addSeconds(local, 86_400) : local)

/** A zone by a name that others have written for another zone, too: “CET”, “EST5EDT”, “GMT+0200”. */
function zoneShort(name: string): Zone | undefined {
  return /^[A-Z]{3}(?:\d[A-Z]{3})?$/.test(name)
    ? parseZone(name)
    : parseZone(name.replace(/^(?:UTC|GMT)?([+-]\d\d):?(\d\d)$/, '$1:$2'))
}

/** A zone by its name: of the tz database, also at the end of a longer name, or of Windows. */
export function zoneNamed(name: string): Zone | undefined {
  const parts = name.split('/')
  const ends = [name, parts.slice(-3).join('/'), parts.slice(-2).join('/')]
  for (const end of ends) {
    const zone = /^\w+(\/[\w+-]+)+$|^(UTC|GMT|Z)$/.test(end) ? parseZone(end === 'Z' ? 'UTC' : end) : undefined
    if (zone) return zone
  }
  const windows = zoneOfWindows(name)
  return windows === undefined ? undefined : parseZone(windows)
}

/** A zone by its definition: the first that has the same offsets in that year, that of the site before others. */
function zoneDefined({ ical, usual, defined }: ZoneSource, name: string, year: number): Zone | undefined {
  const definition = defined.get(name)
  if (definition === undefined) return undefined
  const located = /^X-LIC-LOCATION[^:]*:(.*)$/im.exec(definition)?.[1]?.trim()
  const named = located ? zoneNamed(located) : undefined
  if (named) return named
  try {
    const own = new ical.Timezone(new ical.Component(ical.parse(definition)))
    const days = Array.from({ length: 24 }, (_, half) => ({ year, month: 1 + (half >> 1), day: 1 + (half % 2) * 14 }))
    const offsets = days.map((day) => own.utcOffset(ical.Time.fromData({ ...day, hour: 12 })))
    const isSame = (zone: Zone) =>
      days.every(({ month, day }, place) => {
        const noon = Date.UTC(year, month - 1, day, 12) / 1000
        return offsetAt(noon - (offsets[place] ?? 0), zone) === offsets[place]
      })
    const names = [usual.name, ...Intl.supportedValuesOf('timeZone')]
    return names.map((one) => parseZone(one)).find((zone) => zone !== undefined && isSame(zone))
  } catch {
    return undefined
  }
}
