import { parseDateText } from '../../../base/time/date-text.ts'
import {
  addMonths,
  addSeconds,
  dayOf,
  endOfDay,
  type LocalDateTime,
  secondsOfLocalDateTime,
  startOfDay,
} from '../../../base/time/local.date.time.ts'
import {
  epochSecondsOf,
  formatOffset,
  isUtc,
  localDateTimeAt,
  offsetAt,
  utcZone,
  type Zone,
} from '../../../base/time/zone.ts'
import type { TimeBound, TimeWindow } from '../../index/event.index.ts'

export interface DateParameters {
  readonly start_date: string | undefined
  readonly end_date: string | undefined
  readonly starts_before: string | undefined
  readonly starts_after: string | undefined
  readonly ends_before: string | undefined
  readonly ends_after: string | undefined
}

type DateName = keyof DateParameters

/** The times that a list covers, and the parameters that request the same times again. */
export interface EventWindow extends TimeWindow {
  /** The dates in force, as an address shows them. */
  readonly shown: Readonly<Partial<Record<DateName, string>>>
}

const bounds: Readonly<Record<DateName, Pick<TimeBound, 'edge' | 'operator'>>> = {
  start_date: { edge: 'start', operator: '>=' },
  end_date: { edge: 'end', operator: '<=' },
  starts_before: { edge: 'start', operator: '<' },
  starts_after: { edge: 'start', operator: '>' },
  ends_before: { edge: 'end', operator: '<' },
  ends_after: { edge: 'end', operator: '>' },
}
const relativeNames = ['starts_before', 'starts_after', 'ends_before', 'ends_after'] as const
const daySeconds = 86_400
/** No clock change is longer than this. */
const longestClockChangeSeconds = 2 * 3600
const defaultMonths = 24

/**
 * Returns the window of a list (events.md §1 "Dates", §8 rows 12 to 15): the sent dates, or by default from yesterday
 * for two years. Any relative parameter removes the default. `include` removes the default and the plain dates.
 */
export function windowOf(asked: DateParameters, options: WindowOptions): EventWindow {
  const { isStrict, hasInclude, siteZone } = options
  const isRelative = relativeNames.some((name) => asked[name] !== undefined)
  const names: DateName[] = hasInclude ? [...relativeNames] : ['start_date', 'end_date', ...relativeNames]
  const found: [DateName, LocalDateTime][] = []
  for (const name of names) {
    const text = asked[name]
    if (text !== undefined) found.push([name, readBound(name, text, options)])
    else if (!isRelative && !hasInclude) found.push(...defaultBound(name, options))
  }
  return {
    bounds: found.map(([name, localDateTime]) => ({ ...bounds[name], localDateTime })),
    isInUtc: isUtc(siteZone),
    shown: Object.fromEntries(
      found.map(([name, localDateTime]) => [name, isStrict ? withOffset(localDateTime, siteZone) : localDateTime]),
    ),
  }
}

export interface WindowOptions {
  readonly isStrict: boolean
  readonly hasInclude: boolean
  readonly siteZone: Zone
  /** Whole seconds since 1970, UTC. */
  readonly now: number
}

/** Contract: a date without an offset is UTC in both modes. Whole-day mode keeps its day, strict mode its time. */
function readBound(name: DateName, text: string, { isStrict, siteZone, now }: WindowOptions): LocalDateTime {
  const { localDateTime, offsetSeconds } = parseDateText(text, { nowSeconds: now, zone: utcZone })
  const instant = secondsOfLocalDateTime(localDateTime) - (offsetSeconds ?? 0)
  if (isStrict) return localDateTimeAt(instant, siteZone)
  return widenToDay(name, localDateTimeAt(instant, utcZone))
}

/** Whole-day mode: a start date moves to the beginning of its day, every other date to the end of its day. */
function widenToDay(name: DateName, localDateTime: LocalDateTime): LocalDateTime {
  return name === 'start_date' ? startOfDay(localDateTime) : endOfDay(localDateTime)
}

function defaultBound(
  name: DateName,
  { isStrict, siteZone, now }: WindowOptions,
): readonly [DateName, LocalDateTime][] {
  const { start, end } = defaultWindow(now)
  if (name === 'start_date') {
    const localDateTime = localDateTimeAt(secondsOfLocalDateTime(start), siteZone)
    return [[name, isStrict ? localDateTime : startOfDay(localDateTime)]]
  }
  if (name === 'end_date')
    return [[name, isStrict ? localDateTimeAt(secondsOfLocalDateTime(end), siteZone) : endOfDay(end)]]
  return []
}

/** Returns the default window in UTC: from yesterday, 23:59:00, until two years from now. */
export function defaultWindow(now: number): { readonly start: LocalDateTime; readonly end: LocalDateTime } {
  const present = localDateTimeAt(now, utcZone)
  const yesterday = dayOf(addSeconds(present, -daySeconds))
  return { start: `${yesterday} 23:59:00` as LocalDateTime, end: addMonths(present, defaultMonths) }
}

/**
 * Returns a time at which the current day in this zone has certainly not ended. It is earlier than the last second of the
 * day by the longest clock change, but not earlier than `now`.
 */
export function lastSecondOfDay(now: number, zone: Zone): number {
  const localDateTime = localDateTimeAt(now, zone)
  return (
    now +
    Math.max(
      0,
      secondsOfLocalDateTime(endOfDay(localDateTime)) -
        secondsOfLocalDateTime(localDateTime) -
        longestClockChangeSeconds,
    )
  )
}

/**
 * A strict time in an address has its offset, unless the offset is zero. It then names the same instant when it is read
 * again.
 */
function withOffset(localDateTime: LocalDateTime, siteZone: Zone): string {
  const offset = offsetAt(epochSecondsOf(localDateTime, siteZone), siteZone)
  return offset === 0 ? localDateTime : `${localDateTime}${formatOffset(offset, ':')}`
}
