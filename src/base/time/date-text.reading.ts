import type { Zone } from './zone.ts'

/** What a date text says, before it is held against the present. What is absent was not said. */
export type DateTextParts = {
  /** A missing year is this year, a missing month this month, a missing day of the month today's. The day may run over. */
  readonly date?: { readonly year?: number; readonly month?: number; readonly day?: number }
  /** 0 to 86,400 and beyond: 24:00 and :60 run over. */
  readonly secondOfDay?: number
  /** A year after a day that says none, else a time (`hhmm`, `hhmmss`) after a day. */
  readonly digits?: string
  readonly zone?: Zone
  /** `today`, `tomorrow`, `yesterday`. */
  readonly daysFromToday?: number
  /** Monday is 0. `this` counts today in, `next` and `last` do not. */
  readonly weekday?: { readonly day: number; readonly turn: 'this' | 'next' | 'last' }
  /** `last day of`, `first monday of`: the `nth` of the month, -1 for its last. Monday is 0. */
  readonly dayOfMonth?: { readonly nth: number; readonly weekday?: number }
  readonly shift?: DateShift
  readonly isNow?: true
  /** `ago`: what was shifted so far goes the other way. */
  readonly isAgo?: true
}

/** A way to go from the day and time said. */
export type DateShift = {
  readonly months?: number
  readonly days?: number
  /** Days from Monday to Friday. */
  readonly weekdays?: number
  readonly seconds?: number
  /** `next week`: a weekday beside it is that of the week, Monday to Sunday, and not the one that comes after. */
  readonly isByWeek?: boolean
}

/** One form a part of a text can have. The first that fits is taken; where it then reads nothing, the text is refused. */
export type DateTextRule = {
  readonly pattern: RegExp
  readonly read: (groups: Groups) => DateTextParts | undefined
}

export type Groups = { readonly [name: string]: string | undefined }

/** A rule from the source of a pattern, to be matched in lower case and at one place. */
export function rule(pattern: string, read: DateTextRule['read']): DateTextRule {
  return { pattern: new RegExp(pattern, 'y'), read }
}

/** Monday first. Three letters tell them apart. */
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** The pattern of a weekday, long or short, as the group `weekday`. */
export const weekdayPattern =
  '(?<weekday>mon(?:day)?|tue(?:s|sday)?|wed(?:nes|nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)' +
  '(?![a-z])\\.?'

/** The number of a weekday that fits `weekdayPattern`; Monday is 0. */
export function weekdayNumber(name: string): number {
  return weekdays.indexOf(name.slice(0, 3))
}

const separators = /(?:[\s,]|(?:at|on)\s)+/y

/**
 * Reads `text`, in lower case, part by part. Undefined where a part fits no rule, or says again what was said.
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
    isByWeek: (shift.isByWeek ?? false) || (other.isByWeek ?? false),
  }
}
