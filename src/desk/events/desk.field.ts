import type { DeskKey } from '../../base/languages/catalogue.ts'
import { decodeEntities } from '../../base/text/escape.ts'
import { type Html, html } from '../../base/text/html.ts'
import { tokenize } from '../../base/text/markup.ts'
import { isNoDate } from '../../calendar/events/model/event.ts'
import type { DeskForm, OwnCall } from '../shell/desk.call.ts'
import { type Choice, checkbox, type FieldOptions, field, select, textArea } from '../shell/fields.ts'
import { shownMoment, writeMoment } from './editor.dates.ts'
import type { EditorValues, ReadVersion, Sending, ShownIn } from './editor.model.ts'

// Kinds of fields. Each answers every question that the desk asks about a field, so an entry of the table of fields only
// says what is special about it.

/** The panels of the form in the order in which people think of them. Titles and texts are there once for each language. */
export const PANELS = {
  first: ['when', 'repeat', 'where'],
  beside: ['picture', 'terms', 'price'],
  rest: ['tickets', 'state', 'publication'],
} as const
export type PanelName = (typeof PANELS)[keyof typeof PANELS][number] | 'titles' | 'texts'

/** The names of what fields have only as numbers. */
export interface Names {
  readonly terms: ReadonlyMap<string, string>
}

/** A field of the form of an event. Its value in the form is a text. */
export interface DeskField {
  /** Its name in the form. Default: that of its argument. */
  readonly name?: string
  readonly label: DeskKey
  readonly panel: PanelName
  /** Fields that are side by side, that are in one line with their labels, or that are folded. */
  readonly part?: 'pair' | 'line' | 'more'
  /** Whether each language has one, with the language after a dot: `title.fr-CA`. */
  readonly isText?: boolean
  /** Whether it is prose, which people translate and in which they name days. */
  readonly isProse?: boolean
  readonly control: (options: FieldOptions, shown: ShownIn) => Html | Promise<Html>
  readonly hint?: DeskKey
  readonly attributes?: Pick<FieldOptions, 'autocomplete' | 'isRequired' | 'maxLength'>
  /** Whether the form has it. Default: always. */
  readonly isShown?: (shown: ShownIn) => boolean
  /** Its value in a new event. */
  readonly blank: string
  /** Returns its value as people write it. Default: the value. */
  readonly written?: (value: string, call: OwnCall, values: EditorValues) => string
  /** Returns its value in a form that was sent. One that the form does not have stays as it was. */
  readonly typed: (form: DeskForm, name: string, was: string) => string
  /** Returns its value for that of the interface, or of the history. */
  readonly textOf: (value: unknown) => string
  /** Reads its value. Default: the text of the member with the name of its argument. */
  readonly read?: (version: ReadVersion) => string
  /** Returns its argument. Undefined is not sent. */
  readonly jsonOf: (value: string) => unknown
  /** Returns its argument if others are needed for it. `'no'`: it belongs to another argument. */
  readonly send?: 'no' | ((value: string, sending: Sending) => unknown)
  /** The fields of the form with which it is sent, if one of them has changed. Default: it alone. */
  readonly sentWith?: readonly string[]
  /**
   * Further headings of its column in a spreadsheet. A text has a column without them; `'no'`: it has none. Other fields
   * have one only with them, unless rows read theirs in their own way.
   */
  readonly headings?: DeskKey | 'no'
  /** Fields that are chosen together between two versions. They are named by the first. */
  readonly group?: 'times' | 'venue' | 'image'
  /** Returns the argument of a copy; `'no'` if a copy begins without it. Default: its value. */
  readonly copied?: 'no' | ((version: ReadVersion) => unknown)
  /** Whether an earlier version gives it back. */
  readonly isRestored: boolean
  /** Its label in the history. Default: that of the form. */
  readonly pastLabel?: DeskKey
  /** Whether the history holds numbers or nothing at all instead of what people read. */
  readonly isOpaque?: boolean
  /** Returns its value as people read it. */
  readonly shown: (value: string, shown: { readonly call: OwnCall; readonly names?: Names }) => string
  /** Returns the addresses in it. */
  readonly links?: (value: string) => readonly string[]
}

/** An argument of events that the form does not have. */
export interface AbsentField {
  readonly isAbsent: true
  /** Its label in the history, which shows it. */
  readonly pastLabel?: DeskKey
  readonly isOpaque?: boolean
  /** Returns its value there as people read it. */
  readonly shown?: DeskField['shown']
  readonly isCopied: boolean
}

/** What an entry of the table says about its field. */
type Own = Partial<DeskField>

const textOf = (value: unknown) => (value === null || value === undefined ? '' : String(value)).replaceAll('\r\n', '\n')

/** Returns the value of a field of a form; undefined if the form does not have it. */
export function sentIn(form: DeskForm, name: string): string | undefined {
  return form.pairs.findLast(([own]) => own === name)?.[1]
}

const plain = {
  blank: '',
  control: field,
  typed: (form: DeskForm, name: string, was: string) => sentIn(form, name)?.trim() ?? was,
  textOf,
  jsonOf: (value: string): unknown => value,
  isRestored: true,
  shown: (value: string, { call: { say } }: { readonly call: OwnCall }) =>
    value === '' ? say('editor.conflict.empty') : value,
} satisfies Own

/** A field of one line. */
export function lineField(panel: PanelName, label: DeskKey, own: Own = {}): DeskField {
  return { ...plain, panel, label, ...own }
}

/** A text of one line in each language. */
export function textField(label: DeskKey, own: Own = {}): DeskField {
  return lineField('texts', label, { isText: true, ...own })
}

/** A text of several lines in each language. */
export function areaField(label: DeskKey, rows: number, own: Own = {}): DeskField {
  return textField(label, {
    control: (options) => textArea({ ...options, rows }),
    typed: (form, name, was) => sentIn(form, name) ?? was,
    ...own,
  })
}

/** A field that is on or off. A box that is off is not in the form. */
export function boxField(panel: PanelName, label: DeskKey, own: Own = {}): DeskField {
  return lineField(panel, label, {
    control: ({ name, label: text, value, note }) =>
      html`${checkbox({ name, label: text, value: '1', isOn: value === '1' })}${note}`,
    typed: (form, name) => form.get(name),
    textOf: (value) => (value === true ? '1' : ''),
    jsonOf: (value) => value === '1',
    shown: (value, { call: { say } }) => say(value === '1' ? 'editor.history.yes' : 'editor.history.no'),
    ...own,
  })
}

/** A field with one of these words. The first is that of a new event. */
export function choiceField<const W extends readonly [string, ...string[]]>(
  panel: PanelName,
  label: DeskKey,
  { words, key, ...own }: Own & { readonly words: W; readonly key: (word: W[number]) => DeskKey },
): DeskField {
  const [blank] = words
  const choices = ({ say }: OwnCall) => words.map((word: W[number]): Choice => [word, say(key(word))])
  return lineField(panel, label, {
    blank,
    control: (options, { call }) => select({ ...options, choices: choices(call) }),
    textOf: (value) => textOf(value) || blank,
    shown: (value, { call }) => choices(call).find(([word]) => word === value)?.[1] ?? value,
    ...own,
  })
}

const lines = (value: string, { textLanguage }: OwnCall) =>
  value.replaceAll(/.+/g, (moment) => writeMoment(textLanguage, moment))

/** A day, or a day and a time: `2030-01-22 19:00`. People read and write it in their own words. */
export function momentField(panel: PanelName, label: DeskKey, own: Own = {}): DeskField {
  return lineField(panel, label, {
    attributes: { autocomplete: 'off', maxLength: 100 },
    textOf: (value) => (isNoDate(textOf(value)) ? '' : shownMoment(textOf(value))),
    written: lines,
    shown: (value, shown) => plain.shown(lines(value, shown.call), shown),
    ...own,
  })
}

/** An address of another site. */
export function addressField(panel: PanelName, label: DeskKey, own: Own = {}): DeskField {
  return lineField(panel, label, { links: (value) => [value.trim()], ...own })
}

/** An argument that the form does not have. */
export function absentField(own: Omit<Partial<AbsentField>, 'isAbsent'> = {}): AbsentField {
  return { isAbsent: true, isCopied: false, ...own }
}

/** Returns the name of the field of a text in a language. */
export function inLanguage(name: string, language: string): string {
  return `${name}.${language}`
}

/** Returns the addresses to which a text in HTML links. */
export function linksIn(text: string): readonly string[] {
  return tokenize(text).flatMap(({ kind, source }) => {
    const [, double, single] = /\s(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(source) ?? []
    const url = double ?? single
    return kind !== 'open' || url === undefined ? [] : [decodeEntities(url).trim()]
  })
}
