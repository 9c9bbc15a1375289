import type { Static, TBoolean, TObject, TOptional, TSchema, TString } from 'typebox'
import { flag } from '../../access/http/arguments/argument.rules.ts'
import { anyTextSchema, booleanSchema, websiteSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Argument, ArgumentRule, Arguments } from '../../access/http/arguments/argument.ts'
import type { SchemaKit } from '../../access/http/schema.ts'
import type { DescriptionKey } from '../../base/languages/catalogue.ts'
import type { DocumentKey } from '../../base/languages/texts.ts'
import { lineTextRule } from '../records/record.arguments.ts'

// One table for each kind defines what a venue or an organizer has besides the shared part of a record. Arguments,
// rows, JSON, search texts and imports derive from it. Its order is the order of the arguments in the index.

type ColumnValue = string | number | null

/** Where the JSON of an entry shows a field: between `image` and `json_ld`, or after both. */
export type FieldPlace = 'body' | 'end'

export interface Field<
  V,
  Name extends string = string,
  Column extends string = string,
  Stored extends ColumnValue = ColumnValue,
  Schema extends TSchema = TSchema,
  Place extends FieldPlace = FieldPlace,
> {
  /** Its name in requests, in the audit log and in imported recordings. */
  readonly name: Name
  readonly column: Column
  readonly kind: 'line' | 'website' | 'flag' | 'degrees'
  /** The value in a new record if the request does not send one. */
  readonly blank: V
  readonly argument: Argument<V>
  /** The property in the JSON of an entry. */
  readonly schema: (kit: SchemaKit) => Schema
  readonly place: Place
  /** Name of the field that precedes it in the JSON. Undefined: the order of the table. */
  readonly shownAfter: string | undefined
  /** Whether all translations have the same value (languages.md §3). */
  readonly isShared: boolean
  /** Whether a search of the list covers it (rulings.md 16). */
  readonly isSearched: boolean
  readonly toColumn: (value: V) => Stored
  readonly fromColumn: (stored: Stored) => V
  /** Returns the value in the JSON of an entry, or undefined if the JSON leaves it out. */
  readonly present: (value: V) => unknown
}

// biome-ignore lint/suspicious/noExplicitAny: the one place where fields of all types are held together.
type AnyField = Field<any, string, string, any>

/** The fields of a kind, by the names of their values. */
export type FieldTable = Readonly<Record<string, AnyField>>

export type EntryValues<T extends FieldTable> = { readonly [P in keyof T]: T[P]['blank'] }

export type FieldColumns<T extends FieldTable> = {
  [P in keyof T as T[P]['column']]: ReturnType<T[P]['toColumn']>
}

/** The properties of one place in the JSON of an entry. */
export type FieldProperties<T extends FieldTable, Place extends FieldPlace> = {
  [P in keyof T as T[P]['place'] extends Place ? T[P]['name'] : never]: ReturnType<T[P]['schema']>
}

export interface FieldOptions<Name extends string> {
  readonly name: Name
  /** Describes the argument and, without `schemaDescription`, the property in the JSON. */
  readonly description: DescriptionKey
  readonly schemaDescription?: DocumentKey
  readonly shownAfter?: string
  readonly isShared?: boolean
  readonly isSearched?: boolean
}

/** Returns the defaults that all fields share. The options override them. */
export function fieldBasics<const Name extends string>(options: FieldOptions<Name>) {
  const { name, shownAfter, isShared = false, isSearched = false } = options
  return { name, shownAfter, isShared, isSearched } as const
}

/** A text of one line. Contract: the JSON leaves out an empty text and `"0"` (venues-organizers.md §2). */
export function lineField<const Name extends string>(options: FieldOptions<Name>) {
  return textField(options, 'line', lineTextRule(options.name))
}

/** The address of a website. */
export function websiteField<const Name extends string>(options: FieldOptions<Name>, read: ArgumentRule<string>) {
  return textField(options, 'website', read)
}

function textField<const Name extends string>(
  options: FieldOptions<Name>,
  kind: 'line' | 'website',
  read: ArgumentRule<string>,
): Field<string, Name, Name, string, TOptional<TString>, 'body'> {
  const { name, description, schemaDescription = description } = options
  return {
    ...fieldBasics(options),
    ...{ column: name, kind, blank: '', place: 'body' },
    argument: {
      ...{ read, description, type: 'string', default: null },
      schema: kind === 'website' ? websiteSchema : anyTextSchema,
    },
    schema: ({ Type, text }) => Type.Optional(text(schemaDescription)),
    toColumn: (value) => value,
    fromColumn: (stored) => stored,
    present: (value) => (isEmptyText(value) ? undefined : value),
  }
}

/** A flag. New records have it set. The JSON always shows it, after everything else. */
export function flagField<const Name extends string>(
  options: FieldOptions<Name>,
): Field<boolean, Name, Name, 0 | 1, TBoolean, 'end'> {
  const { name, description, schemaDescription = description } = options
  return {
    ...fieldBasics(options),
    ...{ column: name, kind: 'flag', blank: true, place: 'end' },
    argument: { read: flag(name), description, schema: booleanSchema, type: 'string', default: null },
    schema: ({ Type }) => Type.Boolean({ description: schemaDescription }),
    toColumn: (value) => (value ? 1 : 0),
    fromColumn: (stored) => stored === 1,
    present: (value) => value,
  }
}

/** Contract: `"0"` counts as empty (venues-organizers.md §2). */
function isEmptyText(text: string): boolean {
  return text === '' || text === '0'
}

/** Returns the fields that the JSON shows in one place, with the names of their values, in the order of the JSON. */
function fieldsIn(table: FieldTable, place: FieldPlace): readonly (readonly [property: string, field: AnyField])[] {
  const fields = Object.entries(table).filter(([, field]) => field.place === place)
  const moved = fields.filter(([, { shownAfter }]) => shownAfter !== undefined)
  return fields.flatMap((entry) => {
    const followers = moved.filter(([, { shownAfter }]) => shownAfter === entry[1].name)
    return moved.includes(entry) ? [] : [entry, ...followers]
  })
}

/** Returns the schemas of the properties in one place, in their order. */
export function fieldProperties<T extends FieldTable, Place extends FieldPlace>(
  table: T,
  place: Place,
  kit: SchemaKit,
): FieldProperties<T, Place> {
  const properties = fieldsIn(table, place).map(([, { name, schema }]) => [name, schema(kit)])
  return Object.fromEntries(properties) as FieldProperties<T, Place>
}

/** Returns a function that makes the JSON of the fields in one place. */
export function fieldPresenter<T extends FieldTable, Place extends FieldPlace>(table: T, place: Place) {
  const fields = fieldsIn(table, place)
  return (values: EntryValues<T>): Static<TObject<FieldProperties<T, Place>>> => {
    const shown: Record<string, unknown> = {}
    for (const [property, { name, present }] of fields) {
      const value = present(values[property])
      if (value !== undefined) shown[name] = value
    }
    return shown as Static<TObject<FieldProperties<T, Place>>>
  }
}

/** Returns the arguments of all fields, in the order of the table. */
export function fieldArguments(table: FieldTable): Arguments {
  return Object.fromEntries(Object.values(table).map(({ name, argument }) => [name, argument]))
}

/** Returns the values of a new record if the request sends none. */
export function blankFields<T extends FieldTable>(table: T): EntryValues<T> {
  return Object.fromEntries(Object.entries(table).map(([property, { blank }]) => [property, blank])) as EntryValues<T>
}

/** Returns the names of the values whose fields meet a condition. */
export function propertiesWhere<T extends FieldTable>(
  table: T,
  holds: (field: AnyField) => boolean,
): readonly (keyof T & string)[] {
  return Object.entries(table).flatMap(([property, field]) => (holds(field) ? [property] : []))
}
