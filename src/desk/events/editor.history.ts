import { mayCreate } from '../../access/auth/policy.ts'
import { type Html, html } from '../../publish/pages/html.ts'
import { type DeskAnswer, type DeskRoute, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { instantText } from '../shell/desk.dates.ts'
import { type FieldName, fieldLabels, inLanguage } from './editor.fields.ts'
import { gonePage } from './editor.gone.ts'
import { type Offer, offersText } from './editor.offers.ts'
import type { EditorState, EditorValues } from './editor.state.ts'
import { headingOf } from './event.heading.ts'
import { languageName } from './language.names.ts'

// Earlier versions of an event. Its history holds what each write changed, before and after.

interface Change {
  readonly before: unknown
  readonly after: unknown
}

interface Entry {
  readonly id: number
  readonly at: string
  readonly by: string | null
  readonly action: string
  readonly changes: Readonly<Record<string, Change>>
}

interface HistoryJson {
  readonly entries: readonly Entry[]
  readonly next_cursor: string | null
}

/** How far back a version can be restored. */
const mostEntries = 200
const perPage = 25

/** The texts, which each language has of its own. */
const texts = ['title', 'excerpt', 'description', 'slug', 'event_status_reason'] as const
const plain = [
  'website',
  'event_status',
  'attendance',
  'virtual_url',
  'availability',
  'capacity',
  'image',
  'timezone',
] as const
const flags = ['hide_from_listings', 'featured', 'sticky', 'all_day'] as const

/** The labels of fields that are shown, and not restored. */
const shownOnly = {
  status: 'editor.history.status',
  terms: 'editor.terms',
  event_password: 'editor.history.password',
  author: 'editor.history.author',
  date_utc: 'editor.date',
} as const

const timeLabels = { start_date: 'editor.start', end_date: 'editor.end' } as const
const namedLabels = { ...fieldLabels, ...shownOnly, ...timeLabels }

function isLabelled(name: string): name is keyof typeof namedLabels {
  return Object.hasOwn(namedLabels, name)
}

async function readEntries(
  { api }: OwnCall,
  id: string,
  more: { readonly cursor?: string | undefined; readonly count: number },
) {
  const { cursor, count } = more
  return api.service<HistoryJson>({ path: `/events/${id}/history`, query: { per_page: count, cursor } })
}

interface SourceJson {
  readonly title: string
  readonly language: string
  readonly translations: readonly { readonly id: number; readonly language: string }[]
}

async function historyPage(call: OwnCall, id = ''): Promise<DeskAnswer> {
  const { say, query } = call
  const source = await call.api.service<SourceJson>({ path: `/events/${id}/source` })
  if (source.status !== 200) return gonePage(call)
  const { language, translations } = source.body
  const { status, body } = await readEntries(call, id, { cursor: query.get('after') ?? undefined, count: perPage })
  if (status !== 200) return gonePage(call)
  const about = say('editor.history.title', { language: languageName(call, language) })
  const { title, heading } = headingOf(call, about, source.body)
  const next = body.next_cursor
  return {
    ...{ kind: 'page', title, section: 'events' },
    main: html`${heading}
<p><a href="${linkTo(call, `/admin/events/${id}/`)}">${say('editor.preview.back')}</a>${translations.map((one) => html` · <a href="${linkTo(call, `/admin/events/${one.id}/history/`)}">${say('editor.history.title', { language: languageName(call, one.language) })}</a>`)}</p>
<p class="hint">${say('editor.history.limits')}</p>
<ol class="history">${body.entries.map((entry, place) => entryItem(call, entry, { id, isNewest: place === 0 && !query.has('after') }))}</ol>
${next && html`<p><a class="button quiet" href="${linkTo(call, withParameters(`/admin/events/${id}/history/`, { after: next }))}">${say('editor.history.earlier')}</a></p>`}`,
  }
}

function entryItem(
  call: OwnCall,
  { id: entryId, at, by, changes, action }: Entry,
  { id, isNewest }: { readonly id: string; readonly isNewest: boolean },
): Html {
  const { say, textLanguage, config } = call
  const shown = Object.entries(changes).filter(([name]) => isLabelled(name))
  const time = instantText(textLanguage, at, config.siteZone.id)
  return html`<li class="panel" id="entry-${entryId}">
<h2>${say(action === 'create' ? 'editor.history.made' : 'editor.history.changed', { time, name: by ?? say('editor.history.nobody') })}</h2>
${
  shown.length > 0 &&
  html`<dl class="changes">${shown.map(([name, { before, after }]) => {
    const label = isLabelled(name) ? say(namedLabels[name]) : name
    return html`<dt>${label}</dt><dd>${isOpaque(name) ? say('editor.history.opaque') : html`<del>${valueText(call, before)}</del> <ins>${valueText(call, after)}</ins>`}</dd>`
  })}</dl>`
}
${!isNewest && html`<p><a class="button quiet" href="${linkTo(call, withParameters(`/admin/events/${id}/`, { restore: entryId }))}">${say('editor.history.restore')}<span class="unseen"> – ${time}</span></a></p>`}
</li>`
}

/** Whether the log holds numbers or nothing at all instead of what people read. */
function isOpaque(name: string): boolean {
  return ['venue', 'organizer', 'terms', 'event_password', 'image', 'author'].includes(name)
}

function valueText({ say }: OwnCall, value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return say('editor.conflict.empty')
  if (typeof value === 'boolean') return say(value ? 'editor.history.yes' : 'editor.history.no')
  if (Array.isArray(value))
    return value.map((one) => (typeof one === 'object' ? offerText(one) : String(one))).join(' – ')
  return String(value)
}

function offerText(offer: object): string {
  return Object.values(offer).join(' ')
}

/**
 * Returns the state with the fields as they were after an entry of the log. Undefined if the entry is not found among the
 * newest ones.
 */
export async function withRestored(
  call: OwnCall,
  state: EditorState,
  entryId: number,
): Promise<EditorState | undefined> {
  const language = state.versions[0]?.language ?? ''
  const { status, body } = await readEntries(call, String(state.id), { count: mostEntries })
  if (status !== 200) return undefined
  const place = body.entries.findIndex(({ id }) => id === entryId)
  if (place < 0) return undefined
  let values: EditorValues = state.values
  const times = { start: values.start ?? '', end: values.end ?? '' }
  for (const { changes } of body.entries.slice(0, place)) {
    values = { ...values, ...restoredFields(changes, language) }
    if (typeof changes.start_date?.before === 'string') times.start = changes.start_date.before
    if (typeof changes.end_date?.before === 'string') times.end = changes.end_date.before
  }
  const length = values.all_day === '1' ? 10 : 16
  return { ...state, values: { ...values, start: momentOf(times.start, length), end: momentOf(times.end, length) } }
}

/** Without an hour, a restored event that is no longer all day begins at midnight. */
function momentOf(local: string, length: number): string {
  return local.length < length ? `${local} 00:00` : local.slice(0, length)
}

function restoredFields(changes: Entry['changes'], language: string): EditorValues {
  const text = (value: unknown) => (value === null || value === undefined ? '' : String(value))
  const of = (name: string) => (Object.hasOwn(changes, name) ? changes[name]?.before : undefined)
  const has = (name: string) => Object.hasOwn(changes, name)
  const cost = of('cost')
  const offers = of('offers')
  return Object.fromEntries([
    ...texts.filter(has).map((name) => [inLanguage(name, language), text(of(name)).replaceAll('\r\n', '\n')] as const),
    ...plain.filter(has).map((name) => [name, text(of(name))] as const),
    ...flags.filter(has).map((name) => [name, of(name) === true ? '1' : ''] as const),
    ...(Array.isArray(cost) ? [['cost', cost.map(String).join(' – ')] as const] : []),
    ...(Array.isArray(offers) ? [['offers', offersText(offers as readonly Offer[])] as const] : []),
  ] satisfies (readonly [FieldName | string, string])[])
}

/** The history of an event in one language. */
export const historyRoutes: readonly DeskRoute[] = [
  {
    route: '/admin/events/{id}/history/',
    pattern: /^\/admin\/events\/(\d{1,15})\/history\/$/,
    mayUse: mayCreate,
    show: historyPage,
  },
]
