import type { DeskKey } from '../../base/languages/catalogue.ts'
import { inLanguage } from '../events/desk.field.ts'
import { formFields } from '../events/editor.fields.ts'
import { distinctLanguages, languageName } from '../events/language.names.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { Choice } from '../shell/fields.ts'

// The columns of a table whose rows become events.

/** The fields of the form that are cells as they are. Texts exist once per language, as in the editor: `title.fr-CA`. */
const cellFields = formFields.filter(
  ({ isText, send, headings }) => headings !== 'no' && send !== 'no' && (isText || headings !== undefined),
)
const namesWhere = (isText: boolean) =>
  cellFields.flatMap((one) => ((one.isText ?? false) === isText ? [one.name] : []))
export const textColumns = namesWhere(true)
export const plainColumns = namesWhere(false)

/** What a new venue gets beside its name. */
export const placeColumns = ['address', 'city', 'stateprovince', 'zip', 'country', 'geo_lat', 'geo_lng'] as const

/** Columns that rows read in their own way. */
const ownColumns = {
  date: 'rows.column.date',
  start: 'rows.column.start',
  end_date: 'rows.column.end-date',
  end: 'rows.column.end',
  all_day: 'editor.all-day',
  timezone: 'editor.timezone',
  venue: 'editor.venue',
  address: 'records.address',
  city: 'editor.venue-city',
  stateprovince: 'records.province',
  zip: 'records.zip',
  country: 'records.country',
  geo_lat: 'records.latitude',
  geo_lng: 'records.longitude',
  organizer: 'editor.organizer',
  categories: 'editor.categories',
  tags: 'editor.tags',
  status: 'rows.column.status',
  language: 'rows.column.language',
} as const satisfies Readonly<Record<string, DeskKey>>

interface Column {
  readonly label: DeskKey
  /** Headings by which it is known, as a list. Default: its label. */
  readonly headings: DeskKey
}

/** All columns by their names, the clearest of the same heading first. */
export const columns: ReadonlyMap<string, Column> = new Map([
  ...cellFields.map(({ name, label, headings }): readonly [string, Column] => [
    name,
    { label, headings: headings === undefined || headings === 'no' ? label : headings },
  ]),
  ...(Object.keys(ownColumns) as (keyof typeof ownColumns)[]).map((name): readonly [string, Column] => [
    name,
    { label: ownColumns[name], headings: `rows.headings.${name}` },
  ]),
])

export function isText(column: string): boolean {
  return textColumns.includes(column)
}

/** Returns the name of a column for people, with its language. */
export function columnLabel(call: OwnCall, name: string): string {
  const [column = '', language] = name.split('.')
  const label = call.say(columns.get(column)?.label ?? 'rows.ignore')
  return language === undefined || distinctLanguages(call).length === 1
    ? label
    : call.say('editor.of-language', { label, language: languageName(call, language) })
}

/** Returns the names of all columns that a table can have. */
export function columnNames(call: OwnCall): readonly string[] {
  const languages = distinctLanguages(call)
  const [title = '', ...others] = textColumns
  return [
    ...languages.map((language) => inLanguage(title, language)),
    ...Object.keys(ownColumns),
    ...plainColumns,
    ...languages.flatMap((language) => others.map((name) => inLanguage(name, language))),
  ]
}

export function columnChoices(call: OwnCall): readonly Choice[] {
  return [['', call.say('rows.ignore')], ...columnNames(call).map((name): Choice => [name, columnLabel(call, name)])]
}
