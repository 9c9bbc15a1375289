import type { Static, TOptional, TSchema } from 'typebox'
import { accepted, boolean, refused } from '../../access/http/arguments/argument.rules.ts'
import { booleanSchema, lengthSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Argument, ReadResult } from '../../access/http/arguments/argument.ts'
import type { SchemaKit } from '../../access/http/schema.ts'
import type { DescriptionKey } from '../../base/languages/catalogue.ts'
import { decodeEntities, escapeHtml } from '../../base/text/escape.ts'
import { withoutControlCharacters } from '../../base/text/lines.ts'
import { plainText } from '../../base/text/sanitize.ts'
import type { AuditedColumn, AuditFormat } from '../../storage/database/audit/audited.tables.ts'
import type { Flag } from '../../storage/database/tables.ts'

/** The context that the presentation of a value may use. */
export interface FieldView {
  /** Address of the record's own page. */
  readonly url: string
}

/**
 * A field with one value in one column and one name in requests and responses. Its entry is its complete definition.
 */
export interface ValueField<Name extends string, Column extends string, Value, Stored, Schema extends TSchema> {
  /** Its name as an argument, as a member of the JSON, in the audit log and in CSV. */
  readonly name: Name
  readonly argument: Argument<Value>
  readonly column: Column
  readonly fromStored: (stored: Stored) => Value
  readonly toStored: (value: Value) => Stored
  /** The value in a new record if the request does not send one. */
  readonly blank: Value
  /** Whether the value may be long. Queries for many records omit long values. */
  readonly isLong: boolean
  readonly schema: (kit: SchemaKit) => Schema
  readonly present: (value: Value, view: FieldView) => Static<Schema>
  /** The replacement value while a password protects the record. */
  readonly masked: Static<Schema>
  /** Whether all translations have the same value. */
  readonly isShared: boolean
  readonly auditedAs: AuditFormat
  /** Returns its cell in CSV. Undefined if it is not exported. */
  readonly cell: ((value: Value) => string | number) | undefined
}

/** Defines a field of a table and infers its types. */
export function valueField<
  const Name extends string,
  const Column extends string,
  Value,
  Stored,
  Schema extends TSchema,
>(
  name: Name,
  row: Omit<ValueField<Name, Column, Value, Stored, Schema>, 'name'>,
): ValueField<Name, Column, Value, Stored, Schema> {
  return { name, ...row }
}

/** A field that responses contain only if the record has a value. */
export interface OptionalField<Name extends string, Column extends string, Value, Stored, Schema extends TSchema>
  extends ValueField<Name, Column, Value, Stored, Schema> {
  readonly isOmitted: (value: Value) => boolean
  /** Whether responses omit it while a password protects the record. */
  readonly isMasked: boolean
}

/** Defines a field that responses contain only if the record has a value. They come after all other members. */
export function optionalField<
  const Name extends string,
  const Column extends string,
  Value,
  Stored,
  Schema extends TSchema,
>(
  name: Name,
  row: Omit<OptionalField<Name, Column, Value, Stored, Schema>, 'name' | 'masked' | 'isOmitted'>,
): OptionalField<Name, Column, Value, Stored, Schema> {
  const { blank, present } = row
  return { name, masked: present(blank, { url: '' }), isOmitted: (value) => value === blank, ...row }
}

/** A boolean: 0 or 1 in the database, null in responses while a password protects it. */
export function flagField<const Name extends string, const Column extends string>(
  name: Name,
  { column, description, isShared }: { column: Column; description: DescriptionKey; isShared: boolean },
) {
  return valueField(name, {
    argument: { read: boolean(name), description, schema: booleanSchema, type: 'boolean' },
    column,
    fromStored: (stored: Flag): boolean => stored === 1,
    toStored: (value: boolean): Flag => (value ? 1 : 0),
    blank: false,
    isLong: false,
    schema: ({ Type, orNull }: SchemaKit) => orNull(Type.Boolean({ description })),
    present: (value) => value,
    masked: null,
    isShared,
    auditedAs: 'flag',
    cell: undefined,
  })
}

/** A text of one or more lines, or `''` for none. It is sent and shown as HTML without tags, as titles are. */
export const linesRule =
  (most: number) =>
  (raw: unknown): ReadResult<string> => {
    if (raw === null) return accepted('')
    if (typeof raw !== 'string') return refused('fault.string')
    const lines = withoutControlCharacters(raw)
      .split(/\r\n?|\n/)
      .map((line) =>
        decodeEntities(plainText(line))
          .replace(/[^\S\n]+/g, ' ')
          .trim(),
      )
    const text = withoutControlCharacters(lines.join('\n'))
      .replace(/\n{3,}/g, '\n\n')
      .trim()
    return [...text].length > most ? refused('fault.length', { least: '0', most: String(most) }) : accepted(text)
  }

/** A plain text of one or more lines. Each language has its own, and responses contain it only if it is not empty. */
export function textField<const Name extends DescriptionKey, const Column extends string>(
  name: Name,
  { column, most }: { readonly column: Column; readonly most: number },
) {
  return optionalField(name, {
    argument: {
      ...{ read: linesRule(most), description: name, schema: lengthSchema(0, most), type: 'string' },
      isExtension: true,
    },
    column,
    fromStored: (stored: string): string => stored,
    toStored: (value: string): string => value,
    blank: '',
    isLong: true,
    schema: ({ text }: SchemaKit) => text(name),
    present: escapeHtml,
    isMasked: true,
    isShared: false,
    auditedAs: 'plain',
    cell: (value: string) => value,
  })
}

/** A table of fields by their names in the domain. */
// biome-ignore lint/suspicious/noExplicitAny: the one place where fields of all types are held together.
export type ValueFields = Readonly<Record<string, ValueField<string, string, any, any, any>>>

// biome-ignore lint/suspicious/noExplicitAny: as above.
type AnyOptionalField = OptionalField<string, string, any, any, any>

export type FieldValues<F extends ValueFields> = { readonly [P in keyof F]: ReturnType<F[P]['fromStored']> }
/** The same values, each optional. */
export type FieldPatch<F extends ValueFields> = {
  readonly [P in keyof F]?: ReturnType<F[P]['fromStored']> | undefined
}
export type FieldRow<F extends ValueFields> = {
  readonly [P in keyof F as F[P]['column']]: ReturnType<F[P]['toStored']>
}
type FieldArguments<F extends ValueFields> = { readonly [P in keyof F as F[P]['name']]: F[P]['argument'] }
type IsOptional<T> = T extends { readonly isOmitted: unknown } ? true : false
type NameOf<F extends ValueFields, P extends keyof F, Optional extends boolean> =
  IsOptional<F[P]> extends Optional ? F[P]['name'] : never
type FieldSchemas<F extends ValueFields> = {
  readonly [P in keyof F as NameOf<F, P, false>]: ReturnType<F[P]['schema']>
}
type OptionalSchemas<F extends ValueFields> = {
  readonly [P in keyof F as NameOf<F, P, true>]: TOptional<ReturnType<F[P]['schema']>>
}
type FieldJson<F extends ValueFields> = { [P in keyof F as NameOf<F, P, false>]: Static<ReturnType<F[P]['schema']>> }
type OptionalJson<F extends ValueFields> = {
  [P in keyof F as NameOf<F, P, true>]?: Static<ReturnType<F[P]['schema']>>
}
/** The sent values, by argument. */
type SentFields<F extends ValueFields> = {
  readonly [P in keyof F as F[P]['name']]?: ReturnType<F[P]['fromStored']> | undefined
}
/** Returns the cell of a column in CSV. */
type CellWriter<F extends ValueFields> = (values: FieldValues<F>) => string | number

/**
 * Derives from a table of fields everything that other code needs, in the order of the table. It does so once: for each
 * record, only values are read.
 */
export function fieldTable<const F extends ValueFields>(fields: F) {
  const rows = Object.entries(fields)
  const optional = rows.flatMap(([property, field]) => ('isOmitted' in field ? [[property, field] as const] : []))
  const required = rows.filter(([, field]) => !('isOmitted' in field))
  const each = <T>(entryOf: (field: F[string], property: string) => readonly [string, unknown]) => {
    const all: Record<string, unknown> = {}
    for (const [property, field] of rows) {
      const [name, value] = entryOf(field as F[string], property)
      all[name] = value
    }
    return all as T
  }
  const properties = Object.keys(fields) as (keyof F & string)[]
  return {
    fields,
    properties,
    blank: each<FieldValues<F>>((field, property) => [property, field.blank]),
    arguments: each<FieldArguments<F>>((field) => [field.name, field.argument]),
    schemas: (kit: SchemaKit) =>
      Object.fromEntries(required.map(([, field]) => [field.name, field.schema(kit)])) as FieldSchemas<F>,
    optionalSchemas: (kit: SchemaKit) =>
      Object.fromEntries(
        optional.map(([, field]) => [field.name, kit.Type.Optional(field.schema(kit))]),
      ) as OptionalSchemas<F>,
    masked: Object.fromEntries(required.map(([, field]) => [field.name, field.masked])) as FieldJson<F>,
    /** The values that replace those of optional fields that a password hides. */
    hidden: Object.fromEntries(
      optional.flatMap(([property, field]) => ((field as AnyOptionalField).isMasked ? [[property, field.blank]] : [])),
    ) as Partial<FieldValues<F>>,
    stored: rows.map(([property, { column, toStored }]) => ({
      column,
      storedIn: (values: FieldValues<F>): unknown => toStored(values[property]),
    })),
    audited: each<Readonly<Record<string, AuditedColumn>>>(({ name, column, auditedAs }) => [
      name,
      { column, format: auditedAs },
    ]),
    cells: Object.fromEntries(
      rows.flatMap(([property, { name, cell }]) =>
        cell ? [[name, (values: Readonly<Record<string, unknown>>) => cell(values[property])]] : [],
      ),
    ) as Readonly<Record<string, CellWriter<F>>>,
    fromRow: (row: FieldRow<F>): FieldValues<F> => {
      const values: Record<string, unknown> = {}
      for (const [property, field] of rows) values[property] = field.fromStored(row[field.column as keyof FieldRow<F>])
      return values as FieldValues<F>
    },
    toRow: (values: FieldValues<F>): FieldRow<F> =>
      each((field, property) => [field.column, field.toStored(values[property])]),
    present: (values: FieldValues<F>, view: FieldView): FieldJson<F> => {
      const json: Record<string, unknown> = {}
      for (const [property, field] of required) json[field.name] = field.present(values[property], view)
      return json as FieldJson<F>
    },
    /** Returns the members that come last, and only those with a value. */
    presentOptional: (values: FieldValues<F>, view: FieldView & { readonly isMasked: boolean }): OptionalJson<F> => {
      const json: Record<string, unknown> = {}
      for (const [property, field] of optional) {
        const value = values[property]
        const { isOmitted, isMasked } = field as AnyOptionalField
        if (!isOmitted(value) && !(isMasked && view.isMasked)) json[field.name] = field.present(value, view)
      }
      return json as OptionalJson<F>
    },
    /** Returns the sent values under their domain names. */
    patchFrom: (sent: SentFields<F>): FieldPatch<F> =>
      each((field, property) => [property, sent[field.name as keyof SentFields<F>]]),
    /** Returns the values after a change. Null: that of a new record. */
    changed: (values: FieldValues<F>, patch: FieldPatch<F>): FieldValues<F> =>
      each((field, property) => [
        property,
        patch[property] === null ? field.blank : (patch[property] ?? values[property]),
      ]),
    /** Returns the values that all translations share. */
    shared: (values: FieldValues<F>): Partial<FieldValues<F>> =>
      Object.fromEntries(
        rows.flatMap(([property, { isShared }]) => (isShared ? [[property, values[property]]] : [])),
      ) as Partial<FieldValues<F>>,
  }
}
