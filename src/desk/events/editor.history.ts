import { mayCreate } from '../../access/auth/policy.ts'
import { type Html, html } from '../../base/text/html.ts'
import type { EventHistory, EventSource } from '../api/answers.ts'
import { type DeskAnswer, type DeskRoutes, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { instantText } from '../shell/desk.dates.ts'
import { gonePage } from '../shell/fields.ts'
import { formFields, namesOf, pastFieldOf, pastLabelOf } from './editor.fields.ts'
import type { EditorState, EditorValues } from './editor.model.ts'
import { headingOf } from './event.heading.ts'
import { languageName } from './language.names.ts'

// Earlier versions of an event. Its history holds what each write changed, before and after.

interface Change {
  readonly before: unknown
  readonly after: unknown
}

type Entry = EventHistory['entries'][number]
const changesOf = ({ changes }: Entry) => Object.entries(changes as Readonly<Record<string, Change>>)

/** How far back a version can be restored. */
const maxEntries = 200
const perPage = 25

async function readEntries(
  { api }: OwnCall,
  id: string,
  more: { readonly cursor?: string | undefined; readonly count: number },
) {
  const { cursor, count } = more
  return api.service<EventHistory>({ path: `/events/${id}/history`, query: { per_page: count, cursor } })
}

async function historyPage(call: OwnCall, id = ''): Promise<DeskAnswer> {
  const { say, query } = call
  const source = await call.api.service<EventSource>({ path: `/events/${id}/source` })
  if (source.status !== 200) return gonePage(call, 'editor.gone')
  const { language, translations } = source.body
  const { status, body } = await readEntries(call, id, { cursor: query.get('after') ?? undefined, count: perPage })
  if (status !== 200) return gonePage(call, 'editor.gone')
  const about = say('editor.history.title', { language: languageName(call, language) })
  const { title, heading } = headingOf(call, about, source.body)
  const next = body.next_cursor
  return {
    ...{ kind: 'page', title, section: 'events' },
    main: html`${heading}
<p><a href="${linkTo(call, `/admin/events/${id}/`)}">${say('editor.preview.back')}</a>${translations.map((one) => html` · <a href="${linkTo(call, `/admin/events/${one.id}/history/`)}">${say('editor.history.title', { language: languageName(call, one.language) })}</a>`)}</p>
<p class="hint">${say('editor.history.limits')}</p>
${body.entries.length === 0 && html`<p>${say('today.none')}</p>`}
<ol class="history">${body.entries.map((entry, place) => entryItem(call, entry, { id, isNewest: place === 0 && !query.has('after') }))}</ol>
${next && html`<p><a class="button quiet" href="${linkTo(call, withParameters(`/admin/events/${id}/history/`, { after: next }))}">${say('editor.history.earlier')}</a></p>`}`,
  }
}

function entryItem(
  call: OwnCall,
  entry: Entry,
  { id, isNewest }: { readonly id: string; readonly isNewest: boolean },
): Html {
  const { say, textLanguage, config } = call
  const { id: entryId, at, by, action } = entry
  const shown = changesOf(entry).flatMap(([name, change]) => {
    const [field, label] = [pastFieldOf(name), pastLabelOf(name)]
    return field && label ? [{ field, label, ...change }] : []
  })
  const time = instantText(textLanguage, at, config.siteZone.id)
  return html`<li class="panel" id="entry-${entryId}">
<h2>${say(action === 'create' ? 'editor.history.made' : 'editor.history.changed', { time, name: by ?? say('editor.history.nobody') })}</h2>
${
  shown.length > 0 &&
  html`<dl class="changes">${shown.map(({ field, label, before, after }) => {
    const text = (value: unknown) => pastText(call, field, value)
    return html`<dt>${say(label)}</dt><dd>${field.isOpaque ? say('editor.history.opaque') : html`<del>${text(before)}</del> <ins>${text(after)}</ins>`}</dd>`
  })}</dl>`
}
${!isNewest && html`<p><a class="button quiet" href="${linkTo(call, withParameters(`/admin/events/${id}/`, { restore: entryId }))}">${say('editor.history.restore')}<span class="unseen"> – ${time}</span></a></p>`}
</li>`
}

function pastText(
  call: OwnCall,
  { textOf = String, shown }: NonNullable<ReturnType<typeof pastFieldOf>>,
  value: unknown,
) {
  if (value === null || value === '') return call.say('editor.conflict.empty')
  return shown ? shown(textOf(value), { call }) : textOf(value)
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
  const { status, body } = await readEntries(call, String(state.id), { count: maxEntries })
  if (status !== 200) return undefined
  const place = body.entries.findIndex(({ id }) => id === entryId)
  if (place < 0) return undefined
  const restored = body.entries.slice(0, place).flatMap((entry) =>
    changesOf(entry).flatMap(([argument, { before }]) => {
      const field = formFields.find((one) => one.argument === argument && one.isRestored)
      return field ? [[namesOf(field, [language])[0] ?? '', field.textOf(before)] as const] : []
    }),
  )
  const values: EditorValues = { ...state.values, ...Object.fromEntries(restored) }
  const { start = '', end = '', all_day: isAllDay } = values
  const momentOf = (local: string) => (isAllDay === '1' ? local.slice(0, 10) : timed(local))
  return { ...state, values: { ...values, start: momentOf(start), end: momentOf(end) } }
}

/** Without an hour, a restored event that is no longer all day begins at midnight. */
function timed(local: string): string {
  return local.length > 10 || local === '' ? local : `${local} 00:00`
}

/** The history of an event in one language. */
export const historyRoutes: DeskRoutes = { '/admin/events/{id}/history/': { mayUse: mayCreate, show: historyPage } }
