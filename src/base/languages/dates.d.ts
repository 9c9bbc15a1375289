export type DateStyle =
  | 'day'
  | 'dayOfYear'
  | 'shortDate'
  | 'shortDay'
  | 'dayRange'
  | 'shortMoment'
  | 'month'
  | 'shortMonth'
  | 'shortWeekday'
  | 'time'

/** What a language needs beside `Intl` to write dates. Browsers get it as JSON. */
export interface DateRules {
  /** BCP 47 tag by which `Intl` writes dates and names time zones. */
  readonly locale: string
  /** The number of the first day of a month: “1er”. */
  readonly firstOfMonth: string
  /** What follows an hour without minutes: “ h”. */
  readonly wholeHour: string
  /** From one day to another, `{from}` and `{to}`; as `Intl` writes it where it is left out. */
  readonly days?: string
  /** From one hour to another of the same day, likewise. */
  readonly hours?: string
  /** A day and an hour, `{day}` and `{time}`, likewise. */
  readonly moment?: string
  /** From an hour of one day to an hour of another. */
  readonly moments: string
}

/** Writes dates of one language. All times are milliseconds since 1970. */
export interface DateWriter {
  /** In a sentence: “samedi 14 décembre 2030”, “19 h”. */
  readonly text: (style: DateStyle, at: number) => string
  /** Whole days, from the first to the last: “December 14–17, 2030”, “du 14 au 17 décembre 2030”. */
  readonly days: (from: number, to: number) => string
  /** Hours of one day: “7–8:30 p.m.”, “de 19 h à 20 h 30”. */
  readonly hours: (from: number, to: number) => string
  /** Hours, or from which day and hour until which. */
  readonly span: (from: number, to: number) => string
  /** Days, and hours where there are any: a line of its own, which begins with a capital. */
  readonly when: (from: number, to: number, isAllDay: boolean) => string
}

/** A text as it begins a line or a heading: French writes days and months small elsewhere. */
export function capitalised(text: string): string

/**
 * What writes dates in a language on the clocks of a zone.
 *
 * @param timeZone Left out in a browser: the visitor’s own.
 */
export function createDateWriter(rules: DateRules, timeZone?: string): DateWriter
