import type { DeskForm, OwnCall } from '../shell/desk.call.ts'
import type { Faults } from '../shell/fields.ts'
import { readMoment } from './editor.dates.ts'
import type { EditorValues } from './editor.model.ts'
import { momentText } from './editor.times.ts'
import { linesOf, REPEAT_DAYS, repeatOf } from './repeat.rule.ts'

/** The box of a date in the list of dates that leaves it out. */
export const leaveOutName = 'leave_out'

const dayPattern = /^\d{4}-\d\d-\d\d$/
const datePattern = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d)?$/

/** Returns the chosen weekdays of a form, in the order of the week. */
export function daysIn(form: DeskForm): string {
  const chosen = new Set(form.all('repeat_days').flatMap((days) => days.split(',')))
  return REPEAT_DAYS.filter((day) => chosen.has(day)).join(',')
}

/**
 * Returns the days of what repeats as the interface writes them, or as they were typed if they cannot be read. A date
 * without a year is the next one from the first date on.
 *
 * @param from The day of the first date.
 */
export function repeatDaysIn(typed: EditorValues, form: DeskForm, from: string): EditorValues {
  const leftOut = form.all(leaveOutName).filter((date) => datePattern.test(date))
  const except = [...linesOf(typed.repeat_except).map((line) => dateIn(line, from)), ...leftOut]
  return {
    repeat_until: dayIn(typed.repeat_until ?? '', from),
    repeat_dates: linesOf(typed.repeat_dates)
      .map((line) => dateIn(line, from))
      .join('\n'),
    repeat_except: [...new Set(except)].join('\n'),
  }
}

function dayIn(text: string, from: string): string {
  const read = readMoment(text, from)
  return typeof read === 'string' || read.day === undefined ? text : read.day
}

function dateIn(text: string, from: string): string {
  const read = readMoment(text, from)
  if (typeof read === 'string' || read.day === undefined) return text
  return read.time === undefined ? read.day : momentText(read.day, read.time)
}

/** Returns what is missing or cannot be read. The interface checks the rest. */
export function repeatFaults({ say }: OwnCall, values: EditorValues): Faults {
  const repeat = repeatOf(values)
  if (repeat === '') return {}
  const hasEnd = repeat !== 'dates' && repeat !== 'rule'
  const { repeat_ends: ends, repeat_until: until = '', repeat_count: count = '' } = values
  const { repeat_interval: interval = '', repeat_month_day: monthDay = '', repeat_unit: unit } = values
  const unreadable = (name: 'repeat_dates' | 'repeat_except'): Faults => {
    const line = linesOf(values[name]).find((one) => !datePattern.test(one))
    return line === undefined ? {} : { [name]: say('repeat.fault.line', { line }) }
  }
  const isCustom = repeat === 'custom'
  return {
    ...(isCustom && !isNumber(interval, 999) ? { repeat_interval: say('repeat.fault.interval') } : {}),
    ...(isCustom && unit === 'MONTHLY' && !isMonthDays(monthDay)
      ? { repeat_month_day: say('repeat.fault.month-day') }
      : {}),
    ...(repeat === 'rule' && values.repeat_rule === '' ? { repeat_rule: say('fault.required') } : {}),
    ...(hasEnd && ends === 'until' && !dayPattern.test(until) ? { repeat_until: say('repeat.fault.until') } : {}),
    ...(hasEnd && ends === 'count' && !isNumber(count, 9999) ? { repeat_count: say('repeat.fault.count') } : {}),
    ...(repeat === 'dates' && linesOf(values.repeat_dates).length === 0
      ? { repeat_dates: say('repeat.fault.dates') }
      : unreadable('repeat_dates')),
    ...unreadable('repeat_except'),
  }
}

const isNumber = (text: string, most: number) => /^[1-9]\d{0,3}$/.test(text) && Number(text) <= most

/** `1, 15, -1`. Nothing is the day of the first date. */
const isMonthDays = (text: string) =>
  text === '' || text.split(',').every((day) => /^\s*-?(?:[1-9]|[12]\d|3[01])\s*$/.test(day))
