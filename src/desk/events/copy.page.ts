import { createHash, randomUUID } from 'node:crypto'
import { decodeHTML } from 'entities'
import { mayCreate, mayPublish } from '../../access/auth/policy.ts'
import { languageParameterNames } from '../../access/http/addresses.ts'
import { html } from '../../publish/pages/html.ts'
import {
  actorOf,
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  type DeskRoute,
  linkTo,
  type OwnCall,
  type TypedAgain,
} from '../shell/desk.call.ts'
import { csrfField, type Faults, faultSummary, field, hidden, notice } from '../shell/fields.ts'
import { type EventJson, listOf, titleOf } from './event.json.ts'
import { dayFromNow, shiftDays } from './table.days.ts'
import { tableAt } from './table.place.ts'

/** The texts of a version, as they were written. */
interface SourceJson {
  readonly id: number
  readonly language: string
  readonly title: string
  readonly description: string
  readonly excerpt: string
  readonly cost: readonly string[]
  readonly translations: readonly { readonly id: number; readonly language: string }[]
}

/** Members that a copy takes over as the interface shows them. */
const copiedMembers = [
  ...['show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured', 'attendance', 'virtual_url'],
  ...['virtual_access', 'offers', 'availability', 'capacity'],
] as const

type FullEvent = EventJson & {
  readonly website?: string
  readonly url?: string
} & Readonly<Partial<Record<(typeof copiedMembers)[number], unknown>>> & {
    readonly image: { readonly id?: number | string } | false
  }

interface Found {
  readonly event: FullEvent
  readonly sources: readonly SourceJson[]
}

async function find({ api }: OwnCall, id: string): Promise<Found | undefined> {
  const shown = await api.events<FullEvent>({ path: `/events/${id}`, query: { context: 'edit' } })
  const source = await api.service<SourceJson>({ path: `/events/${id}/source` })
  if (shown.status !== 200 || source.status !== 200) return undefined
  const others = await Promise.all(
    source.body.translations.map((one) => api.service<SourceJson>({ path: `/events/${one.id}/source` })),
  )
  // A version that the user may not change is not copied.
  const readable = others.flatMap(({ status, body }) => (status === 200 ? [body] : []))
  return { event: shown.body, sources: [source.body, ...readable] }
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
  const past = Date.parse(dayFromNow(call)) - Date.parse(start.slice(0, 10))
  const weeks = Math.max(1, Math.ceil(past / (weekDays * dayMilliseconds)))
  return {
    day: shiftDays(start, weekDays * weeks).slice(0, 10),
    startTime: start.slice(11, 16),
    endTime: end.slice(11, 16),
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
  return {
    ...{ kind: 'page', title, section: 'events', status: Object.keys(faults).length > 0 ? 422 : 200 },
    main: html`<div class="narrow">
<h1>${title}</h1>
${text && notice(text)}
${faultSummary(call, faults, labels)}
<form method="post" class="panel" action="${linkTo(call, `/admin/events/${event.id}/copy/`)}">
${csrfField(call)}${hidden('back', back)}${hidden('key', key)}
<p class="hint">${say('copy.text')}</p>
${field({ name: 'day', type: 'date', label: labels.day, value: values.day, isRequired: true, fault: faults.day })}
<div class="pair">${time('start_time', values.startTime)}${time('end_time', values.endTime)}</div>
<div class="buttons">${mayPublish(actorOf(me)) && html`<button name="to" value="publish">${say('copy.publish')}</button>`}
<button name="to" value="draft" class="quiet">${say('copy.draft')}</button>
<a class="button quiet" href="${linkTo(call, tableAt(back))}">${say('many.back')}</a></div>
</form>
</div>`,
  }
}

const typedIn = (form: DeskForm): Values => ({
  ...{ day: form.get('day'), startTime: form.get('start_time'), endTime: form.get('end_time') },
})

const timePattern = /^\d\d:\d\d$/

/** Returns the times of the copy. It lasts as many days as the event. */
function timesOf(event: EventJson, { day, startTime, endTime }: Values) {
  const dayOf = (local: string) => Date.parse(`${local.slice(0, 10)}T00:00:00Z`)
  const days = Math.round((dayOf(event.end_date) - dayOf(event.start_date)) / dayMilliseconds)
  const lastDay = shiftDays(`${day} 00:00:00`, days).slice(0, 10)
  return event.all_day
    ? { start_date: `${day} 00:00:00`, end_date: `${lastDay} 23:59:59` }
    : { start_date: `${day} ${startTime}:00`, end_date: `${lastDay} ${endTime}:00` }
}

/** The website as it was written. The interface escapes it, and shows the page of an event that has none. */
function websiteOf({ website = '', url }: FullEvent): { readonly website?: string } {
  return website === '' || website === url ? {} : { website: decodeHTML(website) }
}

function operationsFor(call: OwnCall, { event, sources }: Found, values: Values & { readonly status: string }) {
  const words = languageParameterNames(call.config)
  const ids = (linked: readonly { readonly id: number }[]) => linked.map(({ id }) => id)
  const members = copiedMembers.flatMap((name) =>
    event[name] === undefined || event[name] === '' ? [] : [[name, event[name]] as const],
  )
  const imageId = event.image === false ? undefined : Number(event.image.id)
  const [own, ...others] = sources
  const texts = ({ title, description, excerpt, language }: SourceJson) => ({
    ...{ title, status: values.status, [words.language]: language },
    ...(description === '' ? {} : { description }),
    ...(excerpt === '' ? {} : { excerpt }),
  })
  return [
    {
      ...{ ref: 'copy', method: 'POST', path: '/events' },
      body: {
        ...(own ? texts(own) : {}),
        ...Object.fromEntries(members),
        ...websiteOf(event),
        // The original may be protected, and nobody can read its password.
        event_password: { of: event.id },
        ...timesOf(event, values),
        ...{ all_day: event.all_day === true, timezone: event.timezone },
        ...(own && own.cost.length > 0 ? { cost: own.cost.join(' – ') } : {}),
        ...(imageId ? { image: imageId } : {}),
        ...{ venue: ids(listOf(event.venue)), organizer: ids(event.organizer) },
        ...{ categories: ids(event.categories), tags: ids(event.tags) },
      },
    },
    ...others.map((other) => ({
      ...{ method: 'POST', path: '/events' },
      body: { ...texts(other), [words.translationOf]: { ref: 'copy' } },
    })),
  ]
}

interface BatchJson {
  readonly results?: readonly {
    readonly id?: number
    readonly body?: { readonly message?: string; readonly title?: string }
  }[]
}

async function submit(call: OwnCall, form: DeskForm, id = ''): Promise<DeskAnswer> {
  const { say, api } = call
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
  const json = { operations: operationsFor(call, found, { ...values, status }), atomic: true }
  // The same form sent twice makes one copy.
  const digest = createHash('sha256')
    .update(`${key} ${JSON.stringify(json)}`)
    .digest('base64url')
  const answer = await api.service<BatchJson>({
    ...{ method: 'POST', path: '/batch', json, headers: { 'idempotency-key': `"${digest}"` } },
  })
  const copy = answer.body.results?.[0]?.id
  if (answer.status >= 400 || copy === undefined) {
    const { body } = answer.body.results?.at(-1) ?? {}
    return copyPage(call, found, { ...shown, faults: { form: body?.message ?? body?.title ?? answer.message } })
  }
  return { kind: 'see', path: `/admin/events/${copy}/?done=${status === 'publish' ? 'published' : 'saved'}` }
}

/** The page that repeats an event on another day. */
export const copyRoute: DeskRoute = {
  ...{ route: '/admin/events/{id}/copy/', pattern: /^\/admin\/events\/(\d{1,15})\/copy\/$/, mayUse: mayCreate },
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
}
