import { randomUUID } from 'node:crypto'
import { languageParameterNames } from '../../access/http/addresses.ts'
import { contentLanguageOf, otherTextLanguages, textLanguageOf } from '../../base/languages/language.ts'
import { type Html, type HtmlValue, html } from '../../base/text/html.ts'
import type { NamedJson } from '../events/event.json.ts'
import { languageName } from '../events/language.names.ts'
import {
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  type DeskRoute,
  linkTo,
  type OwnCall,
  withParameters,
} from '../shell/desk.call.ts'
import {
  type Choice,
  csrfField,
  type Faults,
  type FieldOptions,
  faultSummary,
  faultsOf,
  gonePage,
  hidden,
  notice,
  select,
} from '../shell/fields.ts'
import type { RecordTab } from './record.tabs.ts'

export type EntryValues = Readonly<Record<string, string>>

/** What the form of a venue, an organizer, a category or a tag shows. */
export interface EntryState {
  /** Undefined for a new one. */
  readonly id: number | undefined
  /** The entry that a new one translates. */
  readonly translates: number | undefined
  readonly language: string
  readonly version: string
  readonly values: EntryValues
  /** The values when the form was made. A form that does not send them saves all of its values. */
  readonly was: EntryValues
}

interface EntryMessages {
  readonly faults?: Faults
  readonly notice?: string
  /** What somebody else has saved meanwhile, by field. */
  readonly saved?: EntryValues
}

export interface ShownEntry<State extends EntryState = EntryState> {
  readonly state: State
  readonly messages?: EntryMessages
}

/** What is special about the form of one kind of entry. */
interface EntryForm<State extends EntryState> {
  readonly plural: RecordTab
  /** The field that shows a fault without a field. */
  readonly main?: string
  /** Returns the state of a stored entry, or of a new one; undefined if there is none that the user may change. */
  readonly read: (call: OwnCall, id: number | string | undefined) => Promise<State | undefined>
  readonly typed: (form: DeskForm) => Pick<EntryState, 'values' | 'was'>
  readonly page: (call: OwnCall, shown: ShownEntry<State>) => DeskPage | Promise<DeskPage>
  /** Finds the faults that the interface would not. */
  readonly check?: (call: OwnCall, state: State) => Promise<Faults>
  readonly parameters: (call: OwnCall, state: State, form: DeskForm) => Readonly<Record<string, unknown>>
  readonly saved: (call: OwnCall, entry: NamedJson, state: State) => DeskAnswer
}

const isNew = ({ id, translates }: EntryState) => id === undefined && translates === undefined

/** Returns what every new entry begins with. */
export function newEntry({ config, query, textLanguage }: OwnCall) {
  const asked = query.get('lang')
  const of = query.get('of') ?? ''
  return {
    ...{ id: undefined, version: '', translates: /^\d{1,15}$/.test(of) ? Number(of) : undefined },
    language: config.languages.find((one) => one === asked) ?? contentLanguageOf(config, textLanguage),
  }
}

/** Returns how a form is shown, shown again and saved. */
export function entryRoute<State extends EntryState>(kind: EntryForm<State>) {
  const { plural, page } = kind
  const typed = ({ config }: OwnCall, state: State, form: DeskForm): State => {
    const chosen = isNew(state) ? config.languages.find((one) => one === form.get('language')) : undefined
    return { ...state, ...kind.typed(form), language: chosen ?? state.language, version: form.get('version') }
  }

  const save = async (call: OwnCall, form: DeskForm, id?: string): Promise<DeskAnswer> => {
    const found = await kind.read(call, id)
    if (!found) return gonePage(call, 'records.gone')
    const state = typed(call, found, form)
    const faults = (await kind.check?.(call, state)) ?? {}
    if (Object.keys(faults).length > 0) return page(call, { state, messages: { faults } })
    const key = form.get('key')
    const query = { [languageParameterNames(call.config).language]: state.language }
    const answer = await call.api.events<NamedJson>({
      ...(id === undefined
        ? { method: 'POST', path: `/${plural}`, query }
        : { method: 'PATCH', path: `/${plural}/${id}` }),
      json: kind.parameters(call, state, form),
      headers: {
        // A second click sends the same key, and makes no second entry.
        ...(/^[\w-]{1,100}$/.test(key) ? { 'idempotency-key': `"${key}"` } : {}),
        ...(id === undefined ? {} : { 'if-match': `"${state.version}"` }),
      },
    })
    if (answer.status === 412) return conflictPage(call, state)
    if (answer.status >= 400) return page(call, { state, messages: { faults: faultsOf(answer, kind.main) } })
    return kind.saved(call, answer.body, state)
  }

  /** Shows both versions of an entry that somebody else has saved in the meantime, field by field. */
  const conflictPage = async (call: OwnCall, mine: State): Promise<DeskAnswer> => {
    const theirs = mine.id === undefined ? undefined : await kind.read(call, mine.id)
    if (!theirs) return gonePage(call, 'records.gone')
    const names = Object.keys(theirs.values)
    const isMine = (name: string) => mine.values[name] !== mine.was[name]
    const pick = (of: readonly string[], value: (name: string) => string | undefined): EntryValues =>
      Object.fromEntries(of.map((name) => [name, value(name) ?? '']))
    const values = pick(names, (name) => (isMine(name) ? mine : theirs).values[name])
    const both = names.filter(
      (name) => isMine(name) && ![mine.was[name], mine.values[name]].includes(theirs.values[name]),
    )
    const saved = pick(both, (name) => theirs.values[name])
    return page(call, { state: { ...theirs, values }, messages: { saved } })
  }

  return {
    show: async (call, id) => {
      const state = await kind.read(call, id)
      return state ? page(call, { state }) : gonePage(call, 'records.gone')
    },
    again: async (call, { form, notice: text }, id) => {
      const state = await kind.read(call, id)
      if (!state) return gonePage(call, 'records.gone')
      return page(call, { state: typed(call, state, form), messages: { notice: text } })
    },
    submit: save,
  } satisfies DeskRoute
}

/** Returns what the page is for. */
export function entryTitle(call: OwnCall, plural: RecordTab, { id, translates, language }: EntryState): string {
  const { say } = call
  if (id !== undefined) return say(`${plural}.edit`)
  if (translates === undefined) return say(`${plural}.new`)
  return say('records.translation', { language: languageName(call, language) })
}

/** The parts of the page that are different for each kind of entry. */
interface EntryParts {
  readonly plural: RecordTab
  readonly title: string
  readonly heading: Html
  readonly labels: Readonly<Record<string, string>>
  readonly className?: string
  /** Shown above the form. */
  readonly before?: HtmlValue
  readonly controls: HtmlValue
  readonly buttons: HtmlValue
  readonly versions: readonly { readonly id: number; readonly language: string }[]
}

/** Returns the page that makes or changes an entry. */
export function entryPage(
  call: OwnCall,
  { state, messages = {} }: ShownEntry,
  { plural, title, heading, labels, className, before, controls, buttons, versions }: EntryParts,
): DeskPage {
  const { say } = call
  const { faults = {}, saved } = messages
  const { id, translates, language } = state
  const path =
    id === undefined
      ? withParameters(`/admin/${plural}/new/`, {
          of: translates,
          lang: translates === undefined ? undefined : language,
        })
      : `/admin/${plural}/${id}/`
  return {
    ...{ kind: 'page', title, section: 'records', address: path },
    status: saved ? 409 : Object.keys(faults).length > 0 ? 422 : 200,
    main: html`${heading}
${messages.notice && notice(messages.notice)}
${saved && html`<div class="faults" role="alert" tabindex="-1" autofocus><h2>${say('records.conflict')}</h2><p>${say('editor.conflict.text')}</p></div>`}
${faultSummary(call, faults, labels)}
${before}
<form method="post" action="${linkTo(call, path)}"${className && html` class="${className}"`}>
${csrfField(call)}${hidden('key', randomUUID())}${hidden('version', state.version)}
${controls}
<div class="buttons">${buttons}</div>
</form>
${id !== undefined && otherLanguages(call, plural, { id, language, versions })}`,
  }
}

/** Returns the choice of the language of a new entry. Others keep theirs. */
export function languageControl(call: OwnCall, state: EntryState): Html {
  const choices = call.config.languages.map((one): Choice => [one, languageName(call, one)])
  return isNew(state) && choices.length > 1
    ? select({ name: 'language', label: call.say('record.language'), value: state.language, choices })
    : hidden('language', state.language)
}

/** Returns what a control of the form shows: its value, its fault and what somebody else has saved. */
export function entryField({ say }: OwnCall, { state, messages = {} }: ShownEntry, name: string) {
  const saved = messages.saved?.[name]
  return {
    ...{ name, value: state.values[name] ?? '', fault: messages.faults?.[name] },
    note:
      saved !== undefined &&
      html`<p class="saved">${say('editor.conflict.field', { value: saved || say('editor.conflict.empty') })}</p>`,
  } satisfies Partial<FieldOptions>
}

/** Returns links to the versions in other languages, and to the pages that translate; nothing if there are none. */
function otherLanguages(
  call: OwnCall,
  plural: RecordTab,
  { id, language, versions }: Pick<EntryState, 'id' | 'language'> & Pick<EntryParts, 'versions'>,
): Html | false {
  const { say, config } = call
  const missing = otherTextLanguages(textLanguageOf(language)).map((one) => contentLanguageOf(config, one))
  const others = [...new Set([...versions.map((version) => version.language), ...missing])].filter(
    (one) => config.languages.some((known) => known === one) && one !== language,
  )
  if (others.length === 0) return false
  return html`<section aria-labelledby="versions"><h2 id="versions">${say('record.versions')}</h2>
<ul class="inline">${others.map((one) => {
    const version = versions.find((known) => known.language === one)
    const name = languageName(call, one)
    const path = version
      ? `/admin/${plural}/${version.id}/`
      : withParameters(`/admin/${plural}/new/`, { of: id, lang: one })
    return html`<li><a class="button quiet" href="${linkTo(call, path)}">${version ? name : say('record.translate', { language: name })}</a></li>`
  })}</ul></section>`
}
