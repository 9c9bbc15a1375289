import {
  addSeconds,
  dayNumber,
  dayOf,
  endOfDay,
  type LocalDateTime,
  partsOfLocalDateTime,
  secondsOfLocalDateTime,
  weekdayOf,
} from '../../base/time/local.date.time.ts'
import { epochSecondsOf, isFixedZone, isUtc } from '../../base/time/zone.ts'
import type { EventTimes } from '../../calendar/events/model/event.ts'
import type { SeriesSegment } from '../../calendar/occurrences/occurrence.ts'
import { type RecurrenceRule, WEEKDAYS } from '../../calendar/recurrence/recurrence.ts'
import { datesOf } from '../../calendar/recurrence/rule.dates.ts'
import { periodsOf } from '../../calendar/recurrence/rule.periods.ts'
import { ruleText } from '../../calendar/recurrence/rule.text.ts'
import { line, madeLine } from './ical.lines.ts'
import { compact, compactTime, instant, isReadOtherwise, timeLines } from './ical.times.ts'

/** How some dates of a segment repeat: exactly these dates, and no others. */
export interface Repetition {
  readonly start: LocalDateTime
  readonly rule: RecurrenceRule | undefined
  readonly dates: readonly LocalDateTime[]
  /** Dates that the rule gives and that are not wanted, or are ambiguous. */
  readonly except: readonly LocalDateTime[]
}

/** Whether calendars understand the rules of a segment. They know no time zone that is only an offset. */
export function canRepeat({ zone, isAllDay }: SeriesSegment): boolean {
  return isAllDay || isUtc(zone) || !isFixedZone(zone)
}

function timesByRule({ start, end, zone, isAllDay }: SeriesSegment, date: LocalDateTime): EventTimes {
  const until = addSeconds(date, secondsOfLocalDateTime(end) - secondsOfLocalDateTime(start))
  const [startUtc, endUtc] = [epochSecondsOf(date, zone), epochSecondsOf(until, zone)]
  return { start: date, end: until, startUtc, endUtc, zone, isAllDay }
}

/**
 * Whether a clock change skips or repeats a date. Calendars disagree about such dates, even about exceptions that name
 * them, so they are in no repetition.
 */
export function isAmbiguous({ zone, isAllDay }: SeriesSegment, date: LocalDateTime): boolean {
  return !isAllDay && !isFixedZone(zone) && isReadOtherwise(date, epochSecondsOf(date, zone), zone)
}

/**
 * Whether all calendars understand the times of a date alike. They do not if a clock change skips or repeats its start or
 * end, or happens during the event.
 */
export function isPlain(segment: SeriesSegment, date: LocalDateTime): boolean {
  const { start, end, startUtc, endUtc, zone, isAllDay } = timesByRule(segment, date)
  if (isAllDay || isFixedZone(zone)) return true
  const isLengthened = endUtc - startUtc !== secondsOfLocalDateTime(end) - secondsOfLocalDateTime(start)
  return !isLengthened && !isAmbiguous(segment, date) && !isReadOtherwise(end, endUtc, zone)
}

/** Whether an event has exactly the times that the rules give to its date. */
export function followsRule(segment: SeriesSegment, date: LocalDateTime, event: EventTimes): boolean {
  const { start, end, zone, isAllDay } = timesByRule(segment, date)
  if (event.isAllDay !== isAllDay || event.zone.id !== zone.id) return false
  const comparable = isAllDay ? dayOf : (one: LocalDateTime) => one
  return comparable(event.start) === comparable(start) && comparable(event.end) === comparable(end)
}

/**
 * Returns how dates of a segment repeat. It begins with the first of them that the rule gives, because calendars
 * disagree about a start that the rule does not give.
 *
 * @param wanted In order.
 * @returns undefined if none of the dates can be the first one.
 */
export function repetitionOf(segment: SeriesSegment, wanted: readonly LocalDateTime[]): Repetition | undefined {
  const { count: _count, until: _until, ...endless } = segment.recurrence.rule ?? {}
  const rule = 'frequency' in endless ? withDaysOfStart(endless, segment.start) : undefined
  const plain = wanted.filter((date) => isPlain(segment, date))
  const start = plain.find((date) => rule && isDateOfRule(rule, date)) ?? plain[0]
  const repeated = wanted.filter((date) => start !== undefined && date >= start && !isAmbiguous(segment, date))
  const last = repeated.at(-1)
  if (start === undefined || last === undefined) return undefined
  const single = { start, rule: undefined, dates: repeated.slice(1), except: [] }
  if (!rule || !isDateOfRule(rule, start) || repeated.length === 1) return single
  // A longer list of exceptions would say less than the dates themselves.
  const limit = 2 * repeated.length + 1
  const { dates, isCut } = datesOf({ rule, dates: [], except: [] }, { start, through: last, limit })
  if (isCut) return single
  const [given, kept] = [new Set(dates), new Set(repeated)]
  return {
    start,
    rule: { ...rule, until: endOfDay(last) },
    dates: repeated.filter((date) => !given.has(date)),
    except: dates.filter((date) => !kept.has(date)),
  }
}

/** Returns the lines that say when a repetition takes place (RFC 5545, 3.8.5). */
export function repetitionLines(segment: SeriesSegment, repetition: Repetition): readonly string[] {
  const { start, rule, dates, except } = repetition
  return [
    ...timeLines(timesByRule(segment, start)),
    ...(rule ? [madeLine('RRULE', `${ruleText(withoutUntil(rule))}${untilText(segment, rule)}`)] : []),
    ...(dates.length === 0 ? [] : [datesLine('RDATE', segment, dates)]),
    ...(except.length === 0 ? [] : [datesLine('EXDATE', segment, except)]),
    ...ambiguousLines(segment, except),
  ]
}

/** Repeats exceptions on which clocks change as instants, because some calendars compare only these. */
function ambiguousLines(segment: SeriesSegment, except: readonly LocalDateTime[]): readonly string[] {
  const ambiguous = except.filter((date) => isAmbiguous(segment, date))
  const instants = ambiguous.map((date) => instant(epochSecondsOf(date, segment.zone)))
  return instants.length === 0 ? [] : [madeLine('EXDATE', instants.join())]
}

/** Returns the line that names the date of a series which an event replaces. */
export function recurrenceIdLine(segment: SeriesSegment, date: LocalDateTime): string {
  return datesLine('RECURRENCE-ID', segment, [date])
}

function withoutUntil({ until: _, ...rule }: RecurrenceRule): RecurrenceRule {
  return rule
}

/** The end of a rule is in UTC if its start has a time zone (RFC 5545, 3.3.10). */
function untilText({ zone, isAllDay }: SeriesSegment, { until }: RecurrenceRule): string {
  if (until === undefined) return ''
  return `;UNTIL=${isAllDay ? compact(dayOf(until)) : instant(epochSecondsOf(until, zone))}`
}

/** Dates have the type and the time zone of the start. */
function datesLine(name: string, { zone, isAllDay }: SeriesSegment, dates: readonly LocalDateTime[]): string {
  if (isAllDay) return line(name, dates.map((date) => compact(dayOf(date))).join(), { VALUE: 'DATE' })
  if (isFixedZone(zone)) return madeLine(name, dates.map((date) => instant(epochSecondsOf(date, zone))).join())
  return line(name, dates.map(compactTime).join(), { TZID: zone.id })
}

/** Returns the same rule with the days that it takes from its start, so that it gives the same days from any of them. */
function withDaysOfStart(rule: RecurrenceRule, start: LocalDateTime): RecurrenceRule {
  const { frequency, byDay, byMonth, byMonthDay } = rule
  const { year, month, day } = partsOfLocalDateTime(start)
  if (byDay.length > 0 || frequency === 'DAILY') return rule
  if (frequency === 'WEEKLY') {
    const weekday = WEEKDAYS[weekdayOf(dayNumber(year, month, day))] ?? 'MO'
    return { ...rule, byDay: [{ day: weekday }] }
  }
  if (byMonthDay.length > 0) return rule
  const months = frequency === 'YEARLY' && byMonth.length === 0 ? [month] : byMonth
  return { ...rule, byMonth: months, byMonthDay: [day] }
}

function isDateOfRule(rule: RecurrenceRule, start: LocalDateTime): boolean {
  const { year, month, day } = partsOfLocalDateTime(start)
  const [first] = periodsOf(rule, start)
  return first?.includes(dayNumber(year, month, day)) ?? false
}
