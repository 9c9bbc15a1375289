import type { DeskKey } from '../../base/languages/catalogue.ts'
import { inLanguage } from '../events/desk.field.ts'
import { distinctLanguages, languageName } from '../events/language.names.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { Choice } from '../shell/fields.ts'

// The columns of a table whose rows become events.

/** Texts exist once per language, with the language after a dot, as in the editor: `title.fr-CA`. */
export const textColumns = ['title', 'excerpt', 'description', 'event_status_reason'] as const
type TextColumn = (typeof textColumns)[number]

/** What a new venue gets beside its name. */
export const placeColumns = ['address', 'city', 'stateprovince', 'zip', 'country', 'geo_lat', 'geo_lng'] as const

const sharedColumns = [
  ...(['date', 'start', 'end_date', 'end', 'all_day', 'timezone', 'venue', ...placeColumns] as const),
  ...(['organizer', 'categories', 'tags', 'cost', 'website'] as const),
  ...(['event_status', 'attendance', 'image', 'status', 'language'] as const),
] as const
export type Column = TextColumn | (typeof sharedColumns)[number]

export const columnLabels = {
  title: 'editor.title',
  excerpt: 'editor.excerpt',
  description: 'editor.description',
  event_status_reason: 'editor.reason',
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
  cost: 'editor.cost',
  website: 'editor.website',
  event_status: 'editor.event-status',
  attendance: 'editor.attendance',
  image: 'editor.image',
  status: 'rows.column.status',
  language: 'rows.column.language',
} as const satisfies Readonly<Record<Column, DeskKey>>

export function isText(column: Column): column is TextColumn {
  return (textColumns as readonly string[]).includes(column)
}

/** Returns the name of a column for people, with its language. */
export function columnLabel(call: OwnCall, name: string): string {
  const [column = '', language] = name.split('.')
  const label = call.say(columnLabels[column as Column])
  return language === undefined || distinctLanguages(call).length === 1
    ? label
    : call.say('editor.of-language', { label, language: languageName(call, language) })
}

/** Returns the names of all columns that a table can have. */
export function columnNames(call: OwnCall): readonly string[] {
  const languages = distinctLanguages(call)
  const [title, ...others] = textColumns
  return [
    ...languages.map((language) => inLanguage(title, language)),
    ...sharedColumns,
    ...languages.flatMap((language) => others.map((name) => inLanguage(name, language))),
  ]
}

export function columnChoices(call: OwnCall): readonly Choice[] {
  return [['', call.say('rows.ignore')], ...columnNames(call).map((name): Choice => [name, columnLabel(call, name)])]
}
