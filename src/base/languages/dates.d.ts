export type DateStyle =
  | 'day'
  | 'dayOfYear'
  | 'shortDate'
  | 'shortDay'
  | 'dayRange'
  | 'shortMoment'
  | 'dayOfMonth'
  | 'month'
  | 'monthName'
  | 'shortMonth'
  | 'weekday'
  | 'shortWeekday'
  | 'time'

/** The rules that a language needs in addition to `Intl` to write dates. Browsers get them as JSON. */
export interface DateRules {
  /** BCP 47 tag with which `Intl` writes dates and names time zones. */
  readonly locale: string
  /** The first day of a month: “1er”. */
  readonly firstOfMonth: string
  /** The suffix of an hour without minutes: “ h”. */
  readonly wholeHour: string
  /** A range of days, with `{from}` and `{to}`. If it is missing, `Intl` writes the range. */
  readonly days?: string
  /** A range of hours on one day, with the same rule. */
  readonly hours?: string
  /** A day and an hour, `{day}` and `{time}`, with the same rule. */
  readonly moment?: string
  /** A range from an hour of one day to an hour of another. */
  readonly moments: string
}

/** Writes dates in one language. All times are milliseconds since 1970. */
export interface DateWriter {
  /** Within a sentence: “samedi 14 décembre 2030”, “19 h”. */
  readonly text: (style: DateStyle, at: number) => string
  /** A range of whole days: “December 14–17, 2030”, “du 14 au 17 décembre 2030”. */
  readonly days: (from: number, to: number) => string
  /** A range of hours on one day: “7–8:30 p.m.”, “de 19 h à 20 h 30”. */
  readonly hours: (from: number, to: number) => string
  /** A range of hours, with the days if they differ. */
  readonly span: (from: number, to: number) => string
  /** Days, with hours unless the event is all-day, within a sentence. */
  readonly when: (from: number, to: number, isAllDay: boolean) => string
}

/**
 * Returns a text with an initial capital, for a line or a heading. French writes days and months in lower case
 * elsewhere.
 */
export function capitalised(text: string): string

/** Returns an hour for little room: “7:30p” for “7:30 p.m.”. “19 h 30” is the shortest in French. */
export function shortHour(text: string): string

/** Returns a pattern with each `{name}` replaced by the text of that name. */
export function filled(pattern: string, texts: Readonly<Record<string, string>>): string

/** Returns the text of one style for these times: one that was written before, or a new one. */
export type RememberedText = (style: DateStyle | 'hours', times: readonly number[], write: () => string) => string

/**
 * Creates a writer of dates in a language and a time zone.
 *
 * @param timeZone Left out in a browser: the visitor’s own.
 * @param remembered If it is left out, each text is written again.
 */
export function createDateWriter(rules: DateRules, timeZone?: string, remembered?: RememberedText): DateWriter
