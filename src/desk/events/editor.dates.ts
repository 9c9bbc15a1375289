import { CATALOGUES } from '../../base/languages/catalogues.ts'
import { catalogueOf, type TextLanguage } from '../../base/languages/language.ts'
import { fold } from '../../base/text/fold.ts'
import { isLocalDateTime } from '../../base/time/local.date.time.ts'
import { NO_DAY } from '../../calendar/events/model/event.ts'

// Dates and times as people type them, in English and French alike: "Fri 7:30pm", "ven. 19 h 30", "2027-03-05 19:30".

/** What a text says. Parts that it does not name are undefined. */
export interface TypedMoment {
  /** `2027-03-05` */
  readonly day: string | undefined
  /** `19:30`, or `19:30:15` if it has seconds; at most `24:00`. */
  readonly time: string | undefined
}

/** Why a text cannot be read: no known form, two meanings of its numbers, no such day, or a weekday that is not that of its date. */
type MomentFault = 'unreadable' | 'ambiguous' | 'no-day' | 'weekday'

const longest = 100
const dayMs = 86_400_000

/** The twelve months, or the seven days from a Sunday, by their names in all languages. */
const namesIn = (unit: 'month' | 'weekday', count: number): readonly (readonly string[])[] =>
  Array.from({ length: count }, (_, place) => {
    const date = unit === 'month' ? Date.UTC(2027, place, 1) : Date.UTC(2027, 7, 1 + place)
    return CATALOGUES.map(({ tag }) =>
      fold(new Intl.DateTimeFormat(tag, { [unit]: 'long', timeZone: 'UTC' }).format(date)),
    )
  })

// Any unmistakable beginning of three letters counts. Sunday is 0, as in `Date`.
const months = namesIn('month', 12)
const weekdays = namesIn('weekday', 7)

/** Returns the position of the only name that begins with the word; -1 if there is none, or more than one. */
function placeOf(word: string, all: readonly (readonly string[])[]): number {
  if (word.length < 3) return -1
  const places = all.flatMap((names, place) => (names.some((name) => name.startsWith(word)) ? [place] : []))
  return places.length === 1 ? (places[0] ?? -1) : -1
}

const dateWords = CATALOGUES.map((catalogue) => catalogue.dateWords)
/** A word may have a hyphen or an apostrophe inside: “apres-demain”. It is read without, and with any other sign there. */
const compact = (word: string) => word.replace(/[^\p{L}]/gu, '')
const daysByWord = dateWords.flatMap(({ days }) => Object.entries(days))
const relativeDays = new Map(daysByWord.map(([word, number]) => [compact(word), number]))
const joinedWords = daysByWord.flatMap(([word]) =>
  compact(word) === word ? [] : [[new RegExp(word.replace(/[^\p{L}]/gu, "[-' ’]?"), 'u'), compact(word)] as const],
)
const ignoredWords: ReadonlySet<string> = new Set(dateWords.flatMap(({ ignored }) => ignored))
const nextWords: ReadonlySet<string> = new Set(dateWords.flatMap(({ next }) => next))
const anyOf = (words: readonly string[]) => words.join('|')

/**
 * Returns the day and the time that a text names. A day without a year is the next one; so is a weekday.
 *
 * @param today The day from which the next one counts: `2027-03-01`.
 */
export function readMoment(text: string, today: string): TypedMoment | MomentFault {
  if (text.length > longest) return 'unreadable'
  const { time, rest } = takeTime(plainText(text))
  if (time === 'fault') return 'unreadable'
  const day = dayIn(rest, today)
  if (day === 'unreadable' || day === 'ambiguous' || day === 'no-day' || day === 'weekday') return day
  return day === undefined && time === undefined ? 'unreadable' : { day, time }
}

function plainText(text: string): string {
  const plain = fold(text)
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/(\d)t(?=\d\d:)/, '$1 ')
  return joinedWords.reduce((read, [parts, word]) => read.replace(parts, word), plain)
}

/** Returns the half of the day that a text names. A time such as 7:30 leaves it open; one such as 19:30 or 07:30 has none. */
export function halfOf(text: string): 'a' | 'p' | 'open' | undefined {
  return text.length > longest ? undefined : takeTime(plainText(text)).half
}

interface TakenTime {
  readonly time: string | undefined
  readonly rest: string
  readonly half?: 'a' | 'p' | 'open' | undefined
}

const timeForms: readonly RegExp[] = [
  // 19:30, 7:30pm, 7:30 p.m., 19:30:00
  /(?<![\d-])(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?(?:\s*(?<half>[ap])\.?\s?m\b\.?)?/,
  // 19 h 30, 19h, 19 h 30 min 15 s, 7 h du soir is not read
  /(?<![\d-])(?<hour>\d{1,2})\s*h(?:\s*(?<minute>\d{2})(?:\s*min\s*(?<second>\d{2})\s*s)?)?\b\.?/,
  // 7pm, 7 p.m., 7.30 pm
  /(?<![\d-]|\d\.)(?<hour>\d{1,2})(?:\.(?<minute>\d{2}))?\s*(?<half>[ap])\.?\s?m\b\.?/,
  new RegExp(`\\b(?<noon>${anyOf(dateWords.flatMap(({ noon }) => noon))})\\b`),
  new RegExp(`\\b(?<midnight>${anyOf(dateWords.flatMap(({ midnight }) => midnight))})\\b`),
]

function takeTime(text: string): TakenTime {
  for (const form of timeForms) {
    const match = form.exec(text)
    if (!match) continue
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
    const { hour, minute = '00', second = '00', half, noon, midnight } = match.groups ?? {}
    if (noon !== undefined) return { time: '12:00', rest }
    if (midnight !== undefined) return { time: '00:00', rest }
    const typed = Number(hour)
    const isTwelve = typed >= 1 && typed <= 12
    const isValid =
      half === undefined ? typed < 24 || (typed === 24 && Number(minute) + Number(second) === 0) : isTwelve
    if (!isValid || Number(minute) > 59 || Number(second) > 59) return { time: 'fault', rest }
    const full = half === undefined ? typed : (typed % 12) + (half === 'p' ? 12 : 0)
    const isOpen = isTwelve && match[0].includes(':') && !hour?.startsWith('0')
    const named = half === 'a' || half === 'p' ? half : isOpen ? 'open' : undefined
    const seconds = second === '00' ? '' : `:${second}`
    return { time: `${String(full).padStart(2, '0')}:${minute}${seconds}`, rest, half: named }
  }
  return { time: undefined, rest: text }
}

function dayIn(text: string, today: string): string | undefined | MomentFault {
  const iso = /(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/.exec(text)
  // 03/04/2027 is March in one place and April in another.
  if (/\d\s*[/.]\s*\d{1,2}\s*[/.]\s*\d/.test(text) || /\b\d{1,2}\/\d{1,2}\b/.test(text)) return 'ambiguous'
  const words = (iso ? text.replace(iso[0], ' ') : text)
    .split(/[\s,;()]+/)
    .map((word) => word.replace(/^\.+|\.+$/g, ''))
    .filter((word) => word !== '' && word !== '-' && !ignoredWords.has(word))
  const found = wordsOf(words)
  if (found === undefined) return 'unreadable'
  const { weekday, relative, month, numbers, isNext } = found
  if (iso)
    return month || relative !== undefined || numbers.length > 0
      ? 'unreadable'
      : dated(iso.slice(1).map(Number), weekday)
  if (relative !== undefined) return month || numbers.length > 0 ? 'unreadable' : addDays(today, relative)
  if (month !== undefined) return inMonth({ month, numbers, weekday, today })
  if (numbers.length > 0) return 'unreadable'
  if (weekday === undefined) return isNext ? 'unreadable' : undefined
  const ahead = (weekday - weekdayOf(today) + 7) % 7
  return addDays(today, isNext && ahead === 0 ? 7 : ahead)
}

interface FoundWords {
  weekday: number | undefined
  relative: number | undefined
  month: number | undefined
  readonly numbers: number[]
  isNext: boolean
}

function wordsOf(words: readonly string[]): FoundWords | undefined {
  const found: FoundWords = { weekday: undefined, relative: undefined, month: undefined, numbers: [], isNext: false }
  const hasNumber = words.some((word) => /^\d/.test(word))
  const isMonth = (word: string) => placeOf(word, months) >= 0
  const hasOtherMonth = words.some((word) => word !== 'mar' && isMonth(word))
  for (const word of words) {
    const number = /^(\d{1,4})(?:st|nd|rd|th|er|e)?$/.exec(word)?.[1]
    // "mar." is Tuesday in French and March in English: with a day and without another month, it is March.
    const isTuesday = word === 'mar' && (!hasNumber || hasOtherMonth)
    if (number !== undefined) found.numbers.push(Number(number))
    else if (nextWords.has(word)) found.isNext = true
    else if (relativeDays.has(word)) {
      if (found.relative !== undefined) return undefined
      found.relative = relativeDays.get(word)
    } else if (isMonth(word) && !isTuesday) {
      if (found.month !== undefined) return undefined
      found.month = placeOf(word, months) + 1
    } else {
      const weekday = placeOf(word, weekdays)
      if (weekday < 0 || found.weekday !== undefined) return undefined
      found.weekday = weekday
    }
  }
  return found
}

/** Returns the day of a month, in the year that is named or else the next such day. */
function inMonth({
  month,
  numbers,
  weekday,
  today,
}: {
  readonly month: number
  readonly numbers: readonly number[]
  readonly weekday: number | undefined
  readonly today: string
}): string | MomentFault {
  const [day = 0] = numbers.filter((number) => number < 32)
  const year = numbers.find((number) => number > 999)
  if (day === 0 || numbers.length > 2 || (numbers.length === 2 && year === undefined)) return 'unreadable'
  if (year !== undefined) return dated([year, month, day], weekday)
  const thisYear = Number(today.slice(0, 4))
  // February 29 is up to eight years away. A weekday chooses among the next few years.
  for (let ahead = 0; ahead <= 8; ahead += 1) {
    const candidate = dayOf([thisYear + ahead, month, day])
    if (candidate !== undefined && candidate >= today) {
      return weekday === undefined || weekdayOf(candidate) === weekday ? candidate : 'weekday'
    }
  }
  return 'no-day'
}

function dated(parts: readonly number[], weekday: number | undefined): string | MomentFault {
  const day = dayOf(parts)
  if (day === undefined) return 'no-day'
  return weekday === undefined || weekdayOf(day) === weekday ? day : 'weekday'
}

function dayOf([year = 0, month = 0, day = 0]: readonly number[]): string | undefined {
  const text = [String(year).padStart(4, '0'), ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-')
  const at = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text ? undefined : text
}

export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}

/** Returns the day that is this number of days later; '' if there is none, or if the text is not a day. */
export function addDays(day: string, count: number): string {
  const at = new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10)
}

/** Returns how many days the day of a moment is before that of another one; 0 if one of them has none. */
export function daysBetween(moment: string, other: string): number {
  const dayOf = (text: string) => Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
  return Math.round((dayOf(other) - dayOf(moment)) / dayMs) || 0
}

/**
 * Returns a moment as `readMoment` reads it in any language: `Fri, March 5, 2027, 7:30 p.m.`, `ven. 5 mars 2027, 19 h 30`.
 *
 * @param moment `2027-03-05`, `2027-03-05 19:30` or `2027-03-05 19:30:15`. All other texts are returned as they are.
 */
export function writeMoment(language: TextLanguage, moment: string): string {
  const [, day, clock = '00:00', seconds] = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d)(:\d\d)?)?$/.exec(moment) ?? []
  const at = new Date(`${day}T${clock}${seconds ?? ''}Z`)
  if (Number.isNaN(at.getTime())) return moment
  const { days, times, exactTimes } = formatsOf(language)
  const date = days.format(at)
  if (moment === day) return date
  const time = (seconds === undefined ? times : exactTimes).format(at)
  return `${date}, ${time}`.replace(/[\u00a0\u202f]/g, ' ').replace(/ h 00$/, ' h')
}

/** Returns the end of an event as people write it: a time alone if it is on the day of its start. */
export function writeEnd(language: TextLanguage, end: string, start: string): string {
  const day = start.slice(0, 10)
  const written = writeMoment(language, end)
  return end.length > day.length && end.startsWith(day) && day !== ''
    ? written.slice(writeMoment(language, day).length + ', '.length)
    : written
}

interface Formats {
  readonly days: Intl.DateTimeFormat
  readonly times: Intl.DateTimeFormat
  readonly exactTimes: Intl.DateTimeFormat
}

/** Formats take longer to make than to use. */
const formats = new Map<TextLanguage, Formats>()

function formatsOf(language: TextLanguage): Formats {
  const known = formats.get(language)
  if (known) return known
  const { locale } = catalogueOf(language).dates
  const made: Formats = {
    days: new Intl.DateTimeFormat(locale, {
      ...{ weekday: 'short', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
    } as const),
    times: new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }),
    exactTimes: new Intl.DateTimeFormat(locale, {
      ...{ hour: 'numeric', minute: '2-digit', second: '2-digit', timeZone: 'UTC' },
    } as const),
  }
  formats.set(language, made)
  return made
}

/** Returns times of a form as the interface takes them. Whole days begin and end at midnight. */
export function timeParameters({
  start,
  end,
  isAllDay,
}: {
  readonly start: string
  readonly end: string
  readonly isAllDay: boolean
}) {
  if (start === '') return timeParameters({ start: NO_DAY, end: NO_DAY, isAllDay: true })
  return isAllDay
    ? { start_date: `${start.slice(0, 10)} 00:00:00`, end_date: `${end.slice(0, 10)} 23:59:59` }
    : { start_date: sentMoment(start), end_date: sentMoment(end) }
}

/** Returns the times of a form as the interface takes them; undefined if they are not complete. */
export function timesOfForm({ start = '', end = '', all_day: allDay }: Readonly<Record<string, string>>) {
  if (start === '') return undefined
  const { start_date, end_date } = timeParameters({ start, end, isAllDay: allDay === '1' })
  const isRight = isLocalDateTime(start_date) && isLocalDateTime(end_date) && start_date <= end_date
  return isRight ? { start_date, end_date } : undefined
}

/** Returns a stored time as forms have it: with seconds only if it has some. */
export function shownMoment(local: string): string {
  return local.replace(/^(.{16}):00$/, '$1')
}

/** Returns a day and a time of a form as the interface takes them. */
export function sentMoment(moment: string): string {
  return moment.length > 'YYYY-MM-DD hh:mm'.length ? moment : `${moment}:00`
}
