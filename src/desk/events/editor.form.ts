import { randomUUID } from 'node:crypto'
import { mayPublish } from '../../access/auth/policy.ts'
import { contentLanguageOf, otherTextLanguages, textLanguageOf } from '../../base/languages/language.ts'
import { type Html, html } from '../../publish/pages/html.ts'
import { actorOf, type DeskPage, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import {
  type Choice,
  checkbox,
  csrfField,
  type Faults,
  faultSummary,
  field,
  hidden,
  notice,
  select,
  textArea,
} from '../shell/fields.ts'
import { type EditorState, editorFields } from './editor.values.ts'
import { type NamedJson, nameOf, statusOf } from './event.json.ts'
import { doneNotice } from './events.page.ts'
import { languageName } from './language.names.ts'

/** What else the editor shows. */
export interface EditorMessages {
  readonly faults?: Faults
  readonly notice?: string
  /** What somebody else has saved meanwhile, by field. */
  readonly saved?: Readonly<Record<string, string>>
}

const labels = {
  title: 'editor.title',
  description: 'editor.description',
  language: 'editor.language',
  start_day: 'editor.start-day',
  start_time: 'editor.start-time',
  end_day: 'editor.end-day',
  end_time: 'editor.end-time',
  all_day: 'editor.all-day',
  timezone: 'editor.timezone',
  venue: 'editor.venue',
  organizer: 'editor.organizer',
  cost: 'editor.cost',
  categories: 'editor.categories',
  tags: 'editor.tags',
} as const

/** Returns the page that makes or changes an event. */
export async function editorPage(call: OwnCall, state: EditorState, messages: EditorMessages = {}): Promise<DeskPage> {
  const { say } = call
  const { faults = {}, saved } = messages
  const { id, translates, language, status } = state
  const title =
    id !== undefined
      ? say('editor.edit')
      : translates !== undefined
        ? say('editor.translation', { language: languageName(call, language) })
        : say('editor.new')
  const path =
    id === undefined
      ? withParameters('/admin/events/new/', { of: translates, lang: translates === undefined ? undefined : language })
      : `/admin/events/${id}/`
  const named = Object.fromEntries(Object.entries(labels).map(([name, key]) => [name, say(key)]))
  return {
    ...{ kind: 'page', title, section: 'events', address: path },
    status: saved ? 409 : Object.keys(faults).length > 0 ? 422 : 200,
    main: html`<h1>${title}</h1>
${doneNotice(call)}
${messages.notice && notice(messages.notice)}
${saved && html`<div class="faults" role="alert" tabindex="-1" autofocus><h2>${say('editor.conflict')}</h2><p>${say('editor.conflict.text')}</p></div>`}
${faultSummary(call, faults, named)}
${id !== undefined && html`<p>${say('editor.state', { state: say(`status.${statusOf({ status })}`) })}${state.url && html` · <a href="${state.url}">${say('events.view')}</a>`}</p>`}
<p class="hint">${translates === undefined ? say('editor.required') : say('editor.shared')}</p>
<form method="post" action="${linkTo(call, path)}" class="editor">
${csrfField(call)}${hidden('key', randomUUID())}${hidden('version', state.version)}
${editorFields.map((name) => hidden(`was.${name}`, state.was[name] ?? ''))}
${await fieldsets(call, state, messages)}
<div class="buttons">${buttons(call, state)}</div>
</form>
${id !== undefined && otherLanguages(call, state)}`,
  }
}

async function fieldsets(
  call: OwnCall,
  state: EditorState,
  { faults = {}, saved = {} }: EditorMessages,
): Promise<Html> {
  const { say, config } = call
  const { values, id, translates, language } = state
  const shared = (name: keyof typeof labels) => ({
    ...{ name, label: say(labels[name]), value: values[name] ?? '', fault: faults[name] },
    note: saved[name] !== undefined && savedNote(call, saved[name]),
  })
  const isNew = id === undefined && translates === undefined
  const choices = config.languages.map((one): Choice => [one, languageName(call, one)])
  const what = html`<fieldset class="panel"><legend>${say('editor.what')}</legend>
${isNew && choices.length > 1 ? select({ name: 'language', label: say('editor.language'), value: language, choices }) : hidden('language', language)}
${field({ ...shared('title'), isRequired: true, language })}
${textArea({ ...shared('description'), rows: 8, hint: say('editor.description.hint'), language })}
</fieldset>`
  if (translates !== undefined) return what
  return html`${what}
<fieldset class="panel"><legend>${say('editor.when')}</legend>
<div class="pair">${field({ ...shared('start_day'), type: 'date', isRequired: true })}${field({ ...shared('start_time'), type: 'time' })}</div>
<div class="pair">${field({ ...shared('end_day'), type: 'date' })}${field({ ...shared('end_time'), type: 'time' })}</div>
${checkbox({ name: 'all_day', label: say('editor.all-day'), value: '1', isOn: values.all_day === '1' })}
${saved.all_day !== undefined && savedNote(call, saved.all_day)}
${field({ ...shared('timezone'), isRequired: true })}
</fieldset>
<fieldset class="panel"><legend>${say('editor.where')}</legend>
${await linkField(call, 'venue', shared('venue'))}
${await linkField(call, 'organizer', shared('organizer'))}
</fieldset>
<fieldset class="panel"><legend>${say('editor.more')}</legend>
${field({ ...shared('cost'), hint: say('editor.cost.hint') })}
${await categories(call, state, shared('categories').note)}
${field({ ...shared('tags'), hint: say('editor.tags.hint') })}
</fieldset>`
}

function savedNote({ say }: OwnCall, value: string): Html {
  return html`<p class="saved">${say('editor.conflict.field', { value: value === '' ? say('editor.conflict.empty') : value })}</p>`
}

/** Returns a field for the name of a venue or organizer, with the names that exist. */
async function linkField(
  call: OwnCall,
  kind: 'venue' | 'organizer',
  shared: Parameters<typeof field>[0],
): Promise<Html> {
  const { say, api } = call
  const { status, body } = await api.events<Readonly<Record<string, readonly NamedJson[]>>>({
    ...{ path: `/${kind}s`, query: { per_page: 100 } },
  })
  const known = status === 200 ? (body[`${kind}s`] ?? []) : []
  const hint = say(shared.value?.includes(' + ') ? 'editor.several' : 'editor.link.hint')
  return html`${field({ ...shared, hint, list: `known-${kind}s`, autocomplete: 'off' })}
<datalist id="known-${kind}s">${known.map((one) => html`<option value="${nameOf(one)}"></option>`)}</datalist>`
}

async function categories(call: OwnCall, { values }: EditorState, note: Html | false): Promise<Html | false> {
  const { status, body } = await call.api.events<{ readonly categories?: readonly NamedJson[] }>({
    ...{ path: '/categories', query: { per_page: 100, hide_empty: 'false' } },
  })
  const known = status === 200 ? (body.categories ?? []) : []
  const chosen = new Set((values.categories ?? '').split(',').filter(Boolean))
  const unknown = [...chosen].filter((id) => !known.some((term) => String(term.id) === id))
  return html`<fieldset class="choices" id="f-categories"><legend>${call.say('editor.categories')}</legend>
${known.map((term) => checkbox({ name: 'categories', id: `category-${term.id}`, label: nameOf(term), value: String(term.id), isOn: chosen.has(String(term.id)) }))}
${unknown.map((id) => checkbox({ name: 'categories', id: `category-${id}`, label: `#${id}`, value: id, isOn: true }))}
${note}
</fieldset>`
}

/** Returns the buttons for what the user may do with an event in this state. The first one never makes it public. */
function buttons(call: OwnCall, { id, status }: EditorState): readonly Html[] {
  const { say } = call
  const button = (to: string, key: Parameters<typeof say>[0], isQuiet = false) =>
    html`<button name="to" value="${to}"${isQuiet && html` class="quiet"`}>${say(key)}</button>`
  const canPublish = mayPublish(actorOf(call.me))
  const isDraft = id === undefined || status === 'draft'
  const next = canPublish ? button('publish', 'editor.publish') : button('pending', 'editor.submit')
  if (isDraft) return [button('draft', 'editor.draft', true), next]
  if (status === 'pending') return [button('save', 'editor.save', canPublish), ...(canPublish ? [next] : [])]
  return [button('save', 'editor.save'), button('draft', 'editor.unpublish', true)]
}

function otherLanguages(call: OwnCall, { id, language, versions }: EditorState): Html | false {
  const { say, config } = call
  // A site may have several languages that its readers take for one, such as en and en-CA. One of them is enough.
  const missing = otherTextLanguages(textLanguageOf(language)).map((one) => contentLanguageOf(config, one))
  const others = [...new Set([...versions.map((version) => version.language), ...missing])].filter(
    (one) => config.languages.includes(one) && (missing.includes(one) || one !== language),
  )
  if (others.length === 0) return false
  return html`<section aria-labelledby="versions"><h2 id="versions">${say('editor.versions')}</h2>
<ul class="inline">${others.map((one) => {
    const version = versions.find((known) => known.language === one)
    const name = languageName(call, one)
    const path = version ? `/admin/events/${version.id}/` : withParameters('/admin/events/new/', { of: id, lang: one })
    return html`<li><a class="button quiet" href="${linkTo(call, path)}">${version ? name : say('editor.translate', { language: name })}</a></li>`
  })}</ul></section>`
}
