import { dayOf, endOfDay, isLocalDateTime, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { parseZone, type Zone } from '../../base/time/zone.ts'
import { type LocalText, readLocalText } from './local.text.ts'
import { longestYears, maxExceptions, maxExtraDates } from './recurrence.limits.ts'
import {
  invalidRule,
  isRecurrenceFault,
  type Recurrence,
  type RecurrenceContext,
  type RecurrenceFault,
  type RecurrenceRule,
} from './recurrence.ts'
import { datesOf } from './rule.dates.ts'
import { horizonOf } from './rule.periods.ts'
import { parseRule } from './rule.text.ts'

interface SentDate {
  readonly text: string
  /** The zone of a time without an offset. */
  readonly zone: Zone
}

/** A recurrence as it was sent, before its rule and its dates are read. */
interface SentRecurrence {
  readonly rule: string | undefined
  readonly dates: readonly SentDate[]
  readonly except: readonly SentDate[]
}

/**
 * Splits lines of iCalendar: RRULE at most once, RDATE and EXDATE any number of times, each with or without TZID. A text
 * without a colon is a rule.
 *
 * @see RFC 5545, 3.1 and 3.8.5
 */
export function splitLines(text: string, zone: Zone): SentRecurrence | RecurrenceFault {
  if (!text.includes(':')) return { rule: text, dates: [], except: [] }
  const unfolded = text.replace(/\r?\n[ \t]/g, '')
  let rule: string | undefined
  const [dates, except]: [SentDate[], SentDate[]] = [[], []]
  for (const line of unfolded.split(/\r?\n/).filter((one) => one.trim() !== '')) {
    const { name, value, zoneName } = contentLine(line)
    const ownZone = zoneName === undefined ? zone : parseZone(zoneName)
    if (ownZone === undefined) return invalidRule('fault.recurrence.zone', { part: quoted(zoneName ?? '') })
    const sent = () => value.split(',').map((one) => ({ text: one, zone: ownZone }))
    if (name === 'RDATE') dates.push(...sent())
    else if (name === 'EXDATE') except.push(...sent())
    else if (name !== 'RRULE') return invalidRule('fault.recurrence.line', { part: quoted(line) })
    else if (rule !== undefined) return invalidRule('fault.recurrence.two-rules')
    else rule = value
  }
  return { rule, dates, except }
}

/** Others may send anything: an error shows at most this much of a text. */
const longestQuote = 40

/** Returns the beginning of a text, for an error. */
function quoted(text: string): string {
  return text.slice(0, longestQuote)
}

const parameter = /;([\w-]+)=("[^"]*"|[^";:]*)/g

/** Returns the parts of a line; without a name if it has another form. The value may contain colons. */
function contentLine(line: string): { readonly name: string; readonly value: string; readonly zoneName?: string } {
  const [, name = '', parameters = '', value = ''] =
    /^([\w-]+)((?:;[\w-]+=(?:"[^"]*"|[^";:]*))*):(.*)$/.exec(line) ?? []
  const zoneName = [...parameters.matchAll(parameter)].find(([, key]) => key?.toUpperCase() === 'TZID')?.[2]
  const plain = { name: name.toUpperCase(), value: value.trim() }
  return zoneName === undefined ? plain : { ...plain, zoneName: zoneName.replaceAll('"', '') }
}

/** The members of a recurrence, with the most dates of each. */
const maxDates = { dates: maxExtraDates, except: maxExceptions } as const
const members = ['rrule', ...Object.keys(maxDates)]
const example = JSON.stringify({ rrule: 'FREQ=WEEKLY;BYDAY=FR' })

export interface RecurringEvent extends RecurrenceContext {
  readonly isAllDay: boolean
}

/**
 * Reads what repeats: an object with `rrule`, `dates` and `except`, or the lines RRULE, RDATE and EXDATE of iCalendar.
 *
 * Dates are days or local times of the event. Times with an offset or of another zone are converted. A day in `dates`
 * has the time of the start. A day in `except` leaves out all dates on that day. An all-day event has days only, so times
 * are ignored.
 *
 * @returns The recurrence, with dates in order and without doubles, or why it is refused: also if it has no dates.
 */
export function readRecurrence(sent: unknown, event: RecurringEvent): Recurrence | RecurrenceFault {
  const split = typeof sent === 'string' ? splitLines(sent, event.zone) : splitObject(sent, event.zone)
  if (isRecurrenceFault(split)) return split
  const [dates, except] = [readDates(split, 'dates', event), readDates(split, 'except', event)]
  if (isRecurrenceFault(dates)) return dates
  if (isRecurrenceFault(except)) return except
  const rule = split.rule === undefined ? undefined : parseRule(split.rule, event)
  if (rule && isRecurrenceFault(rule)) return rule
  if (rule === undefined && dates.length === 0) return invalidRule('fault.recurrence.form', { example })
  const further = unique(dates.map((one) => startOn(one, event))).filter((date) => date !== event.start)
  const known = [event.start, ...further]
  const leftOut = unique(
    except.flatMap((one) => [
      startOn(one, event),
      ...(one.hasTime ? [] : known.filter((date) => dayOf(date) === dayOf(one.date))),
    ]),
  )
  const recurrence = { rule, dates: further, except: leftOut.filter((date) => date >= event.start) }
  return rangeFault(recurrence, event) ?? emptyFault(recurrence, event) ?? recurrence
}

/** Takes the members of an object, whose lists may also be texts with commas, as in forms. */
function splitObject(sent: unknown, zone: Zone): SentRecurrence | RecurrenceFault {
  const form = invalidRule('fault.recurrence.form', { example })
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return form
  const unknown = Object.keys(sent).find((name) => !members.includes(name))
  if (unknown !== undefined) {
    return invalidRule('fault.recurrence.member', { part: quoted(unknown), allowed: members.join(', '), example })
  }
  const { rrule, dates, except } = sent as Readonly<Record<string, unknown>>
  if (Array.isArray(rrule)) return invalidRule('fault.recurrence.two-rules')
  const rule = rrule === null || rrule === '' ? undefined : rrule
  const lists = [dates, except].map((list) => textsOf(list)?.map((text) => ({ text, zone })))
  if ((rule !== undefined && typeof rule !== 'string') || lists.includes(undefined)) return form
  return { rule, dates: lists[0] ?? [], except: lists[1] ?? [] }
}

function textsOf(list: unknown): readonly string[] | undefined {
  if (list === undefined || list === null || list === '') return []
  const items: readonly unknown[] = typeof list === 'string' ? list.split(',') : Array.isArray(list) ? list : [list]
  return items.every((item) => typeof item === 'string') ? items : undefined
}

function readDates(
  sent: SentRecurrence,
  member: keyof typeof maxDates,
  { zone }: RecurrenceContext,
): readonly LocalText[] | RecurrenceFault {
  const most = maxDates[member]
  if (sent[member].length > most) {
    return { ...invalidRule('fault.recurrence.too-many', { part: member, most: String(most) }), code: 'too-many-dates' }
  }
  const read = sent[member].map((date) => readDate(date, zone))
  const wrong = read.indexOf(undefined)
  if (wrong < 0) return read.filter((one) => one !== undefined)
  return invalidRule('fault.recurrence.date', { part: quoted(sent[member][wrong]?.text ?? '') })
}

function readDate({ text, zone: ownZone }: SentDate, zone: Zone): LocalText | undefined {
  return readLocalText(text, zone, ownZone)
}

/** Returns the start of the event on that day, or at that time. */
function startOn({ date, hasTime }: LocalText, { start, isAllDay }: RecurringEvent): LocalDateTime {
  const text = `${dayOf(date)}${start.slice(10)}`
  return !hasTime || isAllDay ? (isLocalDateTime(text) ? text : date) : date
}

function unique(dates: readonly LocalDateTime[]): readonly LocalDateTime[] {
  return [...new Set(dates)].sort()
}

/** Dates and the end of a rule are between the start and the most years after it. */
function rangeFault({ rule, dates }: Recurrence, { start }: RecurringEvent): RecurrenceFault | undefined {
  const until = rule?.until === undefined ? [] : [rule.until]
  const all = [...dates, ...until]
  const [early, late] = [all.find((date) => date < start), all.find((date) => date > endOfDay(horizonOf(start)))]
  const faultAt = (part: LocalDateTime, text: 'fault.recurrence.before-start' | 'fault.recurrence.too-far') =>
    invalidRule(text, { part: until.includes(part) ? `UNTIL=${dayOf(part)}` : part, start, most: String(longestYears) })
  if (early !== undefined) return faultAt(early, 'fault.recurrence.before-start')
  return late === undefined ? undefined : { ...faultAt(late, 'fault.recurrence.too-far'), code: 'too-many-dates' }
}

/** A rule must give a date after the start, unless it ends before. Not all dates may be left out. */
function emptyFault(recurrence: Recurrence, { start }: RecurringEvent): RecurrenceFault | undefined {
  const first = { start, through: horizonOf(start), limit: 1 }
  const values = { start, most: String(longestYears) }
  if (recurrence.rule) {
    const rule = endless(recurrence.rule)
    const never = datesOf({ rule, dates: [], except: [start] }, first).dates.length === 0
    if (never) return { code: 'no-dates', text: 'fault.recurrence.never', values }
  }
  if (datesOf(recurrence, first).dates.length > 0) return undefined
  return { code: 'no-dates', text: 'fault.recurrence.no-dates', values }
}

function endless({ count: _count, until: _until, ...rule }: RecurrenceRule): RecurrenceRule {
  return rule
}
