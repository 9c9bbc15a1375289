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
import type { EventTimes } from '../../calendar/events/event.ts'

// How dates are written. Clocks are those of the events: their walls are taken for UTC, which no zone moves.

const daySeconds = 86_400

const instantOf = (localDateTime: LocalDateTime) => secondsOfLocalDateTime(localDateTime) * 1000

/** A local date and time, within a sentence: “lundi 14 décembre 2030”, “19 h”. */
export function dateText(language: TextLanguage, style: DateStyle, localDateTime: LocalDateTime): string {
  return utcDates(language).text(style, instantOf(localDateTime))
}

/** The same where it begins a line or is a heading: “Lundi 14 décembre 2030”, “Décembre 2030”. */
export function dateLine(language: TextLanguage, style: DateStyle, localDateTime: LocalDateTime): string {
  return capitalised(dateText(language, style, localDateTime))
}

/** When an event takes place, as a line of its own: days, and hours where it has any. */
export function whenText(language: TextLanguage, { start, end, isAllDay }: EventTimes): string {
  return utcDates(language).when(instantOf(start), instantOf(end), isAllDay)
}

/** What is said of an event whose first day stands before it, within a sentence: hours, or until when. */
export function spanText(language: TextLanguage, { start, end, isAllDay }: EventTimes): string {
  const { days, span } = utcDates(language)
  return (isAllDay ? days : span)(instantOf(start), instantOf(end))
}

/** The same as a line of its own: “De 19 h à 20 h 30”. */
export function spanLine(language: TextLanguage, event: EventTimes): string {
  return capitalised(spanText(language, event))
}

/** The time zone of an event, as a label: “Eastern Time (EST)”, “Heure de l’Est (HNE)”, “UTC+2”. */
export function zoneText(language: TextLanguage, { startUtc, zone }: EventTimes): string {
  const letters = zoneAbbreviation(language, startUtc, zone)
  const name = zoneName(language, startUtc, zone)
  return name === undefined ? letters : `${capitalised(name)} (${letters})`
}

export function isSameDay(one: LocalDateTime, other: LocalDateTime): boolean {
  return dayOf(one) === dayOf(other)
}

/** The local date and time so many days later, at its beginning. Clamped to the years that can be written. */
export function addDays(localDateTime: LocalDateTime, days: number): LocalDateTime {
  return startOfDay(localDateTimeFromSeconds(secondsOfLocalDateTime(localDateTime) + days * daySeconds))
}

/** What ends before this is of the night before. */
export const nightEnd = '05:00:00'

/** The last day of an event as readers count it: a night that ends at three is of the day on which it began. */
export function lastDayOf({ start, end, isAllDay }: EventTimes): LocalDateTime {
  const isOfNight = !isAllDay && end.slice(11) <= nightEnd && dayOf(end) > dayOf(start)
  return isOfNight ? addDays(end, -1) : startOfDay(end)
}
