import Type, { type Static, type TBoolean, type TObject, type TOptional, type TSchema, type TString } from 'typebox'
import type { Argument, Arguments, Rule } from '../../access/http/argument.ts'
import { flag } from '../../access/http/rules.ts'
import { said, text } from '../../access/http/schema.ts'
import type { DescriptionKey } from '../../base/languages/en/descriptions.ts'
import type { DocumentKey } from '../../base/languages/openapi.texts.ts'
import { lineTextRule } from '../records/record.arguments.ts'

// What a venue or an organizer has besides the shared part of a record stands in one table of its kind: arguments, rows,
// JSON, search texts and imports come from it. Its order is that of the arguments in the index.

/** What the database holds for a field. */
type ColumnValue = string | number | null

/** Where the JSON of an entry shows a field: between `image` and `json_ld`, or behind both. */
export type FieldPlace = 'body' | 'end'

/** All that is said of one field. */
export interface Field<
  V,
  Name extends string = string,
  Column extends string = string,
  Stored extends ColumnValue = ColumnValue,
  Schema extends TSchema = TSchema,
  Place extends FieldPlace = FieldPlace,
> {
  /** How it is called on the wire, in the audit and in recordings that are imported. */
  readonly name: Name
  readonly column: Column
  readonly kind: 'line' | 'website' | 'flag' | 'degrees'
  /** What a new record has where nothing is sent. */
  readonly blank: V
  readonly argument: Argument<V>
  /** The property in the JSON of an entry. */
  readonly schema: Schema
  readonly place: Place
  /** Name of the field behind which the JSON shows it, where that is not the order of the table. */
  readonly shownAfter: string | undefined
  /** Whether all translations have the same value (languages.md §3). */
  readonly isShared: boolean
  /** Whether a search of the list looks through it (rulings.md 16). */
  readonly isSearched: boolean
  readonly toColumn: (value: V) => Stored
  readonly fromColumn: (stored: Stored) => V
  /** The value in the JSON of an entry; undefined where that leaves it out. */
  readonly present: (value: V) => unknown
}

// biome-ignore lint/suspicious/noExplicitAny: the one place where fields of all types are held together.
type AnyField = Field<any, string, string, any>

/** The fields of a kind, by the names of their values. */
export type FieldTable = Readonly<Record<string, AnyField>>

/** The values of all fields of a table. */
export type FieldValues<T extends FieldTable> = { readonly [P in keyof T]: T[P]['blank'] }

/** A row with the columns of all fields of a table. */
export type FieldColumns<T extends FieldTable> = {
  [P in keyof T as T[P]['column']]: ReturnType<T[P]['toColumn']>
}

/** The properties in the JSON of an entry that stand in one place. */
export type FieldProperties<T extends FieldTable, Place extends FieldPlace> = {
  [P in keyof T as T[P]['place'] extends Place ? T[P]['name'] : never]: T[P]['schema']
}

/** What the constructors of fields are told. */
export interface FieldOptions<Name extends string> {
  readonly name: Name
  /** Of the argument, and of the property in the JSON where nothing else is said. */
  readonly description: DescriptionKey
  readonly schemaDescription?: DocumentKey
  readonly shownAfter?: string
  readonly isShared?: boolean
  readonly isSearched?: boolean
}

/** What is the same for all fields, unless the options say otherwise. */
export function fieldBasics<const Name extends string>(options: FieldOptions<Name>) {
  const { name, shownAfter, isShared = false, isSearched = false } = options
  return { name, shownAfter, isShared, isSearched } as const
}

/** A text on one line. Contract: an empty one, or `"0"`, is left out of the JSON (venues-organizers.md §2). */
export function lineField<const Name extends string>(options: FieldOptions<Name>) {
  return textField(options, 'line', lineTextRule(options.name))
}

/** The address of a website. */
export function websiteField<const Name extends string>(options: FieldOptions<Name>, read: Rule<string>) {
  return textField(options, 'website', read)
}

function textField<const Name extends string>(
  options: FieldOptions<Name>,
  kind: 'line' | 'website',
  read: Rule<string>,
): Field<string, Name, Name, string, TOptional<TString>, 'body'> {
  const { name, description, schemaDescription = description } = options
  return {
    ...fieldBasics(options),
    ...{ column: name, kind, blank: '', place: 'body' },
    argument: { read, description, type: 'string', default: null },
    schema: Type.Optional(text(schemaDescription)),
    toColumn: (value) => value,
    fromColumn: (stored) => stored,
    present: (value) => (isEmptyText(value) ? undefined : value),
  }
}

/** A flag, which a new record has set and the JSON always shows, behind all else. */
export function flagField<const Name extends string>(
  options: FieldOptions<Name>,
): Field<boolean, Name, Name, 0 | 1, TBoolean, 'end'> {
  const { name, description, schemaDescription = description } = options
  return {
    ...fieldBasics(options),
    ...{ column: name, kind: 'flag', blank: true, place: 'end' },
    argument: { read: flag(name), description, type: 'string', default: null },
    schema: Type.Boolean(said(schemaDescription)),
    toColumn: (value) => (value ? 1 : 0),
    fromColumn: (stored) => stored === 1,
    present: (value) => value,
  }
}

/** Contract: `"0"` counts as empty (venues-organizers.md §2). */
function isEmptyText(text: string): boolean {
  return text === '' || text === '0'
}

/** The fields of a table that the JSON shows in one place, with the names of their values, in its order. */
function fieldsIn(table: FieldTable, place: FieldPlace): readonly (readonly [property: string, field: AnyField])[] {
  const fields = Object.entries(table).filter(([, field]) => field.place === place)
  const moved = fields.filter(([, { shownAfter }]) => shownAfter !== undefined)
  return fields.flatMap((entry) => {
    const followers = moved.filter(([, { shownAfter }]) => shownAfter === entry[1].name)
    return moved.includes(entry) ? [] : [entry, ...followers]
  })
}

/** The schemas of the properties in one place, in their order. */
export function fieldProperties<T extends FieldTable, Place extends FieldPlace>(
  table: T,
  place: Place,
): FieldProperties<T, Place> {
  const properties = fieldsIn(table, place).map(([, { name, schema }]) => [name, schema])
  return Object.fromEntries(properties) as FieldProperties<T, Place>
}

/** What makes the JSON of the fields in one place. */
export function fieldPresenter<T extends FieldTable, Place extends FieldPlace>(table: T, place: Place) {
  const fields = fieldsIn(table, place)
  return (values: FieldValues<T>): Static<TObject<FieldProperties<T, Place>>> => {
    const shown: Record<string, unknown> = {}
    for (const [property, { name, present }] of fields) {
      const value = present(values[property])
      if (value !== undefined) shown[name] = value
    }
    return shown as Static<TObject<FieldProperties<T, Place>>>
  }
}

/** The arguments of all fields, in the order of the table. */
export function fieldArguments(table: FieldTable): Arguments {
  return Object.fromEntries(Object.values(table).map(({ name, argument }) => [name, argument]))
}

/** What a new record has where nothing is sent. */
export function blankFields<T extends FieldTable>(table: T): FieldValues<T> {
  return Object.fromEntries(Object.entries(table).map(([property, { blank }]) => [property, blank])) as FieldValues<T>
}

/** The names of the values of those fields for which something holds. */
export function propertiesWhere<T extends FieldTable>(
  table: T,
  holds: (field: AnyField) => boolean,
): readonly (keyof T & string)[] {
  return Object.entries(table).flatMap(([property, field]) => (holds(field) ? [property] : []))
}
