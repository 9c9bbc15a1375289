import type { DeskKey } from '../../base/languages/catalogue.ts'
import { capitalised } from '../../base/languages/dates.js'
import { type Html, html } from '../../base/text/html.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { FieldOptions } from '../shell/fields.ts'
import { PANELS, type PanelName } from './desk.field.ts'
import { type FormField, fieldOf, formFields, namesOf } from './editor.fields.ts'
import type { EditorState, ShownIn } from './editor.model.ts'
import { picturePanel } from './editor.picture.ts'
import { languageName } from './language.names.ts'
import { repeatPanel } from './repeat.panel.ts'

/** Fields that are folded, under a text. */
interface More {
  readonly more?: DeskKey
  readonly isOpen?: (state: EditorState) => boolean
}

/** Returns the options of the control of a field. */
type OptionsOf = (name: string) => FieldOptions

type Panel =
  | (More & { readonly legend: DeskKey })
  | { readonly render: (shown: ShownIn, options: OptionsOf) => Html | false }

const panels: Readonly<Record<Exclude<PanelName, 'texts'>, Panel>> = {
  when: { legend: 'editor.when' },
  repeat: { render: repeatPanel },
  where: { legend: 'editor.where' },
  picture: { render: picturePanel },
  price: { legend: 'editor.price' },
  terms: { legend: 'editor.terms' },
  state: { legend: 'editor.state', more: 'editor.online', isOpen: ({ values }) => values.virtual_url !== '' },
  publication: { legend: 'editor.publication', more: 'editor.lists-and-password' },
}

const texts: More = { more: 'editor.more-texts', isOpen: ({ values }) => values.event_status !== 'scheduled' }

/** Returns the fields that all languages share. */
export async function sharedPanels(shown: ShownIn): Promise<Html> {
  const own = PANELS.map(async (name) => {
    const panel = panels[name]
    if ('render' in panel) return panel.render(shown, (field) => optionsOf(shown, field))
    const legend = shown.call.say(panel.legend)
    return html`<fieldset class="panel"><legend>${legend}</legend>\n${await fieldsOf(shown, name, panel)}</fieldset>`
  })
  return html`<div class="shared-panels">${await Promise.all(own)}</div>`
}

/** Returns the texts of an event, its languages side by side. */
export async function textColumns(shown: ShownIn): Promise<Html> {
  const languages = shown.state.versions.map(({ language }) => language)
  const own = languages.map((language, place) =>
    textColumn({ ...shown, language, from: place === 0 ? undefined : languages[0] }, language),
  )
  return html`<div class="languages">\n${await Promise.all(own)}\n</div>`
}

async function textColumn(shown: ShownIn, language: string): Promise<Html> {
  const { call, from } = shown
  const copy =
    from &&
    html`<button name="to" value="copy.${language}" class="quiet small" formnovalidate>${call.say('editor.copy', { from: languageName(call, from) })}</button>`
  return html`<fieldset class="panel text-column"><legend>${capitalised(languageName(call, language))}</legend>
${copy}
${await fieldsOf(shown, 'texts', texts)}</fieldset>`
}

/** Returns the fields of a panel. Those of one part are together. */
async function fieldsOf(shown: ShownIn, panel: PanelName, { more, isOpen }: More): Promise<Html> {
  const { call, state, language = '' } = shown
  const fields = formFields.filter((one) => one.panel === panel && (one.isShown?.(shown) ?? true))
  const made = await Promise.all(
    fields.map(async (one) => html`${await one.control(optionsOf(shown, namesOf(one, [language])[0] ?? ''), shown)}\n`),
  )
  const inside = (part: FormField['part']) => made.filter((_, place) => fields[place]?.part === part)
  return html`${fields.map(({ part }, place) => {
    if (part === undefined) return made[place]
    if (fields.findIndex((one) => one.part === part) < place) return ''
    return part === 'pair'
      ? html`<div class="pair">${inside(part)}</div>\n`
      : html`<details class="more"${isOpen?.(state) && html` open`}><summary>${more && call.say(more)}</summary>\n${inside(part)}</details>\n`
  })}`
}

/** Returns the options of a field with its value, its fault, and what somebody else has saved. */
function optionsOf(shown: ShownIn, name: string): FieldOptions {
  const { call, state, messages } = shown
  const { faults = {}, saved = {} } = messages
  const { label = 'editor.image', hint, attributes, written = (value: string) => value } = fieldOf(name) ?? {}
  const [, language] = name.split('.')
  const hintKey = typeof hint === 'function' ? hint(shown) : hint
  const other = saved[name]
  return {
    ...{ name, language, ...attributes, label: call.say(label), fault: faults[name] },
    value: written(state.values[name] ?? '', call),
    hint: hintKey && call.say(hintKey),
    note: other !== undefined && savedNote(call, written(other, call)),
  }
}

function savedNote({ say }: OwnCall, value: string): Html {
  return html`<p class="saved">${say('editor.conflict.field', { value: value === '' ? say('editor.conflict.empty') : value })}</p>`
}
