import { mayPublish } from '../../access/auth/policy.ts'
import { languageParameterNames } from '../../access/http/addresses.ts'
import { html } from '../../base/text/html.ts'
import { sharedArguments } from '../../calendar/events/model/fields.derived.ts'
import { keyFor, type Operation, sendBatch } from '../api/batch.ts'
import { actorOf, type OwnCall } from '../shell/desk.call.ts'
import { tellAt } from '../shell/told.ts'
import { deskFields } from './desk.fields.ts'
import { addDays, daysBetween, timeParameters } from './editor.dates.ts'
import { type FormField, formFields } from './editor.fields.ts'
import type { EditorState, EditorValues, ReadVersion } from './editor.model.ts'
import { readValue } from './editor.state.ts'
import { faultsIn } from './editor.values.ts'
import { shortRoutes, shownTitle } from './short.form.ts'
import { dayFromNow } from './table.days.ts'

const weekDays = 7

/** Returns the times some days later. */
function later({ start = '', end = '' }: EditorValues, days: number): EditorValues {
  const shifted = (moment: string) => (moment === '' ? '' : addDays(moment.slice(0, 10), days) + moment.slice(10))
  return { start: shifted(start), end: shifted(end) }
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

function operationsFor(call: OwnCall, { read = [], values }: EditorState, status: string): readonly Operation[] {
  const words = languageParameterNames(call.config)
  const create = { method: 'POST', path: '/events' } as const
  const { start = '', end = '', all_day: allDay } = values
  return read.map((version, place): Operation => {
    const own = { ...copied(version), status, [words.language]: version.source.language }
    const times = timeParameters({ start, end, isAllDay: allDay === '1' })
    if (place === 0) return { ...create, ref: 'copy', body: { ...own, ...times } }
    const others = Object.entries(own).filter(([argument]) => !sharedArguments.has(argument))
    return { ...create, body: { ...Object.fromEntries(others), [words.translationOf]: { ref: 'copy' } } }
  })
}

/** The page that repeats an event on another day. */
export const copyRoutes = shortRoutes({
  name: 'copy',
  fields: ['start', 'end'],
  // The same time a week later. An event that is long over is repeated on the next such day of the week.
  begin: (call, state) => {
    const past = daysBetween(state.values.start ?? '', dayFromNow(call))
    const times = later(state.values, weekDays * Math.max(1, Math.ceil(past / weekDays)))
    // A copy does not belong to a series.
    return { ...state, series: undefined, values: { ...state.values, ...times, repeat: '' }, was: times }
  },
  first: ({ say }) => html`<p class="hint">${say('copy.text')}</p>`,
  last: ({ say, me }) =>
    html`<div class="buttons">${mayPublish(actorOf(me)) && html`<button name="to" value="publish">${say('copy.publish')}</button>`}
<button name="to" value="draft" class="quiet">${say('copy.draft')}</button>`,
  save: async (call, typed, form) => {
    const { values, was } = typed
    const status = form.get('to') === 'publish' ? 'publish' : 'draft'
    // An end on another day that nobody has changed moves with the start.
    const moved =
      values.end === was.end && values.end?.slice(0, 10) !== was.start?.slice(0, 10)
        ? later(was, daysBetween(was.start ?? '', values.start ?? '')).end
        : undefined
    const state = { ...typed, values: { ...values, ...(moved ? { end: moved } : {}) }, was: {} }
    const faults = faultsIn(call, state, status)
    if (Object.keys(faults).length > 0) return { faults }
    const operations = operationsFor(call, state, status)
    // The same form sent twice makes one copy.
    const { results, refused } = await sendBatch(call, operations, { key: keyFor(form.get('key'), operations) })
    if (refused[0]) return { faults: { form: refused[0].message } }
    const done = status === 'publish' ? 'events.published' : 'events.saved'
    const text = call.say(done, { title: shownTitle(call, state) })
    return tellAt(call, `/admin/events/${results[0]?.id}/`, { text })
  },
})
