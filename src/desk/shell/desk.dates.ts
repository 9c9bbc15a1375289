import { utcDates, zonedDates } from '../../base/languages/date.writers.ts'
import { capitalised, filled } from '../../base/languages/dates.js'
import { catalogueOf, type TextLanguage } from '../../base/languages/language.ts'
import { isNoDate } from '../../calendar/events/model/event.ts'
import { sayIn } from './desk.call.ts'

/** The times of an event, in its local time: `2030-01-22 19:00:00`. */
interface EventTimes {
  readonly start_date: string
  readonly end_date: string
  readonly all_day: boolean | null
}

/** Returns the dates of an event as a line of its own. */
export function whenText(language: TextLanguage, event: EventTimes): string {
  return capitalised(whenWords(language, event))
}

/** Returns the same text for use within a sentence: French writes days in lower case there. */
export function whenWords(language: TextLanguage, event: EventTimes): string {
  if (isNoDate(event.start_date)) return sayIn(language)('events.no-date')
  const at = (local: string) => Date.parse(`${local.replace(' ', 'T')}Z`)
  return utcDates(language).when(at(event.start_date), at(event.end_date), event.all_day === true)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a format of dates, which is made once: making it takes longer than a hundred dates. */
export function dateFormat(language: TextLanguage, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const { locale } = catalogueOf(language).dates
  const name = `${locale} ${JSON.stringify(options)}`
  const format = formats.get(name) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(name, format)
  return format
}

/** Returns an instant as a day and an hour of a time zone. */
export function instantText(language: TextLanguage, instant: string, zone: string): string {
  const { text } = zonedDates(language, zone)
  const at = Date.parse(instant)
  const pattern = catalogueOf(language).dates.moment ?? '{day}, {time}'
  return filled(pattern, { day: text('dayRange', at), time: text('time', at) })
}
