import type { EventTimes } from '../events/event.ts'
import type { TextLanguage } from '../languages/language.ts'
import { dayOf, secondsOfWall, startOfDay, type Wall, wallFromSeconds } from '../time/wall.ts'
import { abbreviation } from '../time/zone.ts'

// How dates are written. Clocks are those of the events: their walls are taken for UTC, which no zone moves.

const locales: Readonly<Record<TextLanguage, string>> = { en: 'en-CA', fr: 'fr-CA' }
const daySeconds = 86_400

const styles = {
  day: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  dayOfYear: { weekday: 'long', month: 'long', day: 'numeric' },
  shortDate: { weekday: 'short', month: 'short', day: 'numeric' },
  shortDay: { year: 'numeric', month: 'short', day: 'numeric' },
  dayRange: { year: 'numeric', month: 'long', day: 'numeric' },
  shortMoment: { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  month: { year: 'numeric', month: 'long' },
  shortMonth: { month: 'short' },
  weekday: { weekday: 'long' },
  shortWeekday: { weekday: 'short' },
  time: { hour: 'numeric', minute: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export type DateStyle = keyof typeof styles

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(language: TextLanguage, style: DateStyle): Intl.DateTimeFormat {
  const key = `${language} ${style}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locales[language], { ...styles[style], timeZone: 'UTC' })
  formats.set(key, made)
  return made
}

/** What a clock on the wall shows, in words. */
export function dateText(language: TextLanguage, style: DateStyle, wall: Wall): string {
  return unbroken(formatOf(language, style).format(secondsOfWall(wall) * 1000))
}

/** With no line ending within an hour: “11 h 00”, “7:30 p.m.”. */
function unbroken(text: string): string {
  return text.replace(/(?<=\d)\s(?=h\b|[ap]\.m\.)|(?<=\d\sh)\s(?=\d)/g, '\u00a0')
}

function rangeText(language: TextLanguage, style: DateStyle, from: Wall, to: Wall): string {
  return unbroken(formatOf(language, style).formatRange(secondsOfWall(from) * 1000, secondsOfWall(to) * 1000))
}

/** When an event takes place, in one line: days, and hours where it has any. */
export function whenText(language: TextLanguage, event: EventTimes): string {
  const { start, end, isAllDay } = event
  if (isSameDay(start, end)) {
    const day = dateText(language, 'day', start)
    return isAllDay ? day : `${day}, ${hoursText(language, event)}`
  }
  if (isAllDay) return rangeText(language, 'dayRange', start, end)
  return `${dateText(language, 'shortMoment', start)} – ${dateText(language, 'shortMoment', end)}`
}

/** The hours of an event of one day. */
export function hoursText(language: TextLanguage, { start, end }: EventTimes): string {
  return start === end ? dateText(language, 'time', start) : rangeText(language, 'time', start, end)
}

/** What a list says beside an event whose first day stands before it: hours, or until when. */
export function spanText(language: TextLanguage, event: EventTimes): string {
  if (isSameDay(event.start, event.end)) return hoursText(language, event)
  if (event.isAllDay) return rangeText(language, 'dayRange', event.start, event.end)
  return `${dateText(language, 'shortMoment', event.start)} – ${dateText(language, 'shortMoment', event.end)}`
}

/** The abbreviation of the zone of an event at its start: `EST`, `UTC+2`. */
export function zoneText({ startUtc, zone }: EventTimes): string {
  return abbreviation(startUtc, zone)
}

export function isSameDay(one: Wall, other: Wall): boolean {
  return dayOf(one) === dayOf(other)
}

/** The wall clock so many days later, at its beginning. Clamped to the years that can be written. */
export function addDays(wall: Wall, days: number): Wall {
  return startOfDay(wallFromSeconds(secondsOfWall(wall) + days * daySeconds))
}

/** What ends before this is of the night before. */
const nightEnd = '05:00:00'

/** The last day of an event as readers count it: a night that ends at three is of the day on which it began. */
export function lastDayOf({ start, end, isAllDay }: EventTimes): Wall {
  const isOfNight = !isAllDay && end.slice(11) <= nightEnd && dayOf(end) > dayOf(start)
  return isOfNight ? addDays(end, -1) : startOfDay(end)
}
