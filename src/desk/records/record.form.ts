import { randomUUID } from 'node:crypto'
import { mayEditOthers, mayPublish } from '../../access/auth/policy.ts'
import { type Html, html } from '../../base/text/html.ts'
import { headingOf } from '../events/event.heading.ts'
import { statusOf } from '../events/event.json.ts'
import { languageName } from '../events/language.names.ts'
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
import { otherLanguages } from './other.languages.ts'
import type { RecordField, RecordKind } from './record.kinds.ts'
import { fieldsOf, type RecordState } from './record.values.ts'

/** What else the form shows. */
export interface RecordMessages {
  readonly faults?: Faults
  readonly notice?: string
  /** What somebody else has saved meanwhile, by field. */
  readonly saved?: Readonly<Record<string, string>>
}

/** Returns the page that makes or changes a venue or an organizer. */
export function recordFormPage(
  call: OwnCall,
  kind: RecordKind,
  { state, messages = {} }: { readonly state: RecordState; readonly messages?: RecordMessages },
): DeskPage {
  const { say } = call
  const { plural } = kind
  const { faults = {}, saved } = messages
  const { id, translates, language } = state
  const about =
    id !== undefined
      ? say(`${plural}.edit`)
      : translates !== undefined
        ? say('records.translation', { language: languageName(call, language) })
        : say(`${plural}.new`)
  const { title, heading } =
    id === undefined
      ? { title: about, heading: html`<h1>${about}</h1>` }
      : headingOf(call, about, { title: state.was[kind.kind] ?? '', language })
  const path =
    id === undefined
      ? withParameters(`/admin/${plural}/new/`, {
          of: translates,
          lang: translates === undefined ? undefined : language,
        })
      : `/admin/${plural}/${id}/`
  const labels = Object.fromEntries(kind.fields.map(({ name, label }) => [name, say(label)]))
  return {
    ...{ kind: 'page', title, section: 'records', address: path },
    status: saved ? 409 : Object.keys(faults).length > 0 ? 422 : 200,
    main: html`${heading}
${messages.notice && notice(messages.notice)}
${saved && html`<div class="faults" role="alert" tabindex="-1" autofocus><h2>${say('records.conflict')}</h2><p>${say('editor.conflict.text')}</p></div>`}
${faultSummary(call, faults, labels)}
${id !== undefined && summary(call, kind, state)}
<p class="hint">${say(translates === undefined ? 'records.required' : 'records.shared')}</p>
<form method="post" action="${linkTo(call, path)}">
${csrfField(call)}${hidden('key', randomUUID())}${hidden('version', state.version)}
${fieldsOf(kind, state).map(({ name }) => hidden(`was.${name}`, state.was[name] ?? ''))}
${fieldsets(call, kind, { state, messages })}
<div class="buttons">${buttons(call, state)}</div>
</form>
${id !== undefined && otherLanguages(call, kind.plural, state)}`,
  }
}

function summary(call: OwnCall, { kind, plural }: RecordKind, { id, status, events }: RecordState): Html {
  const { say } = call
  const count = say('events.count', { count: events })
  const address = linkTo(call, withParameters('/admin/events/', { from: '', venue: id }))
  const parts = [
    html`<span class="status ${statusOf({ status })}">${say(`status.${statusOf({ status })}`)}</span>`,
    events > 0 && kind === 'venue' ? html`<a href="${address}">${count}</a>` : html`${count}`,
    ...(mayEditOthers(actorOf(call.me))
      ? [html`<a href="${linkTo(call, `/admin/${plural}/${id}/merge/`)}">${say(`${plural}.merge`)}</a>`]
      : []),
  ]
  return html`<p>${parts.map((part, place) => html`${place > 0 && ' · '}${part}`)}</p>`
}

function fieldsets(
  call: OwnCall,
  kind: RecordKind,
  shown: { readonly state: RecordState; readonly messages: RecordMessages },
): Html {
  const { say, config } = call
  const { state } = shown
  const isNew = state.id === undefined && state.translates === undefined
  const choices = config.languages.map((one): Choice => [one, languageName(call, one)])
  const [first, second, ...others] = fieldsOf(kind, state)
  const control = (one: RecordField | undefined) => one && recordControl(call, kind, { ...shown, one })
  const language =
    isNew && choices.length > 1
      ? select({ name: 'language', label: say('record.language'), value: state.language, choices })
      : hidden('language', state.language)
  return html`<fieldset class="panel"><legend>${say('record.what')}</legend>
${language}${control(first)}${control(second)}
</fieldset>
<fieldset class="panel"><legend>${say(`${kind.plural}.details`)}</legend>
${others.map(control)}
</fieldset>`
}

function recordControl(
  call: OwnCall,
  { kind }: RecordKind,
  {
    state,
    messages,
    one,
  }: { readonly state: RecordState; readonly messages: RecordMessages; readonly one: RecordField },
): Html {
  const { say } = call
  const { name, type } = one
  const saved = messages.saved?.[name]
  const note =
    saved !== undefined &&
    html`<p class="saved">${say('editor.conflict.field', { value: saved === '' ? say('editor.conflict.empty') : saved })}</p>`
  const value = state.values[name] ?? ''
  if (type === 'check')
    return html`${checkbox({ name, label: say(one.label), value: '1', isOn: value === '1' })}${note}`
  const options = {
    ...{ name, label: say(one.label), value, note, fault: messages.faults?.[name], autocomplete: 'off' },
    hint: one.hint && say(one.hint),
    ...(name === kind || type === 'area' ? { language: state.language } : {}),
  }
  return type === 'area' ? textArea({ ...options, rows: 6 }) : field({ ...options, isRequired: name === kind })
}

function buttons(call: OwnCall, { id, status }: RecordState): readonly Html[] {
  const { say } = call
  const canPublish = mayPublish(actorOf(call.me))
  const isDraft = id !== undefined && (status === 'draft' || status === 'pending')
  return [
    html`<button name="to" value="save"${isDraft && canPublish && html` class="quiet"`}>${say('editor.save')}</button>`,
    ...(isDraft && canPublish ? [html`<button name="to" value="publish">${say('editor.publish')}</button>`] : []),
  ]
}
