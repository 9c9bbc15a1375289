import type { TextLanguage } from './language.ts'

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
export function createDateWriter(language: TextLanguage, timeZone?: string): DateWriter
