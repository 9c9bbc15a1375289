import type { DeskKey } from '../../base/languages/catalogue.ts'
import { type Html, type HtmlValue, html, raw } from '../../base/text/html.ts'
import type { Failure } from '../api/desk.api.ts'
import { type DeskCall, type DeskPage, linkTo, type OwnCall } from './desk.call.ts'

/** Faults of the fields of a form, by the name of the field. */
export type Faults = Readonly<Record<string, string>>

export interface FieldOptions {
  readonly name: string
  readonly label: string
  readonly value?: string
  readonly type?: 'text' | 'password' | 'email' | 'date' | 'time' | 'search'
  readonly hint?: string | undefined
  readonly fault?: string | undefined
  readonly isRequired?: boolean
  readonly isFocused?: boolean
  readonly autocomplete?: string
  /** The id of a list of suggestions. */
  readonly list?: string
  readonly maxLength?: number
  /** What belongs below the field. */
  readonly note?: HtmlValue
  readonly language?: string | undefined
}

/** Returns a labelled field with its hint and its fault, which screen readers read with it. */
export function field(options: FieldOptions): Html {
  const { name, value = '', type = 'text', isRequired, isFocused, autocomplete, list, maxLength, language } = options
  // Browsers take only whole minutes otherwise.
  const hasSeconds = type === 'time' && value.length > 'hh:mm'.length
  return wrapped(
    options,
    html`<input id="f-${name}" name="${name}" type="${type}" value="${value}"${isRequired && raw(' required')}${isFocused && raw(' autofocus')}${hasSeconds && raw(' step="1"')}${autocomplete && html` autocomplete="${autocomplete}"`}${list && html` list="${list}"`}${maxLength && html` maxlength="${maxLength}"`}${language && html` lang="${language}"`}${(type === 'text' || type === 'search') && raw(' dir="auto"')}${described(options)}>`,
  )
}

/** @param options.isRich Whether a script may replace it by the visual editor. */
export function textArea(options: FieldOptions & { readonly rows: number; readonly isRich?: boolean }): Html {
  const { name, value = '', rows, language, isRich } = options
  // A parser drops the first line break of the element.
  return wrapped(
    options,
    html`<textarea id="f-${name}" name="${name}" rows="${rows}"${language && html` lang="${language}"`} dir="auto"${isRich && raw(' data-rich')}${described(options)}>
${value}</textarea>`,
  )
}

/** A choice: its value and its text. */
export type Choice = readonly [value: string, text: string]

export function select(options: FieldOptions & { readonly choices: readonly Choice[] }): Html {
  const { name, value = '', choices } = options
  return wrapped(
    options,
    html`<select id="f-${name}" name="${name}"${described(options)}>
${choices.map(([own, text]) => html`<option value="${own}"${own === value && raw(' selected')}>${text}</option>`)}
</select>`,
  )
}

export function checkbox({
  name,
  label,
  value,
  isOn,
  id = name,
}: {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly isOn: boolean
  readonly id?: string
}): Html {
  return html`<label class="check"><input type="checkbox" id="f-${id}" name="${name}" value="${value}"${isOn && raw(' checked')}> <span>${label}</span></label>`
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

/**
 * What the Enter key in a field presses, if it stands first in its form: outside of a dialog, it sends nothing. A disabled
 * button is not enough, because Chromium ignores it for the Enter key in a checkbox.
 */
export const ENTER_SENDS_NOTHING = raw('<button formmethod="dialog" hidden></button>')

/** The token that shows that a page of the desk sent the form. */
export function csrfField({ me }: OwnCall): Html {
  return hidden('csrf', me.csrf_token)
}

function described({ name, hint, fault }: FieldOptions): Html {
  const ids = [hint && `h-${name}`, fault && `x-${name}`].filter((id) => id)
  return html`${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}${fault && raw(' aria-invalid="true"')}`
}

function wrapped({ name, label, hint, fault, note }: FieldOptions, control: Html): Html {
  return html`<div class="field">
<label for="f-${name}">${label}</label>
${hint && html`<p class="hint" id="h-${name}">${hint}</p>`}
${control}
${fault && html`<p class="fault" id="x-${name}">${fault}</p>`}
${note}
</div>`
}

/**
 * Returns the summary of the faults of a form, which gets the focus. Each fault links to its field (WCAG 2.2, 3.3.1).
 *
 * @param labels The labels of the fields by name. A fault of a field that the form does not have is shown without a link.
 */
export function faultSummary({ say }: DeskCall, faults: Faults, labels: Readonly<Record<string, string>>): HtmlValue {
  const names = Object.keys(faults)
  if (names.length === 0) return undefined
  return html`<div class="faults" role="alert" tabindex="-1" autofocus>
<h2>${say('faults.title', { count: names.length })}</h2>
<ul>${names.map((name) =>
    labels[name] === undefined
      ? html`<li>${faults[name]}</li>`
      : html`<li><a href="#f-${name}">${labels[name]}</a> ${faults[name]}</li>`,
  )}</ul>
</div>`
}

/** Returns a message about what has just happened. */
export function notice(text: HtmlValue, more?: HtmlValue): Html {
  return html`<div class="notice" role="status"><p>${text}</p>${more}</div>`
}

/** What a page with forms says besides them. */
interface FormPage extends Pick<DeskPage, 'title' | 'section' | 'address' | 'scripts'> {
  /** Default: whether there are faults. */
  readonly status?: number | undefined
  readonly heading?: Html
  /** What has just happened. */
  readonly text?: HtmlValue
  readonly faults?: Faults
  /** The labels of the fields by name. */
  readonly labels?: Readonly<Record<string, string>>
  readonly isNarrow?: boolean
}

/** Returns a page with forms: its heading, what has just happened, the faults, and the forms. */
export function formPage(
  call: DeskCall,
  { status, heading, text, faults = {}, labels = {}, isNarrow = true, ...page }: FormPage,
  main: HtmlValue,
): DeskPage {
  const content = html`${heading ?? html`<h1>${page.title}</h1>`}
${text && notice(text)}
${faultSummary(call, faults, labels)}
${main}`
  return {
    ...{ kind: 'page', ...page, status: status ?? (Object.keys(faults).length > 0 ? 422 : 200) },
    main: isNarrow ? html`<div class="narrow">\n${content}\n</div>` : content,
  }
}

type HiddenFields = Readonly<Record<string, string | number | undefined>>

/** Returns a form with its token and with hidden fields. Those without a value are left out. */
export function postForm(
  call: OwnCall,
  path: string,
  {
    fields = {},
    className,
    content,
  }: { readonly fields?: HiddenFields; readonly className?: string; readonly content: HtmlValue },
): Html {
  const pairs = Object.entries(fields).filter(([, value]) => value !== undefined)
  return html`<form method="post"${className && html` class="${className}"`} action="${linkTo(call, path)}">
${csrfField(call)}${pairs.map(([name, value]) => hidden(name, String(value)))}${content}</form>`
}

/** Returns a button that is a form of its own. */
export function actionButton(
  call: OwnCall,
  path: string,
  { label, fields = {} }: { readonly label: HtmlValue; readonly fields?: HiddenFields },
): Html {
  return postForm(call, path, { fields, content: html`<button class="quiet">${label}</button>` })
}

/** The answer for what does not exist, or what the user may not change. */
export function gonePage({ say }: DeskCall, text: DeskKey): DeskPage {
  const title = say('not-found')
  return { kind: 'page', status: 404, title, main: html`<h1>${title}</h1><p>${say(text)}</p>` }
}

/** Returns the faults that the interface has told: by parameter, or else its message at a field. */
export function faultsOf({ faults, message }: Failure, name = 'form'): Faults {
  return Object.keys(faults).length > 0 ? faults : { [name]: message }
}
