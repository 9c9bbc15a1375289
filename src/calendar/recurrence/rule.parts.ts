import { addSeconds, endOfDay, type LocalDateTime, startOfDay } from '../../base/time/local.date.time.ts'
import { readLocalText } from './local.text.ts'
import { maxCount, maxInterval } from './recurrence.limits.ts'
import { FREQUENCIES, type RecurrenceContext, type RuleDay, WEEKDAYS } from './recurrence.ts'

/** Reads the value of a part, in capitals. Undefined if the part cannot have it. */
type PartReader<T> = (text: string, context: RecurrenceContext) => T | undefined

/**
 * The parts that a rule may have, in the order of the normal form, and how each is read. The fault of a part has the
 * same name: `fault.recurrence.FREQ`.
 */
export const RULE_PARTS = {
  FREQ: (text) => FREQUENCIES.find((one) => one === text),
  INTERVAL: (text) => wholeNumber(text, maxInterval),
  BYMONTH: numbers(12, { canBeNegative: false }),
  BYMONTHDAY: numbers(31),
  BYDAY: weekdays,
  BYSETPOS: numbers(366),
  COUNT: (text) => wholeNumber(text, maxCount),
  UNTIL: lastDay,
  WKST: (text) => WEEKDAYS.find((one) => one === text),
} as const satisfies Readonly<Record<string, PartReader<unknown>>>

export type RulePart = keyof typeof RULE_PARTS

export function isRulePart(name: string): name is RulePart {
  return Object.hasOwn(RULE_PARTS, name)
}

function wholeNumber(text: string, most: number): number | undefined {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0
  return number >= 1 && number <= most ? number : undefined
}

/** Returns the reader of a list of numbers from 1 to `most`, or back from -1. They are sorted, negative ones last. */
function numbers(most: number, { canBeNegative } = { canBeNegative: true }): PartReader<readonly number[]> {
  return (text) =>
    listOf(text, (item) => {
      const [all, sign, digits = ''] = /^([+-]?)(\d{1,3})$/.exec(item) ?? []
      const number = wholeNumber(digits, most)
      if (all === undefined || number === undefined || (sign === '-' && !canBeNegative)) return undefined
      return sign === '-' ? -number : number
    })?.sort((one, other) => Number(one < 0) - Number(other < 0) || one - other)
}

/** Reads `MO,2FR,-1SU`. A day with an ordinal adds nothing to the same day without. */
function weekdays(text: string): readonly RuleDay[] | undefined {
  const days = listOf(text, (item) => {
    const [, sign, digits, name] = /^([+-]?)(\d{1,2})?([A-Z]{2})$/.exec(item) ?? []
    const day = WEEKDAYS.find((one) => one === name)
    if (day === undefined || (digits === undefined && sign !== '')) return undefined
    if (digits === undefined) return day
    const ordinal = wholeNumber(digits, 53)
    return ordinal === undefined ? undefined : `${sign === '-' ? '-' : ''}${ordinal}${day}`
  })
  if (days === undefined) return undefined
  const wanted = new Set<string>(days)
  return WEEKDAYS.flatMap((day) => {
    if (wanted.has(day)) return [{ day }]
    const ordinals = [...wanted].filter((one) => one.endsWith(day)).map((one) => Number.parseInt(one, 10))
    return ordinals.sort((one, other) => one - other).map((ordinal) => ({ day, ordinal }))
  })
}

/** Returns the items of a list without doubles; undefined if any of them is not valid. */
function listOf<T>(text: string, read: (item: string) => T | undefined): T[] | undefined {
  const items = text.split(',').map(read)
  const valid = items.filter((item) => item !== undefined)
  return valid.length === items.length ? [...new Set(valid)] : undefined
}

/**
 * Reads UNTIL. All dates of a rule start at the same time of the day, so the end of the last day says as much. The last
 * date then survives if the time of the event changes.
 */
function lastDay(text: string, { zone, start }: RecurrenceContext): LocalDateTime | undefined {
  const read = readLocalText(text, zone)
  if (read === undefined) return undefined
  const isBeforeStart = read.hasTime && read.date.slice(10) < start.slice(10)
  return isBeforeStart ? addSeconds(startOfDay(read.date), -1) : endOfDay(read.date)
}
