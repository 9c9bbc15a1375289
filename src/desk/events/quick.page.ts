import { mayCreate, mayPublish } from '../../access/auth/policy.ts'
import { html } from '../../base/text/html.ts'
import { parseZone } from '../../base/time/zone.ts'
import type { RecordStatus } from '../../calendar/records/record.ts'
import { statuses } from '../api/statuses.ts'
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
import { type Choice, type Faults, faultsOf, field, formPage, postForm, select } from '../shell/fields.ts'
import { tellAt } from '../shell/told.ts'
import { momentOf } from './desk.fields.ts'
import { timeParameters, writeEnd, writeMoment } from './editor.dates.ts'
import { momentFault, timesIn } from './editor.values.ts'
import { type EventJson, listOf, nameOf, statusOf, titleOf } from './event.json.ts'
import { categoryBoxes, readChoices, withChoice } from './table.choices.ts'
import { tableAt } from './table.place.ts'

/** An event and its version. */
interface Found {
  readonly event: EventJson
  readonly version: string
}

async function find({ api }: OwnCall, id: string): Promise<Found | undefined> {
  const { status, body, version } = await api.events<EventJson>({ path: `/events/${id}`, query: { context: 'edit' } })
  return status === 200 && version !== undefined ? { event: body, version } : undefined
}

/** The values of the form. */
interface Values {
  readonly start: string
  readonly end: string
  readonly venue: string
  readonly status: string
  readonly categories: readonly string[]
}

function valuesOf(event: EventJson): Values {
  const { venue, status, categories } = event
  const places = listOf(venue)
  return {
    ...{ start: momentOf(event, 'start_date'), end: momentOf(event, 'end_date') },
    venue: places.length === 1 ? String(places[0]?.id) : '',
    ...{ status, categories: categories.map(({ id }) => String(id)) },
  }
}

/** Returns what was typed, the times as the editor reads them. */
function typedIn(call: OwnCall, { event }: Found, form: DeskForm): Values {
  const allDay = event.all_day ? '1' : ''
  const { start = '', end = '' } = timesIn(call, { start: form.get('start'), end: form.get('end'), all_day: allDay })
  return { start, end, venue: form.get('venue'), status: form.get('status'), categories: form.all('categories') }
}

interface Shown {
  readonly back: string
  readonly values?: Values
  readonly version?: string
  readonly faults?: Faults
  readonly text?: string
  readonly status?: number
}

async function quickPage(call: OwnCall, { event, version: saved }: Found, shown: Shown): Promise<DeskPage> {
  const { say, me, textLanguage } = call
  const { back, values = valuesOf(event), version = saved, faults = {}, text } = shown
  const { categories, venues } = await readChoices(call)
  const title = say('quick.title', { title: titleOf(call, event) })
  const labels = {
    ...{ start: say('editor.start'), end: say('editor.end'), venue: say('events.venue') },
    ...{ status: say('events.column.status'), categories: say('editor.categories') },
  }
  const places = listOf(event.venue)
  const own = places.length === 1 ? places[0] : undefined
  const known = own ? withChoice(venues, String(own.id), nameOf(own)) : venues
  const offered: readonly RecordStatus[] = [
    'draft',
    'pending',
    ...(mayPublish(actorOf(me)) ? (['publish'] as const) : []),
  ]
  const states = [...new Set([statusOf(event), ...offered])]
  const time = (name: 'start' | 'end', value: string) =>
    field({
      name,
      label: labels[name],
      value,
      hint: say(`editor.${name}.hint`),
      autocomplete: 'off',
      fault: faults[name],
    })
  const chosen = event.categories.map((term): Choice => [String(term.id), nameOf(term)])
  const terms = chosen.reduce((all, [id, name]) => withChoice(all, id, name), categories)
  const page = { title, section: 'events', text, faults, labels, scripts: ['editor'], status: shown.status } as const
  const form = { className: 'panel', fields: { version, back } }
  return formPage(
    call,
    page,
    postForm(call, `/admin/events/${event.id}/quick/`, {
      ...form,
      content: html`${time('start', writeMoment(textLanguage, values.start))}
${time('end', writeEnd(textLanguage, values.end, values.start))}
${places.length > 1 ? html`<p class="hint">${say('quick.several')}</p>` : select({ name: 'venue', label: labels.venue, value: values.venue, fault: faults.venue, choices: [['', say('many.venue.none')], ...known] })}
${select({ name: 'status', label: labels.status, value: values.status, fault: faults.status, choices: states.map((one): Choice => [one, say(`status.${one}`)]) })}
${categoryBoxes(call, terms, values.categories)}
<div class="buttons"><button>${say('editor.save')}</button>
<a class="button quiet" href="${linkTo(call, `/admin/events/${event.id}/`)}">${say('quick.full')}</a>
<a class="button quiet" href="${linkTo(call, tableAt(back))}">${say('many.back')}</a></div>`,
    }),
  )
}

function areTimesChanged({ event }: Found, { start, end }: Values): boolean {
  const was = valuesOf(event)
  return start !== was.start || end !== was.end
}

function timeFaults(call: OwnCall, found: Found, typed: Values): Faults {
  const { event } = found
  const { start, end } = typed
  if (!areTimesChanged(found, typed))
    return start === '' && typed.status !== 'draft' ? { start: call.say('editor.check.start') } : {}
  const zone = parseZone(event.timezone) ?? call.config.siteZone
  const faults = [start, end].map((moment) =>
    momentFault(call, moment, { isDay: event.all_day === true, isNeeded: true, zone }),
  )
  const [first, last = first === undefined && end < start ? call.say('editor.order') : undefined] = faults
  return { ...(first === undefined ? {} : { start: first }), ...(last === undefined ? {} : { end: last }) }
}

/** Returns the parameters that save what differs from the saved event. */
function changesIn(found: Found, typed: Values): Readonly<Record<string, unknown>> {
  const { event } = found
  const was = valuesOf(event)
  const isChanged = (...names: readonly (keyof Values)[]) =>
    names.some((name) => String(typed[name]) !== String(was[name]))
  return {
    ...(areTimesChanged(found, typed) ? timeParameters({ ...typed, isAllDay: event.all_day === true }) : {}),
    ...(listOf(event.venue).length < 2 && isChanged('venue')
      ? { venue: typed.venue === '' ? [] : [Number(typed.venue)] }
      : {}),
    ...(isChanged('status') ? { status: typed.status } : {}),
    ...(isChanged('categories') ? { categories: typed.categories.map(Number) } : {}),
  }
}

const fieldOf: Readonly<Record<string, string>> = { start_date: 'start', end_date: 'end' }

async function submit(call: OwnCall, form: DeskForm, id = ''): Promise<DeskAnswer> {
  const { say, api } = call
  const found = await find(call, id)
  if (!found) return { kind: 'see', path: '/admin/events/' }
  const [back, version, values] = [form.get('back'), form.get('version'), typedIn(call, found, form)]
  if (version !== found.version) return quickPage(call, found, { back, text: say('quick.meanwhile'), status: 409 })
  const wrong = timeFaults(call, found, values)
  if (Object.keys(wrong).length > 0) return quickPage(call, found, { back, values, faults: wrong })
  const json = changesIn(found, values)
  const { status, message, faults } = await api.events<EventJson>({
    ...{ method: 'PATCH', path: `/events/${id}`, json, headers: { 'if-match': `"${version}"` } },
  })
  if (status === statuses.preconditionFailed) {
    const now = await find(call, id)
    return quickPage(call, now ?? found, { back, text: say('quick.meanwhile'), status: 409 })
  }
  if (status >= 400) {
    const named = Object.entries(faults).map(([name, text]) => [fieldOf[name] ?? name, text] as const)
    return quickPage(call, found, { back, values, faults: faultsOf({ faults: Object.fromEntries(named), message }) })
  }
  const text = say('events.saved', { title: titleOf(call, found.event) })
  return tellAt(call, `${tableAt(back)}#e-${id}`, { text })
}

/** The page that changes the date, the venue, the state and the categories of one row of the table. */
export const quickRoutes: DeskRoutes = {
  '/admin/events/{id}/quick/': {
    mayUse: mayCreate,
    show: async (call, id = '') => {
      const found = await find(call, id)
      return found
        ? quickPage(call, found, { back: call.query.get('back') ?? '' })
        : { kind: 'see', path: '/admin/events/' }
    },
    again: async (call, { form, notice: text }: TypedAgain, id = '') => {
      const found = await find(call, id)
      if (!found) return { kind: 'see', path: '/admin/events/' }
      const [back, version] = [form.get('back'), form.get('version')]
      return quickPage(call, found, { back, version, values: typedIn(call, found, form), text })
    },
    submit,
  },
}
