import type { AuditedTables } from '../../../storage/database/audit/audited.tables.ts'
import { type CodedField, codedFields, valueFields } from './event.fields.ts'

// Derived from the table of fields: names that the compiler compares, and code that is the same for every field.

type CodedFields = typeof codedFields
type Coded = CodedFields[keyof CodedFields]
type Value = (typeof valueFields)['fields'][keyof (typeof valueFields)['fields']]
type KeysOf<T> = T extends unknown ? keyof T & string : never

export type EventArgument = KeysOf<Coded['arguments']> | Value['name']
/** The members of the JSON of an event. */
export type EventMember = Coded['members'][number] | Value['name']
/** The CSV columns that do not come from the table. */
export type CodedCsvColumn = Coded['csv'][number]
/** Names of the coded fields that all translations share. */
export type SharedCodedField = {
  [P in keyof CodedFields]: CodedFields[P]['isShared'] extends true ? P : never
}[keyof CodedFields]

type Union<T> = (T extends unknown ? (value: T) => void : never) extends (value: infer All) => void ? All : never
/** Properties of `EventPatch` by the arguments that send them. */
type PropertyOf = Union<Coded['arguments']>

const coded: readonly CodedField[] = Object.values(codedFields)

type Writable<T> = {
  -readonly [K in keyof T]: T[K] extends readonly [] ? [] : T[K] extends object ? Writable<T[K]> : T[K]
}

/** The members that replace the values that a password protects (events.md §6). */
export const maskedMembers: Writable<Union<Coded['masked']>> & typeof valueFields.masked = Object.assign(
  {},
  ...coded.map(({ masked }) => masked),
  valueFields.masked,
)

const propertyOf: PropertyOf = Object.assign({}, ...coded.map((field) => field.arguments))

const properties = Object.entries(propertyOf)

/** The arguments by the properties of `EventPatch`. */
export const argumentOf = Object.fromEntries(
  Object.entries(propertyOf).map(([argument, property]) => [property, argument]),
) as { readonly [A in keyof PropertyOf as PropertyOf[A] & string]: A }

/** Returns the property of `EventPatch` that an argument sends. */
export function propertyOfArgument(argument: string): string {
  const value = Object.entries(valueFields.fields).find(([, { name }]) => name === argument)
  return value?.[0] ?? (propertyOf as Readonly<Record<string, string>>)[argument] ?? argument
}

/** Returns the changes of a patch under their argument names, in the order of the patch. */
export function argumentsOf(patch: object): Readonly<Record<string, unknown>> {
  const names: Readonly<Record<string, string>> = {
    ...argumentOf,
    ...Object.fromEntries(Object.entries(valueFields.fields).map(([property, { name }]) => [property, name])),
  }
  return Object.fromEntries(Object.entries(patch).map(([property, value]) => [names[property] ?? property, value]))
}

/** Returns the sent values of the coded fields, under their domain names. */
export function codedPatchFrom<V extends Readonly<Partial<Record<keyof PropertyOf, unknown>>>>(
  values: V,
): { readonly [A in keyof V & keyof PropertyOf as PropertyOf[A]]: V[A] } {
  const patch: Record<string, unknown> = {}
  for (const [argument, property] of properties) patch[property] = values[argument as keyof V]
  return patch as ReturnType<typeof codedPatchFrom<V>>
}

/** Properties of `EventPatch` that all translations share. */
export const sharedProperties: readonly string[] = [
  ...coded.flatMap((field) => (field.isShared ? Object.values(field.arguments) : [])),
  ...Object.keys(valueFields.shared(valueFields.blank)),
]

export const sharedArguments: ReadonlySet<string> = new Set(
  Object.keys(argumentsOf(Object.fromEntries(sharedProperties.map((property) => [property, true])))),
)

/** The columns that the audit log shows of the tables of events and of the shared table of records. */
export const auditedEventTables: AuditedTables = {
  items: {
    records: auditedColumnsOf('records'),
    events: { ...auditedColumnsOf('events'), ...valueFields.audited },
  },
  parts: Object.fromEntries(
    coded.flatMap(({ columns }) =>
      Object.entries(columns).flatMap(([table, names]) =>
        table === 'records' || table === 'events'
          ? []
          : Object.values(names).flatMap((audited) =>
              audited === 'unaudited' ? [] : [[table, { field: audited[0], shownAs: 'links' } as const]],
            ),
      ),
    ),
  ),
}

function auditedColumnsOf(table: 'records' | 'events') {
  const columns = coded.flatMap((field) => Object.entries(field.columns[table] ?? {}))
  return Object.fromEntries(
    columns.flatMap(([column, audited]) =>
      audited === 'unaudited' ? [] : [[audited[0], { column, format: audited[1] }]],
    ),
  )
}
