import { capitalised } from '../../base/languages/dates.js'
import { type Html, html } from '../../publish/pages/html.ts'
import { richArea } from '../rich/rich.field.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import { checkbox, field, textArea } from '../shell/fields.ts'
import { controls } from './editor.controls.ts'
import { inLanguage } from './editor.fields.ts'
import type { EditorMessages, EditorState, Version } from './editor.state.ts'
import { languageName } from './language.names.ts'

/** The texts that are copied from one language to another. */
const copiedTexts = ['title', 'excerpt', 'description'] as const

/** Returns the texts of an event, its languages side by side. */
export function textColumns(call: OwnCall, state: EditorState, messages: EditorMessages): Html {
  const [first, ...others] = state.versions
  if (!first) return html``
  return html`<div class="languages">
${textColumn(call, state, { messages, version: first, from: undefined })}
${others.map((version) => textColumn(call, state, { messages, version, from: first }))}
</div>`
}

interface Column {
  readonly messages: EditorMessages
  readonly version: Version
  /** The language from which texts can be copied. */
  readonly from: Version | undefined
}

function textColumn(call: OwnCall, state: EditorState, { messages, version, from }: Column): Html {
  const { say } = call
  const { options } = controls(call, state, messages)
  const { language, id } = version
  const name = capitalised(languageName(call, language))
  const shared = (field: Parameters<typeof inLanguage>[0]) => ({ ...options(inLanguage(field, language)), language })
  const isCanceled = state.values.event_status !== 'scheduled'
  const copy =
    from &&
    html`<button name="to" value="copy.${language}" class="quiet small">${say('editor.copy', { from: languageName(call, from.language) })}</button>`
  return html`<fieldset class="panel text-column"><legend>${name}</legend>
${copy}
${field({ ...shared('title'), hint: id === undefined && from ? say('editor.optional-language') : undefined })}
${textArea({ ...shared('excerpt'), rows: 2, hint: say('editor.excerpt.hint') })}
${richArea({ ...shared('description'), rows: 9, hint: say('editor.description.hint') })}
<details class="more"${isCanceled && html` open`}><summary>${say('editor.more-texts')}</summary>
${field({ ...shared('slug'), hint: say('editor.slug.hint'), autocomplete: 'off' })}
${field({ ...shared('event_status_reason'), hint: say('editor.reason.hint'), maxLength: 1000 })}
${from && checkbox({ name: inLanguage('hold', language), label: say('editor.hold'), value: '1', isOn: state.values[inLanguage('hold', language)] === '1' })}
</details>
</fieldset>`
}

/** Returns the state with the texts of the first language in another one, where that has none. Nothing typed is replaced. */
export function withCopiedTexts(state: EditorState, language: string): EditorState {
  const from = state.versions[0]?.language ?? ''
  const copied = copiedTexts.map((name) => {
    const own = state.values[inLanguage(name, language)] ?? ''
    return [inLanguage(name, language), own === '' ? (state.values[inLanguage(name, from)] ?? '') : own] as const
  })
  return { ...state, values: { ...state.values, ...Object.fromEntries(copied) } }
}
