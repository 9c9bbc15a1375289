import type { DeskKey } from '../../base/languages/catalogue.ts'
import { capitalised } from '../../base/languages/dates.js'
import { type Html, html, raw } from '../../base/text/html.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { FieldOptions } from '../shell/fields.ts'
import { PANELS, type PanelName } from './desk.field.ts'
import { echoOf } from './editor.checks.ts'
import { type FormField, fieldOf, formFields, labelOf, namesOf } from './editor.fields.ts'
import type { ShownIn } from './editor.model.ts'
import { picturePanel } from './editor.picture.ts'
import { languageName } from './language.names.ts'
import { repeatPanel } from './repeat.panel.ts'

/** Returns the options of the control of a field. */
type OptionsOf = (name: string) => FieldOptions

type Panel =
  | { readonly legend: DeskKey; readonly isFolded?: boolean }
  | { readonly render: (shown: ShownIn, options: OptionsOf) => Html | false }

const panels: Readonly<Record<Exclude<PanelName, 'titles' | 'texts'>, Panel>> = {
  when: { legend: 'editor.when' },
  repeat: { render: repeatPanel },
  where: { legend: 'editor.where' },
  picture: { render: picturePanel },
  terms: { legend: 'editor.terms' },
  price: { legend: 'editor.price' },
  tickets: { legend: 'editor.tickets', isFolded: true },
  state: { legend: 'editor.state', isFolded: true },
  publication: { legend: 'editor.publication', isFolded: true },
}

/** Returns panels of what all languages share. */
export async function panelsOf(shown: ShownIn, part: keyof typeof PANELS): Promise<readonly (Html | false)[]> {
  const own = PANELS[part].map(async (name) => {
    const panel = panels[name]
    if ('render' in panel) return panel.render(shown, (field) => optionsOf(shown, field))
    const legend = shown.call.say(panel.legend)
    const fields = await fieldsOf(shown, name)
    return panel.isFolded
      ? html`<details class="panel more"${isFilled(shown, name) && html` open`}><summary>${legend}</summary>\n${fields}</details>`
      : html`<fieldset class="panel"${name === 'when' && raw(' id="when"')}><legend>${legend}</legend>\n${fields}${name === 'when' && html`<p class="echo" role="status" data-echo>${echoOf(shown.call, shown.state)}</p>`}</fieldset>`
  })
  return Promise.all(own)
}

/** Whether a panel says something that people should see. */
function isFilled({ state, messages }: ShownIn, panel: PanelName, part?: FormField['part']): boolean {
  const languages = state.versions.map(({ language }) => language)
  return formFields
    .filter((one) => one.panel === panel && (part === undefined || one.part === part))
    .some((one) =>
      namesOf(one, languages).some(
        (name) =>
          messages.faults?.[name] !== undefined ||
          messages.saved?.[name] !== undefined ||
          (one.name !== 'slug' && state.values[name] !== one.blank),
      ),
    )
}

/** Returns the titles or the texts of an event, its languages side by side. */
export async function languageColumns(shown: ShownIn, panel: 'titles' | 'texts'): Promise<Html> {
  const languages = shown.state.versions.map(({ language }) => language)
  // The dates of a series seldom have texts of their own.
  const own = languages.map(async (language, place): Promise<Html> => {
    const from = place === 0 ? undefined : languages[0]
    const fields = await fieldsOf({ ...shown, language, from }, panel)
    const name = capitalised(languageName(shown.call, language))
    return panel === 'titles'
      ? html`<div>${fields}${from && copyButton(shown.call, language, from)}</div>`
      : html`<details class="panel more"${(from || shown.state.series) && raw(' data-wide')} open><summary>${name}</summary>\n<div role="group" aria-label="${name}">${fields}</div></details>`
  })
  return html`<div class="languages ${panel}">\n${await Promise.all(own)}\n</div>`
}

function copyButton(call: OwnCall, language: string, from: string): Html {
  return html`<button name="to" value="copy.${language}" class="quiet small">${call.say('editor.copy', { from: languageName(call, from) })}</button>`
}

/** Returns the fields of a panel. Those of one part are together. */
async function fieldsOf(shown: ShownIn, panel: PanelName): Promise<Html> {
  const { call, language = '' } = shown
  const fields = formFields.filter((one) => one.panel === panel && (one.isShown?.(shown) ?? true))
  const made = await Promise.all(
    fields.map(async (one) => html`${await one.control(optionsOf(shown, namesOf(one, [language])[0] ?? ''), shown)}\n`),
  )
  return html`${fields.map(({ part }, place) => {
    if (part === undefined) return made[place]
    if (fields.findIndex((one) => one.part === part) < place) return ''
    const inside = made.filter((_, other) => fields[other]?.part === part)
    return part === 'more'
      ? html`<details class="more"${isFilled(shown, panel, part) && html` open`}><summary>${call.say('editor.more-texts')}</summary>\n${inside}</details>\n`
      : html`<div class="${part}">${inside}</div>\n`
  })}`
}

/** Returns fields of all languages, from every panel. */
export function controlsOf(shown: ShownIn, names: readonly string[]): Promise<readonly Html[]> {
  const fields = names.flatMap((name) => fieldOf(name) ?? [])
  return Promise.all(fields.map(async (one) => html`${await one.control(optionsOf(shown, one.name), shown)}\n`))
}

/** Returns the options of a field with its value, its fault, and what somebody else has saved. */
function optionsOf(shown: ShownIn, name: string): FieldOptions {
  const { call, state, messages } = shown
  const { faults = {}, saved = {} } = messages
  const { label = 'editor.image', panel, hint, attributes, written = (value: string) => value } = fieldOf(name) ?? {}
  const [, language] = name.split('.')
  const other = saved[name]
  const focused = state.id === undefined && messages.isOpened && `title.${state.versions[0]?.language}`
  return {
    ...{ name, language, ...attributes, fault: faults[name] },
    label: panel === 'titles' ? labelOf(call, name) : call.say(label),
    isFocused: name === focused,
    value: written(state.values[name] ?? '', call, state.values),
    hint: hint && call.say(hint),
    note: other !== undefined && savedNote(call, written(other, call, { ...state.values, ...saved })),
  }
}

function savedNote({ say }: OwnCall, value: string): Html {
  return html`<p class="saved">${say('editor.conflict.field', { value: value === '' ? say('editor.conflict.empty') : value })}</p>`
}
