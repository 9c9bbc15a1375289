import { localDateTimeAt, parseZone, type Zone } from '../../base/time/zone.ts'
import { addDays, readMoment, sentMoment, shownMoment } from '../events/editor.dates.ts'
import { momentFault, timesIn } from '../events/editor.values.ts'
import type { WordedCall } from '../shell/desk.call.ts'

/** The part of 03/04/2027 that is written first. */
export const dayOrders = ['day', 'month'] as const
export type DayOrder = (typeof dayOrders)[number]

const numbers = /(?<!\d)(\d{1,2})\s*[/.-]\s*(\d{1,2})\s*[/.-]\s*(\d{4}|\d{2})(?!\d)/

/** Returns the order of the numbers in dates; undefined if none has a number that cannot be a month, or they contradict. */
export function orderOf(dates: readonly string[]): DayOrder | undefined {
  const found = new Set(
    dates.flatMap((text): readonly DayOrder[] => {
      const [, first, second] = numbers.exec(text) ?? []
      if (Number(first) > 12) return ['day']
      return Number(second) > 12 ? ['month'] : []
    }),
  )
  const [only] = found
  return found.size === 1 ? only : undefined
}

/** Whether a date consists of numbers whose order is not known. */
export function isAmbiguous(text: string): boolean {
  return numbers.test(text)
}

/** Returns a text with its date in the form of ISO 8601, if its numbers have a known order. */
function ordered(text: string, order: DayOrder | undefined): string {
  const [whole = '', first = '', second = '', year = ''] = numbers.exec(text) ?? []
  if (order === undefined || whole === '') return text
  const [day, month] = order === 'day' ? [first, second] : [second, first]
  return text.replace(whole, `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
}

/** Returns an instant, as programs write it, as the local time in a zone; every other text as it is. */
function inZone(text: string, zone: Zone): string {
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/
  const at = form.test(text) ? Math.floor(Date.parse(text) / 1000) : Number.NaN
  return Number.isNaN(at) ? text : shownMoment(localDateTimeAt(at, zone))
}

/** What a row says about time, as it was typed. */
export interface TypedTimes {
  readonly date: string
  readonly start: string
  readonly endDate: string
  readonly end: string
  /** Whether the row says that it is an event of whole days. Without any time it is one as well. */
  readonly isAllDay: boolean
  readonly timezone: string
}

export interface RowTimes {
  /** In the form of the editor: `2030-03-05 19:30`, or `2030-03-05` for whole days. */
  readonly start: string
  readonly end: string
  readonly isAllDay: boolean
  readonly startFault: string | undefined
  /** The cell with the fault. */
  readonly startFaultAt: 'date' | 'start'
  readonly endFault: string | undefined
}

export interface TimeRules {
  readonly order: DayOrder | undefined
  /** How long an event lasts that has no end, in minutes. */
  readonly minutes: number
}

/** Returns the times of a row, read as the editor reads them. A row without any time is an event of whole days. */
export function timesOfRow(call: WordedCall, typed: TypedTimes, { order, minutes }: TimeRules): RowTimes {
  const { say } = call
  const zone = parseZone(typed.timezone) ?? call.config.siteZone
  const plain = (name: 'date' | 'start' | 'endDate' | 'end') => ordered(inZone(typed[name], zone), order)
  const { first, last: ending } = splitRange(plain('start'))
  const start = [hasDay(first) ? '' : plain('date'), first].filter(Boolean).join(' ')
  const ownEnd = plain('end') || ending
  const end = [hasDay(ownEnd) ? '' : plain('endDate'), ownEnd].filter(Boolean).join(' ')
  const isAllDay = typed.isAllDay || (!hasTime(start) && !hasTime(end))
  const read = timesIn(call, { start, end, all_day: isAllDay ? '1' : '', date: '' })
  const { start: from = '', end: last = '' } = read
  // Outlook ends a whole day at the midnight after it.
  const until = typed.isAllDay && last > from && timeOf(end) === '00:00' ? addDays(last, -1) : last
  const rules = { isDay: isAllDay, isNeeded: true, zone }
  const startFault = momentFault(call, from, rules)
  // The form of the table says how long an event without an end lasts.
  const to = end === '' && !isAllDay && startFault === undefined ? later(from, minutes) : until
  const endFault = startFault === undefined ? momentFault(call, to, rules) : undefined
  const isBefore = startFault === undefined && endFault === undefined && to < from
  const isTimeAlone = first === '' ? startFault !== say('editor.moment.time') : isTime(first)
  const startFaultAt = isTimeAlone ? 'date' : 'start'
  return {
    start: from,
    end: to,
    isAllDay,
    startFault,
    startFaultAt,
    endFault: isBefore ? say('editor.order') : endFault,
  }
}

/** Any day will do: only whether there is one matters. */
const someDay = '2030-01-01'

function hasDay(text: string): boolean {
  const read = readMoment(text, someDay)
  return typeof read === 'string' ? isAmbiguous(text) : read.day !== undefined
}

function timeOf(text: string): string | undefined {
  const read = readMoment(text, someDay)
  return typeof read === 'string' ? undefined : read.time
}

function hasTime(text: string): boolean {
  const read = readMoment(text, someDay)
  return typeof read === 'string' ? /\d\s*(?::\d|h\b|[ap]\.?m)/i.test(text) : read.time !== undefined
}

/** Whether a text is a time and nothing else. */
function isTime(text: string): boolean {
  const read = readMoment(text, someDay)
  return typeof read !== 'string' && read.day === undefined
}

/** Returns both times of a cell such as “19:00 – 21:00” or “19 h à 21 h”. */
function splitRange(text: string): { readonly first: string; readonly last: string } {
  const parts = text.split(/\s*[–—]\s*|\s+(?:to|à|-)\s+|(?<=[\dhm])-(?=\d{1,2}\s*(?::|h|[ap]\.?m|$))/i)
  // “7 – 9:30 pm” has a time without minutes.
  const isTimed = parts.some(hasTime)
  const [first = '', last = '', more] = parts.map((part) => (isTimed && /^\d{1,2}$/.test(part) ? `${part}:00` : part))
  const isRange = more === undefined && hasTime(first) && hasTime(last) && !hasDay(last)
  return isRange ? { first, last } : { first: text, last: '' }
}

function later(moment: string, minutes: number): string {
  const at = Date.parse(`${sentMoment(moment).replace(' ', 'T')}Z`)
  return shownMoment(new Date(at + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' '))
}
