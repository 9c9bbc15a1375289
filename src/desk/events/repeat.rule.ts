import { sentMoment, shownMoment, weekdayOf } from './editor.dates.ts'

// What a form says about the dates of an event, and the rule of RFC 5545 that it stands for.

/** How an event repeats: nothing, a usual rule, a rule of the fields below, single dates, or a rule that only its text says. */
export const REPEATS = [
  ...(['', 'weekly', 'fortnightly', 'monthly', 'monthly-weekday', 'yearly'] as const),
  ...(['custom', 'dates', 'rule'] as const),
] as const
export type Repeat = (typeof REPEATS)[number]
export const REPEAT_UNITS = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
export const REPEAT_DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
/** Which weekday of a month: the first to the fourth, or the last. Nothing: a day of the month. */
export const REPEAT_PLACES = ['', '1', '2', '3', '4', '-1'] as const
export const REPEAT_ENDS = ['never', 'until', 'count'] as const

/** The fields of the form, as texts. */
type EditorValues = Readonly<Record<string, string>>

/** The fields of what repeats, in the order of the form. */
export const repeatFields = [
  ...(['repeat', 'repeat_interval', 'repeat_unit', 'repeat_days', 'repeat_nth', 'repeat_month_day'] as const),
  ...(['repeat_rule', 'repeat_ends', 'repeat_until', 'repeat_count', 'repeat_except', 'repeat_dates'] as const),
] as const
export type RepeatField = (typeof repeatFields)[number]

/** What repeats, as the interface takes it. */
export interface RecurrenceJson {
  readonly rrule?: string
  readonly dates: readonly string[]
  readonly except: readonly string[]
}

/** The fields of an event that does not repeat. */
export const noRepeat = {
  ...{ repeat: '', repeat_interval: '1', repeat_unit: 'WEEKLY', repeat_ends: 'never' },
} as const satisfies Readonly<Partial<Record<RepeatField, string>>>

/** Returns what repeats; undefined if the event does not. Fields that another choice does not use count for nothing. */
export function recurrenceIn(values: EditorValues): RecurrenceJson | undefined {
  if (repeatOf(values) === '') return undefined
  const rrule = ruleIn(values)
  return {
    ...(rrule === '' ? {} : { rrule }),
    dates: linesOf(values.repeat_dates).map(sentDate),
    except: linesOf(values.repeat_except).map(sentDate),
  }
}

/** Returns what repeats from a date on: without the further dates before it, which the interface would refuse. */
export function recurrenceFrom(recurrence: RecurrenceJson, from: string): RecurrenceJson {
  return { ...recurrence, dates: recurrence.dates.filter((date) => date >= from.slice(0, date.length)) }
}

export function repeatOf({ repeat = '' }: EditorValues): Repeat {
  return REPEATS.find((one) => one === repeat) ?? ''
}

/** Returns the lines of a field, without empty ones. */
export function linesOf(text = ''): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

const sentDate = (date: string) => (date.length > 10 ? sentMoment(date) : date)

function ruleIn(values: EditorValues): string {
  const repeat = repeatOf(values)
  if (repeat === 'rule') return values.repeat_rule ?? ''
  const parts = partsOf(repeat, values)
  return parts.length === 0 ? '' : [...parts, ...endOf(values)].join(';')
}

function partsOf(repeat: Repeat, values: EditorValues): readonly string[] {
  const { start = '', repeat_days: days = '' } = values
  const byDay = days === '' ? [] : [`BYDAY=${days}`]
  switch (repeat) {
    case 'weekly':
      return ['FREQ=WEEKLY', ...byDay]
    case 'fortnightly':
      return ['FREQ=WEEKLY', 'INTERVAL=2', ...byDay]
    case 'monthly':
      return ['FREQ=MONTHLY']
    case 'monthly-weekday':
      return ['FREQ=MONTHLY', `BYDAY=${weekdayInMonth(start)}`]
    case 'yearly':
      return ['FREQ=YEARLY']
    case 'custom':
      return customParts(values)
    default:
      return []
  }
}

function customParts(values: EditorValues): readonly string[] {
  const { start = '', repeat_unit: unit = '', repeat_interval: interval = '', repeat_days: days = '' } = values
  const { repeat_nth: nth = '', repeat_month_day: monthDay = '' } = values
  const every = interval === '1' || interval === '' ? [] : [`INTERVAL=${interval}`]
  const head = [`FREQ=${unit}`, ...every]
  if (unit === 'MONTHLY' && nth !== '') {
    const chosen = days === '' ? [weekdayAt(start)] : days.split(',')
    return [...head, `BYDAY=${chosen.map((day) => `${nth}${day}`).join(',')}`]
  }
  if (unit === 'MONTHLY') return monthDay === '' ? head : [...head, `BYMONTHDAY=${monthDay.replace(/\s/g, '')}`]
  return unit === 'YEARLY' || days === '' ? head : [...head, `BYDAY=${days}`]
}

function endOf({ repeat_ends: ends, repeat_until: until = '', repeat_count: count = '' }: EditorValues) {
  if (ends === 'until') return [`UNTIL=${until.replaceAll('-', '')}`]
  return ends === 'count' ? [`COUNT=${count}`] : []
}

/** Returns the weekday of a moment and its place in the month: `2FR`. A fifth one is the last. */
function weekdayInMonth(moment: string): string {
  const place = Math.ceil(Number(moment.slice(8, 10)) / 7)
  return `${place > 4 ? -1 : place}${weekdayAt(moment)}`
}

function weekdayAt(moment: string): string {
  // Sunday is 0 in `Date`, and the last day here.
  return REPEAT_DAYS[(weekdayOf(moment.slice(0, 10)) + 6) % 7] ?? 'MO'
}

/**
 * Returns the fields for what repeats.
 *
 * @param start The first date: `2030-01-05 19:00`, without a time for whole days.
 * @param isStored Whether the rule counts for more dates than the one that the form shows. It then names its weekdays, so that
 *   it stays if this date moves.
 */
export function repeatValues(
  { rrule = '', dates, except }: RecurrenceJson,
  start: string,
  { isStored = false } = {},
): EditorValues {
  const time = shownMoment(start).slice(11)
  // A date at the usual time is a day.
  const shown = (date: string) => {
    const moment = shownMoment(date)
    return moment.slice(11) === time ? date.slice(0, 10) : moment
  }
  return {
    ...noRepeat,
    ...(rrule === '' ? { repeat: 'dates' } : valuesOfRule(rrule, isStored ? undefined : start)),
    repeat_dates: dates.map(shown).join('\n'),
    repeat_except: except.map(shown).join('\n'),
  }
}

function valuesOfRule(rrule: string, start: string | undefined): EditorValues {
  const parts = new Map(rrule.split(';').map((part) => part.split('=') as [string, string]))
  const [until, count] = [parts.get('UNTIL'), parts.get('COUNT')]
  const end = {
    ...(until === undefined
      ? {}
      : { repeat_ends: 'until', repeat_until: until.replace(/^(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3') }),
    ...(count === undefined ? {} : { repeat_ends: 'count', repeat_count: count }),
  }
  const {
    FREQ: unit = '',
    INTERVAL: interval = '1',
    BYDAY: days,
    BYMONTHDAY: monthDay,
    ...others
  } = Object.fromEntries([...parts].filter(([name]) => name !== 'UNTIL' && name !== 'COUNT'))
  const asText = { repeat: 'rule', repeat_rule: rrule }
  if (Object.keys(others).length > 0) return asText
  const own = shownRule({ unit, interval, days, monthDay }, start)
  return own === undefined ? asText : { ...own, ...end }
}

interface RuleParts {
  readonly unit: string
  readonly interval: string
  readonly days: string | undefined
  readonly monthDay: string | undefined
}

/** Returns the fields of a rule; undefined if the form has none for it. */
function shownRule({ unit, interval, days, monthDay }: RuleParts, start: string | undefined): EditorValues | undefined {
  const custom = { repeat: 'custom', repeat_unit: unit, repeat_interval: interval }
  const [, nth = '', names = ''] = /^(-?\d*)([A-Z,]+)$/.exec(sameOrdinal(days ?? '')) ?? []
  if (days !== undefined && (names === '' || !REPEAT_PLACES.some((place) => place === nth))) return undefined
  if (days !== undefined && monthDay !== undefined) return undefined
  if (unit === 'WEEKLY' || unit === 'DAILY') {
    if (nth !== '' || monthDay !== undefined) return undefined
    const usual = { 1: 'weekly', 2: 'fortnightly' }[interval]
    const own = unit === 'WEEKLY' && usual !== undefined ? { repeat: usual } : custom
    return { ...own, repeat_days: names }
  }
  if (unit === 'YEARLY') {
    if (days !== undefined || monthDay !== undefined) return undefined
    return interval === '1' ? { repeat: 'yearly' } : custom
  }
  if (monthDay !== undefined) return { ...custom, repeat_month_day: monthDay }
  if (days === undefined) return interval === '1' ? { repeat: 'monthly' } : custom
  if (nth === '') return undefined
  if (start !== undefined && interval === '1' && days === weekdayInMonth(start)) return { repeat: 'monthly-weekday' }
  return { ...custom, repeat_nth: nth, repeat_days: names }
}

/** Returns `1MO,1TU` as `1MO,TU`. Days with different places stay as they are, and so are read by nothing. */
function sameOrdinal(days: string): string {
  const [, place = ''] = /^(-?\d+)/.exec(days) ?? []
  const all = days.split(',')
  return place !== '' && all.every((day) => day.startsWith(place))
    ? `${place}${all.map((day) => day.slice(place.length)).join(',')}`
    : days
}
