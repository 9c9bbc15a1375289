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
import { isNoDate } from '../shell/desk.dates.ts'
import { type Choice, type Faults, faultsOf, field, formPage, postForm, select } from '../shell/fields.ts'
import { shownMoment, timeParameters } from './editor.dates.ts'
import { momentFault, timesIn } from './editor.values.ts'
import { type EventJson, listOf, nameOf, statusOf, titleOf } from './event.json.ts'
import { categoryBoxes, readChoices, withChoice } from './table.choices.ts'
import { backToTable, tableAt } from './table.place.ts'

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
  readonly startDay: string
  readonly startTime: string
  readonly endDay: string
  readonly endTime: string
  readonly venue: string
  readonly status: string
  readonly categories: readonly string[]
}

function valuesOf({ start_date, end_date, venue, status, categories }: EventJson): Values {
  const places = listOf(venue)
  const [start, end] = isNoDate(start_date) ? ['', ''] : [start_date, end_date]
  return {
    ...{ startDay: start.slice(0, 10), startTime: shownMoment(start).slice(11) },
    ...{ endDay: end.slice(0, 10), endTime: shownMoment(end).slice(11) },
    venue: places.length === 1 ? String(places[0]?.id) : '',
    ...{ status, categories: categories.map(({ id }) => String(id)) },
  }
}

function typedIn(form: DeskForm): Values {
  return {
    ...{ startDay: form.get('start_day'), startTime: form.get('start_time') },
    ...{ endDay: form.get('end_day'), endTime: form.get('end_time') },
    ...{ venue: form.get('venue'), status: form.get('status'), categories: form.all('categories') },
  }
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
  const { say, me } = call
  const { back, values = valuesOf(event), version = saved, faults = {}, text } = shown
  const { categories, venues } = await readChoices(call)
  const title = say('quick.title', { title: titleOf(call, event) })
  const labels = {
    ...{ start_day: say('quick.start-day'), start_time: say('quick.start-time') },
    ...{ end_day: say('quick.end-day'), end_time: say('quick.end-time'), venue: say('events.venue') },
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
  const day = (name: 'start_day' | 'end_day', value: string) =>
    field({ name, type: 'date', label: labels[name], value, isRequired: true, fault: faults[name] })
  const time = (name: 'start_time' | 'end_time', value: string) =>
    !event.all_day && field({ name, type: 'time', label: labels[name], value, isRequired: true, fault: faults[name] })
  const chosen = event.categories.map((term): Choice => [String(term.id), nameOf(term)])
  const terms = chosen.reduce((all, [id, name]) => withChoice(all, id, name), categories)
  const page = { title, section: 'events', text, faults, labels, scripts: ['editor'], status: shown.status } as const
  const form = { className: 'panel', fields: { version, back } }
  return formPage(
    call,
    page,
    postForm(call, `/admin/events/${event.id}/quick/`, {
      ...form,
      content: html`<div class="pair">${day('start_day', values.startDay)}${time('start_time', values.startTime)}</div>
<div class="pair">${day('end_day', values.endDay)}${time('end_time', values.endTime)}</div>
${places.length > 1 ? html`<p class="hint">${say('quick.several')}</p>` : select({ name: 'venue', label: labels.venue, value: values.venue, fault: faults.venue, choices: [['', say('many.venue.none')], ...known] })}
${select({ name: 'status', label: labels.status, value: values.status, fault: faults.status, choices: states.map((one): Choice => [one, say(`status.${one}`)]) })}
${categoryBoxes(call, terms, values.categories)}
<div class="buttons"><button>${say('editor.save')}</button>
<a class="button quiet" href="${linkTo(call, `/admin/events/${event.id}/`)}">${say('quick.full')}</a>
<a class="button quiet" href="${linkTo(call, tableAt(back))}">${say('many.back')}</a></div>`,
    }),
  )
}

function areTimesChanged({ event }: Found, typed: Values): boolean {
  const was = valuesOf(event)
  const names = event.all_day
    ? (['startDay', 'endDay'] as const)
    : (['startDay', 'startTime', 'endDay', 'endTime'] as const)
  return names.some((name) => typed[name] !== was[name])
}

/** Returns the times as the editor reads them. Browsers without a control for times send what was typed. */
function typedTimes(call: OwnCall, { event }: Found, { startDay, startTime, endDay, endTime }: Values) {
  const isAllDay = event.all_day === true
  const { start = '', end = '' } = isAllDay
    ? { start: startDay, end: endDay }
    : timesIn(call, { start: `${startDay} ${startTime}`, end: `${endDay} ${endTime}`, all_day: '', date: '' })
  return { start, end, isAllDay }
}

function timeFaults(call: OwnCall, found: Found, typed: Values): Faults {
  const isOpen = isNoDate(found.event.start_date) && typed.status !== 'draft'
  if (!areTimesChanged(found, typed)) return isOpen ? { start_day: call.say('editor.check.start') } : {}
  const { start, end, isAllDay } = typedTimes(call, found, typed)
  const zone = parseZone(found.event.timezone) ?? call.config.siteZone
  const fault = (moment: string) => momentFault(call, moment, { isDay: isAllDay, isNeeded: true, zone })
  const [first, last] = [fault(start), fault(end)]
  const at = isAllDay ? 'day' : 'time'
  const isBefore = first === undefined && last === undefined && end < start
  return {
    ...(first === undefined ? {} : { [`start_${at}`]: first }),
    ...(last === undefined ? {} : { [`end_${at}`]: last }),
    ...(isBefore ? { end_day: call.say('editor.order') } : {}),
  }
}

/** Returns the parameters that save what differs from the saved event. */
function changesIn(call: OwnCall, found: Found, typed: Values): Readonly<Record<string, unknown>> {
  const { event } = found
  const was = valuesOf(event)
  const isChanged = (...names: readonly (keyof Values)[]) =>
    names.some((name) => String(typed[name]) !== String(was[name]))
  return {
    ...(areTimesChanged(found, typed) ? timeParameters(typedTimes(call, found, typed)) : {}),
    ...(listOf(event.venue).length < 2 && isChanged('venue')
      ? { venue: typed.venue === '' ? [] : [Number(typed.venue)] }
      : {}),
    ...(isChanged('status') ? { status: typed.status } : {}),
    ...(isChanged('categories') ? { categories: typed.categories.map(Number) } : {}),
  }
}

const fieldOf: Readonly<Record<string, string>> = { start_date: 'start_day', end_date: 'end_day' }
async function submit(call: OwnCall, form: DeskForm, id = ''): Promise<DeskAnswer> {
  const { say, api } = call
  const found = await find(call, id)
  if (!found) return { kind: 'see', path: '/admin/events/' }
  const [back, version, values] = [form.get('back'), form.get('version'), typedIn(form)]
  if (version !== found.version) return quickPage(call, found, { back, text: say('quick.meanwhile'), status: 409 })
  const wrong = timeFaults(call, found, values)
  if (Object.keys(wrong).length > 0) return quickPage(call, found, { back, values, faults: wrong })
  const json = changesIn(call, found, values)
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
  return backToTable(back, { done: 'saved', id, isAtRow: true })
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
      return quickPage(call, found, { back, version, values: typedIn(form), text })
    },
    submit,
  },
}
