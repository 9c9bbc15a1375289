import type { Zone } from './zone.ts'

/** The parts of a date text, before they are resolved against the present. An absent part was not given. */
export type DateTextParts = {
  /**
   * A missing year is this year, a missing month this month, a missing day of the month today's. The day may overflow.
   */
  readonly date?: { readonly year?: number; readonly month?: number; readonly day?: number }
  /** 0 to 86,400 and beyond: 24:00 and :60 overflow. */
  readonly secondOfDay?: number
  /** A year after a day without a year, otherwise a time (`hhmm`, `hhmmss`) after a day. */
  readonly digits?: string
  readonly zone?: Zone
  /** `today`, `tomorrow`, `yesterday`. */
  readonly daysFromToday?: number
  /** Monday is 0. `this` includes today. `next` and `last` do not. */
  readonly weekday?: { readonly day: number; readonly turn: 'this' | 'next' | 'last' }
  /** `last day of`, `first monday of`: the `nth` of the month, -1 for its last. Monday is 0. */
  readonly dayOfMonth?: { readonly nth: number; readonly weekday?: number }
  readonly shift?: DateShift
  readonly isNow?: true
  /** `ago`: reverses the direction of the shift so far. */
  readonly isAgo?: true
}

/** A shift relative to the given day and time. */
export type DateShift = {
  readonly months?: number
  readonly days?: number
  /** Days from Monday to Friday. */
  readonly weekdays?: number
  readonly seconds?: number
  /**
   * `next week` begins on Monday, or is the weekday in the same text, and keeps the time of day. `next weekday` is a day,
   * at midnight.
   */
  readonly turn?: 'week' | 'weekday' | undefined
}

/**
 * One possible form of a part of a text. The first rule that matches is used. If it reads nothing, the text is
 * rejected.
 */
export type DateTextRule = {
  readonly pattern: RegExp
  readonly read: (groups: Groups) => DateTextParts | undefined
}

export type Groups = { readonly [name: string]: string | undefined }

/** Creates a rule from the source of a pattern. It matches in lower case and at one position. */
export function rule(pattern: string, read: DateTextRule['read']): DateTextRule {
  return { pattern: new RegExp(pattern, 'y'), read }
}

/** Monday first. Three letters distinguish them. */
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** The pattern of a weekday, long or short, as the group `weekday`. */
export const weekdayPattern =
  '(?<weekday>mon(?:day)?|tue(?:s|sday)?|wed(?:nes|nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)' +
  '(?![a-z])\\.?'

/** Returns the number of a weekday that matches `weekdayPattern`. Monday is 0. */
export function weekdayNumber(name: string): number {
  return weekdays.indexOf(name.slice(0, 3))
}

const separators = /(?:[\s,]|(?:at|on)\s)+/y

/**
 * Reads `text`, in lower case, part by part. Returns undefined if a part matches no rule, or repeats an earlier part.
 *
 * Linear: each part is tried against each rule once, and no rule looks back.
 */
export function parseDateTextParts(text: string, rules: readonly DateTextRule[]): DateTextParts | undefined {
  let reading: DateTextParts = {}
  for (let at = skip(text, 0); at < text.length; at = skip(text, at)) {
    const part = parseDateTextPart(text, at, rules)
    if (part === undefined) return undefined
    const joined = join(reading, part.reading)
    if (joined === undefined) return undefined
    reading = joined
    at = part.end
  }
  return reading
}

function parseDateTextPart(
  text: string,
  at: number,
  rules: readonly DateTextRule[],
): { reading: DateTextParts; end: number } | undefined {
  for (const { pattern, read } of rules) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) continue
    const reading = read(match.groups ?? {})
    return reading && { reading, end: pattern.lastIndex }
  }
  return undefined
}

function skip(text: string, at: number): number {
  separators.lastIndex = at
  return separators.test(text) ? separators.lastIndex : at
}

function join(reading: DateTextParts, part: DateTextParts): DateTextParts | undefined {
  if (part.isAgo) return reading.shift && { ...reading, shift: sum({}, reading.shift, -1) }
  if (part.shift) return { ...reading, shift: sum(reading.shift ?? {}, part.shift, 1) }
  const isSaidTwice = Object.keys(part).some((key) => key in reading)
  return isSaidTwice ? undefined : { ...reading, ...part }
}

function sum(shift: DateShift, other: DateShift, sign: 1 | -1): DateShift {
  return {
    months: (shift.months ?? 0) + sign * (other.months ?? 0),
    days: (shift.days ?? 0) + sign * (other.days ?? 0),
    ...(shift.weekdays === undefined && other.weekdays === undefined
      ? {}
      : { weekdays: (shift.weekdays ?? 0) + sign * (other.weekdays ?? 0) }),
    seconds: (shift.seconds ?? 0) + sign * (other.seconds ?? 0),
    turn: shift.turn ?? other.turn,
  }
}
