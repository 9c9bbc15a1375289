import type { DeskKey } from '../../base/languages/catalogue.ts'
import { localDateTimeAt, parseZone, type Zone } from '../../base/time/zone.ts'
import { isNoDate } from '../../calendar/events/model/event.ts'
import type { DeskForm, OwnCall, WordedCall } from '../shell/desk.call.ts'
import type { Faults } from '../shell/fields.ts'
import { inLanguage } from './desk.field.ts'
import { addDays, readMoment } from './editor.dates.ts'
import { fieldOf, formFields, labelOf, namesOf, namesOfFields, proseNames } from './editor.fields.ts'
import type { EditorState, EditorValues } from './editor.model.ts'
import { offerLabel } from './editor.offers.ts'
import { inOneHalf, isSkipped, momentText } from './editor.times.ts'
import { repeatOf } from './repeat.rule.ts'
import { repeatDaysIn, repeatFaults } from './repeat.values.ts'

const dayPattern = /^\d{4}-\d\d-\d\d$/
export const momentPattern = /^\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?$/

interface TypedForm {
  readonly form: DeskForm
  /** The fields of the form. Default: all. */
  readonly names?: readonly string[]
}

/** Returns the state with what was typed, and with the values with which the form was made. */
export function typedState(
  call: OwnCall,
  state: EditorState,
  { form, names = namesOfFields(state.versions.map(({ language }) => language)) }: TypedForm,
): EditorState {
  const was = { ...state.was, ...Object.fromEntries(names.map((name) => [name, form.get(`was.${name}`)])) }
  const own = names.map((name) => [name, fieldOf(name)?.typed(form, name, was[name] ?? '') ?? ''] as const)
  const typed: EditorValues = { ...state.values, ...Object.fromEntries(own) }
  const times = timesIn(call, typed)
  const values = { ...typed, ...times, ...repeatDaysIn(typed, form, firstDay(call, times)) }
  const versions = state.versions.map((one) => ({
    ...one,
    version: form.get(`version.${one.language}`) || one.version,
  }))
  return { ...state, versions, values, was }
}

/** Returns the times as the interface writes them, or as they were typed if they cannot be read. */
export function timesIn(call: WordedCall, typed: EditorValues): EditorValues {
  const { start = '', end = '', all_day: allDay, date = '' } = typed
  const { config, now } = call
  const today = localDateTimeAt(now, config.siteZone).slice(0, 10)
  const isAllDay = allDay === '1'
  const momentOf = (text: string, day?: string): string => {
    const read = readMoment(text, today)
    if (typeof read === 'string') return text
    const on = read.day ?? day
    if (on === undefined) return text
    if (isAllDay) return on
    return read.time === undefined ? (day === undefined ? on : text) : momentText(on, read.time)
  }
  const first = momentOf(start)
  const startDay = first.slice(0, 10)
  const isDated = dayPattern.test(startDay)
  const bare = readMoment(end, today)
  const isTimeAlone = typeof bare !== 'string' && bare.day === undefined
  // Without an end, an event ends when it begins. A start that still lacks its time is not an end.
  const isComplete = (isAllDay ? dayPattern : momentPattern).test(first)
  const last = end === '' && isComplete ? first : momentOf(end, isTimeAlone && isDated ? startDay : undefined)
  const [from, until] = isAllDay
    ? [first, last]
    : inOneHalf({ text: start, moment: first }, { text: end, moment: last })
  // "22:00 to 2:00" ends on the next day.
  const isNextDay = isTimeAlone && !isAllDay && momentPattern.test(until) && until < from
  const isDate = typeof readMoment(date, today) !== 'string'
  const moment = isDate ? readMoment(date, today) : undefined
  const goesPublic =
    typeof moment === 'object' && moment.day !== undefined && moment.time !== undefined
      ? momentText(moment.day, moment.time)
      : date
  return { start: from, end: isNextDay ? `${addDays(startDay, 1)} ${until.slice(11)}` : until, date: goesPublic }
}

/** Returns the day of the start, or else today. Days of what repeats without a year are the next ones from there. */
function firstDay({ now, config }: OwnCall, { start = '' }: EditorValues): string {
  const day = start.slice(0, 10)
  return dayPattern.test(day) ? day : localDateTimeAt(now, config.siteZone).slice(0, 10)
}

const faultKeys = {
  unreadable: 'editor.moment.unreadable',
  ambiguous: 'editor.moment.ambiguous',
  'no-day': 'editor.moment.no-day',
  weekday: 'editor.moment.weekday',
} as const satisfies Readonly<Record<string, DeskKey>>

/** Returns the faults that the desk finds itself. */
/** @param to The button that was pressed: a draft needs no date. */
export function faultsIn(call: OwnCall, { values, was, versions, series }: EditorState, to?: string): Faults {
  const { say } = call
  const faults: Record<string, string> = {}
  const required = say('fault.required')
  const titled = versions.filter(({ language }) => values[inLanguage('title', language)] !== '')
  for (const { language, id } of versions) {
    const isWritten = id !== undefined || proseNames.some((name) => values[inLanguage(name, language)])
    if (isWritten && !titled.some((one) => one.language === language)) faults[inLanguage('title', language)] = required
  }
  const [first] = versions
  if (titled.length === 0 && first) faults[inLanguage('title', first.language)] = required
  const isAllDay = values.all_day === '1'
  const isDateless = to === 'draft' && series === undefined && !values.start && !values.end && repeatOf(values) === ''
  const zone = parseZone(values.timezone ?? '') ?? call.config.siteZone
  for (const name of ['start', 'end', 'date'] as const) {
    // A time that was stored stays, even if clocks skip it.
    const isStored = values[name] === was[name] && values.timezone === was.timezone
    const fault = momentFault(call, values[name] ?? '', {
      isDay: isAllDay && name !== 'date',
      // Without an end, an event ends when it begins.
      isNeeded: name === 'start' && !isDateless,
      zone: isStored || name === 'date' ? undefined : zone,
    })
    if (fault !== undefined) faults[name] = values[name] === '' ? say('editor.check.start') : fault
  }
  const { start = '', end = '' } = values
  if (!faults.start && !faults.end && end < start) faults.end = say('editor.order')
  if (series && repeatOf(values) === '' && repeatOf(was) !== '') faults.repeat = say('repeat.fault.never')
  return { ...faults, ...repeatFaults(call, values) }
}

interface MomentRules {
  readonly isDay: boolean
  readonly isNeeded: boolean
  /** The zone in which clocks must have the time. */
  readonly zone?: Zone | undefined
}

/** Returns why a moment of a form cannot be saved. */
export function momentFault(
  { say, now, config }: WordedCall,
  value: string,
  { isDay, isNeeded, zone }: MomentRules,
): string | undefined {
  if (value === '') return isNeeded ? say('fault.required') : undefined
  if (isNoDate(value)) return say('editor.check.start')
  if ((isDay ? dayPattern : momentPattern).test(value)) {
    return !isDay && zone && isSkipped(value, zone) ? say('editor.moment.skipped') : undefined
  }
  if (dayPattern.test(value)) return say('editor.moment.time')
  const read = readMoment(value, localDateTimeAt(now, config.siteZone).slice(0, 10))
  return say(typeof read === 'string' ? faultKeys[read] : 'editor.moment.day')
}

const fieldsByArgument = new Map(formFields.map((field) => [field.argument, field]))

/**
 * Returns the faults that the interface finds, by the fields of the editor.
 *
 * @param language The language of the record that was refused.
 */
export function faultsByField(
  call: OwnCall,
  faults: Faults,
  { message, language }: { readonly message: string; readonly language: string },
): Faults {
  const named = Object.entries(faults).map(([name, text]) => {
    const [own = name] = name === 'recurrence' ? ['repeat'] : name.split('[')
    const field = fieldsByArgument.get(own)
    if (field === undefined) return [own, text] as const
    const [shown = own] = namesOf(field, [language])
    return [shown, withLabel(call, text, { name, field: shown })] as const
  })
  return named.length > 0 ? Object.fromEntries(named) : { form: message }
}

/**
 * Returns a fault with the name of the field on the page instead of that of the parameter, which the interface quotes. It
 * also quotes a part of a list: `offers.0.price`.
 */
function withLabel(call: OwnCall, text: string, { name, field }: { readonly name: string; readonly field: string }) {
  return text.replaceAll(/(?<=“|«\u00a0)[^”»]{1,100}?(?=”|\u00a0»)/g, (named) => {
    if (named === name) return labelOf(call, field)
    if (!named.startsWith(`${name}.`)) return named
    return (name === 'offers' ? offerLabel(call, named.slice(name.length + 1)) : undefined) ?? labelOf(call, field)
  })
}

/** Returns the state with the prose of the first language in another one, where that has none. Nothing typed is replaced. */
export function withCopiedTexts(state: EditorState, language: string): EditorState {
  const from = state.versions[0]?.language ?? ''
  const copied = proseNames.map((name) => {
    const own = state.values[inLanguage(name, language)] ?? ''
    return [inLanguage(name, language), own === '' ? (state.values[inLanguage(name, from)] ?? '') : own] as const
  })
  return { ...state, values: { ...state.values, ...Object.fromEntries(copied) } }
}
