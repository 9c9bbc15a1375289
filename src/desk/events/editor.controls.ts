import { type Html, html } from '../../publish/pages/html.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import { checkbox } from '../shell/fields.ts'
import { writeMoment } from './editor.dates.ts'
import { type FieldName, fieldLabels, type SharedField } from './editor.fields.ts'
import type { EditorMessages, EditorState } from './editor.state.ts'

/** The parts of the editor's controls that are the same for all of them. */
export function controls(call: OwnCall, { values }: EditorState, { faults = {}, saved = {}, library }: EditorMessages) {
  const { say } = call
  const options = (name: string) => ({
    name,
    label: say(fieldLabels[(name.split('.')[0] ?? '') as FieldName]),
    value: shownValue(call, name, values[name] ?? ''),
    fault: faults[name],
    note: saved[name] !== undefined && savedNote(call, shownValue(call, name, saved[name])),
  })
  return {
    library,
    /** Options of a field with its value, its fault, and what somebody else has saved. */
    options,
    box: (name: SharedField) => {
      const { label, note } = options(name)
      return html`${checkbox({ name, label, value: '1', isOn: values[name] === '1' })}${note}`
    },
  }
}

export type Controls = ReturnType<typeof controls>

function shownValue({ textLanguage }: OwnCall, name: string, value: string): string {
  return name === 'start' || name === 'end' || name === 'date' ? writeMoment(textLanguage, value) : value
}

function savedNote({ say }: OwnCall, value: string): Html {
  return html`<p class="saved">${say('editor.conflict.field', { value: value === '' ? say('editor.conflict.empty') : value })}</p>`
}
