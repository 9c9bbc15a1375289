import { mayCreate } from '../../access/auth/policy.ts'
import { languageParameterNames } from '../../access/http/addresses.ts'
import { contentLanguageOf } from '../../base/languages/language.ts'
import { html } from '../../publish/pages/html.ts'
import type { DeskAnswer, DeskForm, DeskPage, DeskRoute, OwnCall, TypedAgain } from '../shell/desk.call.ts'
import { editorPage } from './editor.form.ts'
import {
  type EditorState,
  editorFields,
  faultsByField,
  faultsIn,
  parametersOf,
  readEditorState,
  valuesIn,
} from './editor.values.ts'
import type { EventJson } from './event.json.ts'

const idPattern = /^\d{1,15}$/

/** Returns the state of a new event, or of a new translation of an event. */
async function newState(call: OwnCall): Promise<EditorState | undefined> {
  const { config, query, textLanguage, me } = call
  const asked = query.get('lang')
  const language = config.languages.find((one) => one === asked) ?? contentLanguageOf(config, textLanguage)
  const empty = Object.fromEntries(editorFields.map((name) => [name, '']))
  const base: EditorState = {
    ...{ id: undefined, status: 'draft', language, translates: undefined, version: '', versions: [] },
    ...{ url: undefined, author: String(me.user.id), was: empty, values: { ...empty, timezone: config.siteZone.name } },
  }
  const of = query.get('of') ?? ''
  if (!idPattern.test(of)) return base
  const original = await readEditorState(call, Number(of))
  if (!original) return undefined
  const { title = '', description = '' } = original.values
  return { ...base, translates: Number(of), values: { ...base.values, title, description } }
}

function gonePage({ say }: OwnCall): DeskPage {
  const title = say('not-found')
  return { kind: 'page', status: 404, title, main: html`<h1>${title}</h1><p>${say('editor.gone')}</p>` }
}

/** Returns the state with what was typed, and with the values with which the form was made. */
function typedState(call: OwnCall, state: EditorState, form: DeskForm): EditorState {
  const chosen = call.config.languages.find((one) => one === form.get('language'))
  return {
    ...state,
    language: state.id === undefined && state.translates === undefined ? (chosen ?? state.language) : state.language,
    ...{ version: form.get('version'), values: valuesIn(form), was: valuesIn(form, 'was.') },
  }
}

const stateOf = (call: OwnCall, id: string | undefined) =>
  id === undefined ? newState(call) : readEditorState(call, Number(id))

async function show(call: OwnCall, id?: string): Promise<DeskAnswer> {
  const state = await stateOf(call, id)
  return state ? editorPage(call, state) : gonePage(call)
}

async function again(call: OwnCall, { form, notice }: TypedAgain, id?: string): Promise<DeskAnswer> {
  const state = await stateOf(call, id)
  return state ? editorPage(call, typedState(call, state, form), { notice }) : gonePage(call)
}

const statuses: Readonly<Record<string, string>> = { draft: 'draft', pending: 'pending', publish: 'publish' }
const doneAs: Readonly<Record<string, string>> = { publish: 'published', pending: 'submitted' }

async function save(call: OwnCall, form: DeskForm, id?: string): Promise<DeskAnswer> {
  const found = await stateOf(call, id)
  if (!found) return gonePage(call)
  const state = typedState(call, found, form)
  const faults = faultsIn(call, state)
  if (Object.keys(faults).length > 0) return editorPage(call, state, { faults })
  const to = form.get('to')
  const status = statuses[to]
  const json = { ...(await parametersOf(call, state)), ...(status === undefined ? {} : { status }) }
  const key = form.get('key')
  const {
    status: code,
    body,
    faults: refused,
    message,
  } = await call.api.events<EventJson>({
    ...(id === undefined ? { method: 'POST', path: '/events' } : { method: 'PATCH', path: `/events/${id}` }),
    query: id === undefined ? { [languageParameterNames(call.config).language]: state.language } : {},
    json,
    headers: {
      // A second click sends the same key, and makes no second event.
      ...(/^[\w-]{1,100}$/.test(key) ? { 'idempotency-key': `"${key}"` } : {}),
      ...(id === undefined ? {} : { 'if-match': `"${state.version}"` }),
    },
  })
  if (code === 412) return conflictPage(call, state)
  if (code >= 400) return editorPage(call, state, { faults: faultsByField(refused, message) })
  return { kind: 'see', path: `/admin/events/${body.id}/?done=${doneAs[to] ?? 'saved'}` }
}

/** Shows both versions of an event that somebody else has saved in the meantime, field by field. */
async function conflictPage(call: OwnCall, mine: EditorState): Promise<DeskAnswer> {
  const theirs = mine.id === undefined ? undefined : await readEditorState(call, mine.id)
  if (!theirs) return gonePage(call)
  const isMine = (name: string) => mine.values[name] !== mine.was[name]
  const values = Object.fromEntries(
    editorFields.map((name) => [name, (isMine(name) ? mine.values[name] : theirs.values[name]) ?? '']),
  )
  const both = editorFields.filter(
    (name) => isMine(name) && theirs.values[name] !== mine.was[name] && theirs.values[name] !== mine.values[name],
  )
  const saved = Object.fromEntries(both.map((name) => [name, theirs.values[name] ?? '']))
  return editorPage(call, { ...theirs, values }, { saved })
}

/** The pages that make and change an event. */
export const editorRoutes: readonly DeskRoute[] = [
  {
    route: '/admin/events/new/',
    pattern: /^\/admin\/events\/new\/$/,
    mayUse: mayCreate,
    show: (call) => show(call),
    again: (call, typed) => again(call, typed),
    submit: (call, form) => save(call, form),
  },
  {
    route: '/admin/events/{id}/',
    pattern: /^\/admin\/events\/(\d{1,15})\/$/,
    mayUse: mayCreate,
    show,
    again,
    submit: save,
  },
]
