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
import type { EventTimes } from '../../calendar/events/event.ts'
import type { ZonesInUse } from './feed.zones.ts'
import { line, textLine } from './ical.lines.ts'

const daySeconds = 86_400
/** Nobody's summer lasts longer; what is put forward for longer has moved for good. */
const longestSummerSeconds = 300 * daySeconds
/** From when on a zone's clocks are said to be as they are where they have never changed: the first year of the calendar. */
const beginning = '1601-01-01 00:00:00' as LocalDateTime

/**
 * Start and end of an event. Whole days are dates, the end being the day after the last one (RFC 5545, 3.6.1). What has
 * no length has no end.
 */
export function timeLines({ start, end, startUtc, endUtc, zone, isAllDay }: EventTimes): readonly string[] {
  if (isAllDay) {
    const dayAfter = addSeconds(startOfDay(end), daySeconds)
    return [
      line('DTSTART', compact(dayOf(start)), { VALUE: 'DATE' }),
      line('DTEND', compact(dayOf(dayAfter)), { VALUE: 'DATE' }),
    ]
  }
  return [
    timeLine('DTSTART', { localDateTime: start, seconds: startUtc, zone }),
    ...(endUtc > startUtc ? [timeLine('DTEND', { localDateTime: end, seconds: endUtc, zone })] : []),
  ]
}

/** `20300501T190000Z`. */
export function instant(seconds: number): string {
  return `${compactTime(localDateTimeAt(seconds, utcZone))}Z`
}

/** A moment as a clock shows it, and in seconds since 1970. */
interface ZonedTime {
  readonly localDateTime: LocalDateTime
  readonly seconds: number
  readonly zone: Zone
}

/**
 * A time on the clock of its zone. An offset has no rules that a reader would need; and an hour that occurs twice, of
 * which the first is meant (RFC 5545, 3.3.5), some readers take for the second: where that matters the instant is said.
 */
function timeLine(name: string, { localDateTime, seconds, zone }: ZonedTime): string {
  return isFixedZone(zone) || isReadOtherwise(localDateTime, seconds, zone)
    ? line(name, instant(seconds))
    : line(name, compactTime(localDateTime), { TZID: zone.id })
}

/** Whether the clock shows `localDateTime` at another moment as well, or not at this one: a zone's rules may have changed since. */
function isReadOtherwise(localDateTime: LocalDateTime, seconds: number, zone: Zone): boolean {
  const { from, to, offset } = offsetPeriodAt(seconds, zone)
  const shown = secondsOfLocalDateTime(localDateTime)
  const isBefore = from !== Number.NEGATIVE_INFINITY && shown < from + offsetAt(from - 1, zone)
  const isAfter = to !== Number.POSITIVE_INFINITY && shown >= to + offsetAt(to, zone)
  return shown !== seconds + offset || isBefore || isAfter
}

/**
 * The zones on whose clocks events are, each with all changes of its clocks in the years of the events: what is
 * between is of no use to them, and rules of today are not those of every year. They are named in the language of the feed.
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

/** The offset periods of these years, in order, each once. */
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
  // RFC 5545, 3.6.5: on the clock as it was until then.
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

/** `-0500`; with seconds where it has some, as before zones were made. */
function utcOffset(seconds: number): string {
  const [, , hours, minutes, rest] =
    /^(.{10}) (\d\d):(\d\d):(\d\d)$/.exec(localDateTimeFromSeconds(Math.abs(seconds))) ?? []
  return `${seconds < 0 ? '-' : '+'}${hours}${minutes}${rest === '00' ? '' : rest}`
}

/** `2030-05-01` → `20300501`. */
function compact(date: string): string {
  return date.replaceAll('-', '')
}

function compactTime(localDateTime: LocalDateTime): string {
  return localDateTime.replace(/[-:]/g, '').replace(' ', 'T')
}
