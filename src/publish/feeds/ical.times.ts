import type { TextLanguage } from '../../base/languages/language.ts'
import { zoneAbbreviation } from '../../base/languages/zone.names.ts'
import {
  addSeconds,
  dayOf,
  type LocalDateTime,
  localDateTimeFromSeconds,
  secondsOfLocalDateTime,
  startOfDay,
} from '../../base/time/local.date.time.ts'
import {
  epochSecondsOf,
  isFixedZone,
  localDateTimeAt,
  type OffsetPeriod,
  offsetAt,
  offsetPeriodAt,
  utcZone,
  type Zone,
} from '../../base/time/zone.ts'
import type { EventTimes } from '../../calendar/events/model/event.ts'
import { memoizePerObject } from '../../storage/database/derived.values.ts'
import type { ZonesInUse } from './feed.zones.ts'
import { line, madeLine, parameterValue, textLine } from './ical.lines.ts'

const daySeconds = 86_400
/** No offset change is longer. */
const longestChangeSeconds = 2 * daySeconds
/** No summer time lasts longer. A longer change of the offset is permanent. */
const longestSummerSeconds = 300 * daySeconds
/** The start of the calendar's first year. A time zone without offset changes is described from here. */
const beginning = '1601-01-01 00:00:00' as LocalDateTime

/**
 * Returns the start and end of an event. All-day events have dates, and their end is the day after the last one
 * (RFC 5545, 3.6.1). An event without a duration has no end.
 */
export function timeLines({ start, end, startUtc, endUtc, zone, isAllDay }: EventTimes): readonly string[] {
  if (isAllDay) {
    const dayAfter = addSeconds(startOfDay(end), daySeconds)
    return [
      madeLine('DTSTART;VALUE=DATE', compact(dayOf(start))),
      madeLine('DTEND;VALUE=DATE', compact(dayOf(dayAfter))),
    ]
  }
  return [
    timeLine('DTSTART', { localDateTime: start, seconds: startUtc, zone }),
    ...(endUtc > startUtc ? [timeLine('DTEND', { localDateTime: end, seconds: endUtc, zone })] : []),
  ]
}

/** Formats an instant: `20300501T190000Z`. */
export function instant(seconds: number): string {
  return `${compactTime(localDateTimeAt(seconds, utcZone))}Z`
}

/** A local date and time, with the same moment in seconds since 1970. */
interface ZonedTime {
  readonly localDateTime: LocalDateTime
  readonly seconds: number
  readonly zone: Zone
}

/**
 * Returns a line with a local time and its time zone, or with an instant. A fixed offset has no rules that a reader
 * needs. If an hour occurs twice, RFC 5545, 3.3.5 means the first one, but some readers take the second, so both are
 * written as instants.
 */
function timeLine(name: string, { localDateTime, seconds, zone }: ZonedTime): string {
  return isFixedZone(zone) || isReadOtherwise(localDateTime, seconds, zone)
    ? madeLine(name, instant(seconds))
    : madeLine(`${name};TZID=${zoneValue(zone)}`, compactTime(localDateTime))
}

const zoneValue = memoizePerObject(({ id }: Zone) => parameterValue(id))

/**
 * Returns true if `localDateTime` also occurs at another moment, or not at this one, because a zone's rules may have
 * changed.
 */
export function isReadOtherwise(localDateTime: LocalDateTime, seconds: number, zone: Zone): boolean {
  const { from, to, offset } = offsetPeriodAt(seconds, zone)
  const shown = secondsOfLocalDateTime(localDateTime)
  const isFarFromChange = from + longestChangeSeconds < seconds && seconds < to - longestChangeSeconds
  if (isFarFromChange) return shown !== seconds + offset
  const isBefore = from !== Number.NEGATIVE_INFINITY && shown < from + offsetAt(from - 1, zone)
  const isAfter = to !== Number.POSITIVE_INFINITY && shown >= to + offsetAt(to, zone)
  return shown !== seconds + offset || isBefore || isAfter
}

/**
 * Returns the time zones of the events. Each contains all changes of its offset in the years of the events: other years
 * are of no use to them, and current rules do not apply to every year. The zones have names in the language of the
 * feed.
 */
export function zoneLines(clocks: ZonesInUse, language: TextLanguage): readonly string[] {
  return [...clocks]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([id, { zone, years }]) => [
      line('BEGIN', 'VTIMEZONE'),
      line('TZID', id),
      ...offsetPeriodsIn(
        zone,
        [...years].sort((a, b) => a - b),
      ).flatMap((offsetPeriod) => offsetPeriodLines(offsetPeriod, zone, language)),
      line('END', 'VTIMEZONE'),
    ])
}

/** Returns the UTC offset periods of these years, in order, each once. */
function offsetPeriodsIn(zone: Zone, years: readonly number[]): readonly OffsetPeriod[] {
  const offsetPeriods = new Map<number, OffsetPeriod>()
  for (const year of years) {
    const yearEnd = epochSecondsOf(`${String(year).padStart(4, '0')}-12-31 23:59:59` as LocalDateTime, zone)
    let offsetPeriod = offsetPeriodAt(
      epochSecondsOf(`${String(year).padStart(4, '0')}-01-01 00:00:00` as LocalDateTime, zone),
      zone,
    )
    offsetPeriods.set(offsetPeriod.from, offsetPeriod)
    while (offsetPeriod.to <= yearEnd) {
      offsetPeriod = offsetPeriodAt(offsetPeriod.to, zone)
      offsetPeriods.set(offsetPeriod.from, offsetPeriod)
    }
  }
  return [...offsetPeriods.values()]
}

function offsetPeriodLines(offsetPeriod: OffsetPeriod, zone: Zone, language: TextLanguage): readonly string[] {
  const { from, to, offset } = offsetPeriod
  const isFirst = from === Number.NEGATIVE_INFINITY
  const before = isFirst ? offset : offsetAt(from - 1, zone)
  const name = offset > before && to - from < longestSummerSeconds ? 'DAYLIGHT' : 'STANDARD'
  // RFC 5545, 3.6.5: in the local time before the change.
  const onset = isFirst ? beginning : localDateTimeFromSeconds(from + before)
  const at = isFirst ? secondsOfLocalDateTime(beginning) : from
  return [
    line('BEGIN', name),
    line('DTSTART', compactTime(onset)),
    line('TZOFFSETFROM', utcOffset(before)),
    line('TZOFFSETTO', utcOffset(offset)),
    textLine('TZNAME', zoneAbbreviation(language, at, zone)),
    line('END', name),
  ]
}

/** Formats an offset: `-0500`, with seconds if it has any, as before standard time. */
function utcOffset(seconds: number): string {
  const [, , hours, minutes, rest] =
    /^(.{10}) (\d\d):(\d\d):(\d\d)$/.exec(localDateTimeFromSeconds(Math.abs(seconds))) ?? []
  return `${seconds < 0 ? '-' : '+'}${hours}${minutes}${rest === '00' ? '' : rest}`
}

/** Formats a date: `2030-05-01` → `20300501`. */
export function compact(date: string): string {
  return date.replaceAll('-', '')
}

/** Formats a local time: `20300501T190000`. */
export function compactTime(localDateTime: LocalDateTime): string {
  const text = localDateTime
  return `${text.slice(0, 4)}${text.slice(5, 7)}${text.slice(8, 10)}T${text.slice(11, 13)}${text.slice(14, 16)}${text.slice(17, 19)}`
}
