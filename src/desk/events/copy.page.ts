import { randomUUID } from 'node:crypto'
import { mayCreate, mayPublish } from '../../access/auth/policy.ts'
import { languageParameterNames } from '../../access/http/addresses.ts'
import { html } from '../../base/text/html.ts'
import { sharedArguments } from '../../calendar/events/model/fields.derived.ts'
import { keyFor, type Operation, sendBatch } from '../api/batch.ts'
import {
  actorOf,
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  type DeskRoutes,
  linkTo,
  type OwnCall,
  type TypedAgain,
} from '../shell/desk.call.ts'
import { isNoDate } from '../shell/desk.dates.ts'
import { type Faults, field, formPage, postForm } from '../shell/fields.ts'
import { tellAt } from '../shell/told.ts'
import { deskFields } from './desk.fields.ts'
import { shownMoment, timeParameters } from './editor.dates.ts'
import { type FormField, formFields } from './editor.fields.ts'
import type { ReadVersion } from './editor.model.ts'
import { readValue, readVersion } from './editor.state.ts'
import { type EventJson, titleOf } from './event.json.ts'
import { dayFromNow, shiftDays } from './table.days.ts'
import { tableAt } from './table.place.ts'

/** An event in all languages that the user may change. Others are not copied. */
interface Found {
  readonly event: EventJson
  readonly versions: readonly ReadVersion[]
}

async function find(call: OwnCall, id: string): Promise<Found | undefined> {
  const own = await readVersion(call, Number(id))
  if (!own) return undefined
  const others = await Promise.all(own.source.translations.map((one) => readVersion(call, one.id)))
  const versions = [own, ...others].flatMap((one) => (one ? [{ ...one, mainStatus: own.source.status }] : []))
  return { event: own.event, versions }
}

/** The values of the form. */
interface Values {
  readonly day: string
  readonly startTime: string
  readonly endTime: string
}

const weekDays = 7
const dayMilliseconds = 86_400_000

/** Returns the times a week later. An event that is long over is repeated on the next such day of the week. */
function valuesOf(call: OwnCall, { start_date: start, end_date: end }: EventJson): Values {
  if (isNoDate(start)) return { day: '', startTime: '', endTime: '' }
  const past = Date.parse(dayFromNow(call)) - Date.parse(start.slice(0, 10))
  const weeks = Math.max(1, Math.ceil(past / (weekDays * dayMilliseconds)))
  return {
    day: shiftDays(start, weekDays * weeks).slice(0, 10),
    startTime: shownMoment(start).slice(11),
    endTime: shownMoment(end).slice(11),
  }
}

interface Shown {
  readonly back: string
  readonly key?: string
  readonly values?: Values
  readonly faults?: Faults
  readonly text?: string
}

function copyPage(call: OwnCall, { event }: Found, shown: Shown): DeskPage {
  const { say, me } = call
  const { back, key = randomUUID(), values = valuesOf(call, event), faults = {}, text } = shown
  const title = say('copy.title', { title: titleOf(call, event) })
  const labels = {
    ...{ day: say('quick.start-day'), start_time: say('quick.start-time'), end_time: say('quick.end-time') },
  }
  const time = (name: 'start_time' | 'end_time', value: string) =>
    !event.all_day && field({ name, type: 'time', label: labels[name], value, isRequired: true, fault: faults[name] })
  const page = { title, section: 'events', text, faults, labels } as const
  const form = { className: 'panel', fields: { back, key } }
  return formPage(
    call,
    page,
    postForm(call, `/admin/events/${event.id}/copy/`, {
      ...form,
      content: html`<p class="hint">${say('copy.text')}</p>
${field({ name: 'day', type: 'date', label: labels.day, value: values.day, isRequired: true, fault: faults.day })}
<div class="pair">${time('start_time', values.startTime)}${time('end_time', values.endTime)}</div>
<div class="buttons">${mayPublish(actorOf(me)) && html`<button name="to" value="publish">${say('copy.publish')}</button>`}
<button name="to" value="draft" class="quiet">${say('copy.draft')}</button>
<a class="button quiet" href="${linkTo(call, tableAt(back))}">${say('many.back')}</a></div>`,
    }),
  )
}

const typedIn = (form: DeskForm): Values => ({
  ...{ day: form.get('day'), startTime: form.get('start_time'), endTime: form.get('end_time') },
})

const timePattern = /^\d\d:\d\d(?::\d\d)?$/

/** Returns the times of the copy. It lasts as many days as the event. */
function timesOf(event: EventJson, { day, startTime, endTime }: Values) {
  const dayOf = (local: string) => Date.parse(`${local.slice(0, 10)}T00:00:00Z`)
  const days = Math.round((dayOf(event.end_date) - dayOf(event.start_date)) / dayMilliseconds)
  const lastDay = shiftDays(`${day} 00:00:00`, days).slice(0, 10)
  const [start, end] = [`${day} ${startTime}`, `${lastDay} ${endTime}`]
  return timeParameters({ start, end, isAllDay: event.all_day === true })
}

/** Returns what a copy of a version takes over. */
function copied(version: ReadVersion): Readonly<Record<string, unknown>> {
  const shown: Readonly<Record<string, unknown>> = { ...version.event }
  const values = [
    ...formFields.map((field) => [field.argument, copiedValue(field, version)] as const),
    ...Object.entries(deskFields).flatMap(([argument, field]) =>
      'isAbsent' in field && field.isCopied ? [[argument, shown[argument]] as const] : [],
    ),
  ]
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

function copiedValue(field: FormField, version: ReadVersion): unknown {
  const { copied: copy, send, blank, jsonOf } = field
  if (copy === 'no' || send === 'no') return undefined
  if (copy) return copy(version)
  const value = readValue(field, version)
  return value === blank ? undefined : jsonOf(value)
}

function operationsFor(
  call: OwnCall,
  { event, versions }: Found,
  values: Values & { readonly status: string },
): readonly Operation[] {
  const words = languageParameterNames(call.config)
  const create = { method: 'POST', path: '/events' } as const
  return versions.map((version, place): Operation => {
    const own = { ...copied(version), status: values.status, [words.language]: version.source.language }
    if (place === 0) return { ...create, ref: 'copy', body: { ...own, ...timesOf(event, values) } }
    const others = Object.entries(own).filter(([argument]) => !sharedArguments.has(argument))
    return { ...create, body: { ...Object.fromEntries(others), [words.translationOf]: { ref: 'copy' } } }
  })
}

async function submit(call: OwnCall, form: DeskForm, id = ''): Promise<DeskAnswer> {
  const { say } = call
  const found = await find(call, id)
  if (!found) return { kind: 'see', path: '/admin/events/' }
  const [back, key, values] = [form.get('back'), form.get('key'), typedIn(form)]
  const required = say('fault.required')
  const isTimed = !found.event.all_day
  const faults: Faults = {
    ...(/^\d{4}-\d\d-\d\d$/.test(values.day) && !Number.isNaN(Date.parse(values.day)) ? {} : { day: required }),
    ...(isTimed && !timePattern.test(values.startTime) ? { start_time: required } : {}),
    ...(isTimed && !timePattern.test(values.endTime) ? { end_time: required } : {}),
  }
  const shown = { back, key, values }
  if (Object.keys(faults).length > 0) return copyPage(call, found, { ...shown, faults })
  const status = form.get('to') === 'publish' ? 'publish' : 'draft'
  const operations = operationsFor(call, found, { ...values, status })
  // The same form sent twice makes one copy.
  const { results, refused } = await sendBatch(call, operations, { key: keyFor(key, operations) })
  if (refused[0]) return copyPage(call, found, { ...shown, faults: { form: refused[0].message } })
  const done = status === 'publish' ? 'events.published' : 'events.saved'
  return tellAt(call, `/admin/events/${results[0]?.id}/`, { text: say(done, { title: titleOf(call, found.event) }) })
}

/** The page that repeats an event on another day. */
export const copyRoutes: DeskRoutes = {
  '/admin/events/{id}/copy/': {
    mayUse: mayCreate,
    show: async (call, id = '') => {
      const found = await find(call, id)
      return found
        ? copyPage(call, found, { back: call.query.get('back') ?? '' })
        : { kind: 'see', path: '/admin/events/' }
    },
    again: async (call, { form, notice: text }: TypedAgain, id = '') => {
      const found = await find(call, id)
      if (!found) return { kind: 'see', path: '/admin/events/' }
      return copyPage(call, found, { back: form.get('back'), values: typedIn(form), text })
    },
    submit,
  },
}
