import { utcDates } from '../../base/languages/date.writers.ts'
import { capitalised, type DateStyle } from '../../base/languages/dates.js'
import type { TextLanguage } from '../../base/languages/language.ts'
import { zoneAbbreviation, zoneName } from '../../base/languages/zone.names.ts'
import {
  dayOf,
  type LocalDateTime,
  localDateTimeFromSeconds,
  secondsOfLocalDateTime,
  startOfDay,
} from '../../base/time/local.date.time.ts'
import type { EventTimes } from '../../calendar/events/model/event.ts'

// Writes dates. Local dates and times of events are formatted as if they were UTC, so no time zone moves them.

const daySeconds = 86_400

/** The local start and end of an event. */
export type LocalSpan = Pick<EventTimes, 'start' | 'end' | 'isAllDay'>

const instantOf = (localDateTime: LocalDateTime) => secondsOfLocalDateTime(localDateTime) * 1000

/** Returns a local date and time for use within a sentence: “lundi 14 décembre 2030”, “19 h”. */
export function dateText(language: TextLanguage, style: DateStyle, localDateTime: LocalDateTime): string {
  return utcDates(language).text(style, instantOf(localDateTime))
}

/**
 * Returns the same text capitalised, for the beginning of a line or a heading: “Lundi 14 décembre 2030”, “Décembre
 * 2030”.
 */
export function dateLine(language: TextLanguage, style: DateStyle, localDateTime: LocalDateTime): string {
  return capitalised(dateText(language, style, localDateTime))
}

/** Returns the dates of an event as a separate line: its days, and its hours if it has any. */
export function whenText(language: TextLanguage, { start, end, isAllDay }: EventTimes): string {
  return capitalised(utcDates(language).when(instantOf(start), instantOf(end), isAllDay))
}

/** Returns the hours or the end of an event whose first day is already shown before it, for use within a sentence. */
export function spanText(language: TextLanguage, { start, end, isAllDay }: LocalSpan): string {
  const { days, span } = utcDates(language)
  return (isAllDay ? days : span)(instantOf(start), instantOf(end))
}

/** Returns the same text as a separate line: “De 19 h à 20 h 30”. */
export function spanLine(language: TextLanguage, event: LocalSpan): string {
  return capitalised(spanText(language, event))
}

/** Returns the time zone of an event as a label: “Eastern Time (EST)”, “Heure de l’Est (HNE)”, “UTC+2”. */
export function zoneText(language: TextLanguage, { startUtc, zone }: EventTimes): string {
  const letters = zoneAbbreviation(language, startUtc, zone)
  const name = zoneName(language, startUtc, zone)
  return name === undefined ? letters : `${capitalised(name)} (${letters})`
}

export function isSameDay(one: LocalDateTime, other: LocalDateTime): boolean {
  return dayOf(one) === dayOf(other)
}

/** Returns the start of the day that is `days` days later. The result is clamped to the years that can be written. */
export function addDays(localDateTime: LocalDateTime, days: number): LocalDateTime {
  return startOfDay(localDateTimeFromSeconds(secondsOfLocalDateTime(localDateTime) + days * daySeconds))
}

/** An event that ends at or before this local time still belongs to the night before. */
export const nightEnd = '05:00:00'

/**
 * Returns the last day of an event as readers count it: a night that ends at three belongs to the day on which it
 * began.
 */
export function lastDayOf({ start, end, isAllDay }: LocalSpan): LocalDateTime {
  const isOfNight = !isAllDay && end.slice(11) <= nightEnd && dayOf(end) > dayOf(start)
  return isOfNight ? addDays(end, -1) : startOfDay(end)
}
