import { mayEditOthers, mayPublish } from '../../access/auth/policy.ts'
import { type Html, html } from '../../base/text/html.ts'
import { headingOf } from '../events/event.heading.ts'
import { statusOf } from '../events/event.json.ts'
import { actorOf, type DeskPage, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { checkbox, field, hidden, textArea } from '../shell/fields.ts'
import { entryField, entryPage, entryTitle, languageControl, type ShownEntry } from './entry.form.ts'
import type { RecordField, RecordKind } from './record.kinds.ts'
import { fieldsOf, type RecordState } from './record.values.ts'

/** Returns the page that makes or changes a venue or an organizer. */
export function recordFormPage(call: OwnCall, kind: RecordKind, shown: ShownEntry<RecordState>): DeskPage {
  const { say } = call
  const { state } = shown
  const about = entryTitle(call, kind.plural, state)
  const { id, translates, language, versions } = state
  const { title, heading } =
    id === undefined
      ? { title: about, heading: html`<h1>${about}</h1>` }
      : headingOf(call, about, { title: state.was[kind.kind] ?? '', language })
  return entryPage(call, shown, {
    ...{ plural: kind.plural, title, heading, versions },
    labels: Object.fromEntries(kind.fields.map(({ name, label }) => [name, say(label)])),
    before: html`${id !== undefined && summary(call, kind, state)}
<p class="hint">${say(translates === undefined ? 'records.required' : 'records.shared')}</p>`,
    controls: html`${fieldsOf(kind, state).map(({ name }) => hidden(`was.${name}`, state.was[name] ?? ''))}
${fieldsets(call, kind, shown)}`,
    buttons: buttons(call, state),
  })
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

function fieldsets(call: OwnCall, kind: RecordKind, shown: ShownEntry<RecordState>): Html {
  const { say } = call
  const [first, second, ...others] = fieldsOf(kind, shown.state)
  const control = (one: RecordField | undefined) => one && recordControl(call, kind, { ...shown, one })
  return html`<fieldset class="panel"><legend>${say('record.what')}</legend>
${languageControl(call, shown.state)}${control(first)}${control(second)}
</fieldset>
<fieldset class="panel"><legend>${say(`${kind.plural}.details`)}</legend>
${others.map(control)}
</fieldset>`
}

function recordControl(
  call: OwnCall,
  { kind }: RecordKind,
  { one, ...shown }: ShownEntry<RecordState> & { readonly one: RecordField },
): Html {
  const { say } = call
  const { name, type, hint } = one
  const label = say(one.label)
  const options = entryField(call, shown, name)
  if (type === 'check')
    return html`${checkbox({ name, label, value: '1', isOn: options.value === '1' })}${options.note}`
  const all = {
    ...{ ...options, label, autocomplete: 'off', hint: hint && say(hint) },
    ...(name === kind || type === 'area' ? { language: shown.state.language } : {}),
  }
  return type === 'area' ? textArea({ ...all, rows: 6 }) : field({ ...all, isRequired: name === kind })
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
