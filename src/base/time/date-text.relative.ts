import {
  type DateShift,
  type DateTextParts,
  type DateTextRule,
  type Groups,
  rule,
  weekdayNumber,
  weekdayPattern,
} from './date-text.reading.ts'

const unit = '(?<unit>second|sec|minute|min|hour|day|weekday|week|fortnight|month|year)(?<plural>s?)(?![a-z])'
const wordEnd = '(?![a-z])'
const turn = '(?<turn>next|last|previous|this)\\s+'
const nthByName: { readonly [name: string]: number } = { first: 1, second: 2, third: 3, fourth: 4, fifth: 5, last: -1 }

/** English phrases that are relative to the present. Contract: events.md "Date texts accepted". */
export const relativeRules: readonly DateTextRule[] = [
  rule(`now${wordEnd}`, () => ({ isNow: true })),
  rule(`today${wordEnd}`, () => ({ daysFromToday: 0 })),
  rule(`tomorrow${wordEnd}`, () => ({ daysFromToday: 1 })),
  rule(`yesterday${wordEnd}`, () => ({ daysFromToday: -1 })),
  rule(`noon${wordEnd}`, () => ({ secondOfDay: 12 * 3600 })),
  rule(`midnight${wordEnd}`, () => ({ secondOfDay: 0 })),
  // first monday of january 2027, last friday of next month
  rule(`(?<nth>${Object.keys(nthByName).join('|')})\\s+${weekdayPattern}\\s+of${wordEnd}`, readDayOfMonth),
  // first day of january, last day of next month
  rule('(?<nth>first|last)\\s+day\\s+of(?![a-z])', readDayOfMonth),
  // next month, last week
  rule(`${turn}${unit}`, readTurn),
  // next monday
  rule(`${turn}${weekdayPattern}`, readWeekday),
  // +1 week, 3 days, - 2 hours, +3 weekdays
  rule(`(?<sign>[+-]?)\\s*(?<count>\\d{1,9})\\s*${unit}`, readShift),
  // a week ago
  rule(`an?\\s+${unit}`, readShift),
  rule(`ago${wordEnd}`, () => ({ isAgo: true })),
  rule(weekdayPattern, readWeekday),
]

const secondsByUnit: { readonly [unit: string]: number } = { sec: 1, second: 1, min: 60, minute: 60, hour: 3600 }
const daysByUnit: { readonly [unit: string]: number } = { day: 1, week: 7, fortnight: 14 }
const monthsByUnit: { readonly [unit: string]: number } = { month: 1, year: 12 }

function readShift(groups: Groups): DateTextParts {
  return { shift: shiftBy((groups.sign === '-' ? -1 : 1) * Number(groups.count ?? 1), groups.unit ?? '') }
}

function readTurn(groups: Groups): DateTextParts {
  const turn = readTurnWord(groups.turn)
  const shift = shiftBy(turn === 'this' ? 0 : turn === 'next' ? 1 : -1, groups.unit ?? '')
  // As in the reference, `next weeks` is only a number of days.
  if (groups.unit === 'week' && groups.plural === '') return { shift: { ...shift, turn: 'week' } }
  return { shift: groups.unit === 'weekday' ? { ...shift, turn: 'weekday' } : shift }
}

function shiftBy(count: number, unit: string): DateShift {
  return {
    months: count * (monthsByUnit[unit] ?? 0),
    days: count * (daysByUnit[unit] ?? 0),
    seconds: count * (secondsByUnit[unit] ?? 0),
    ...(unit === 'weekday' ? { weekdays: count } : {}),
  }
}

function readWeekday(groups: Groups): DateTextParts {
  return { weekday: { day: weekdayNumber(groups.weekday ?? ''), turn: readTurnWord(groups.turn) } }
}

function readTurnWord(word: string | undefined): 'this' | 'next' | 'last' {
  if (word === 'next') return 'next'
  return word === 'last' || word === 'previous' ? 'last' : 'this'
}

function readDayOfMonth(groups: Groups): DateTextParts {
  const nth = nthByName[groups.nth ?? ''] ?? 1
  if (groups.weekday === undefined) return { dayOfMonth: { nth } }
  return { dayOfMonth: { nth, weekday: weekdayNumber(groups.weekday) } }
}
