import Type, { type Static, type TSchema } from 'typebox'
import type { DocumentKey } from '../../base/languages/texts.ts'

// JSON on the wire is described in JSON Schema 2020-12, as in OpenAPI 3.1. A description is given by the key of its
// text, because the document is written in two languages.

export const withDescription = (key: DocumentKey): { readonly description: DocumentKey } => ({ description: key })

export const text = (key?: DocumentKey) => Type.String(key && withDescription(key))

export const id = (key: DocumentKey) => Type.Integer({ ...withDescription(key), minimum: 1 })

/** A number of things. */
export const count = (key: DocumentKey) => Type.Integer({ ...withDescription(key), minimum: 0 })

export const url = (key?: DocumentKey) => Type.String({ ...(key && withDescription(key)), format: 'uri' })

/** A local date and time in some zone. Contract: conventions.md §5. */
export const dateTime = (key: DocumentKey) =>
  Type.String({
    ...withDescription(key),
    pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
    examples: ['2030-05-01 19:00:00'],
  })

export const oneOf = <const W extends readonly string[]>(words: W, key?: DocumentKey) =>
  Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...(key && withDescription(key)) })

/** An object with one value of this schema for each of its names. */
export const recordOf = <S extends TSchema>(schema: S, key?: DocumentKey) =>
  Type.Unsafe<Readonly<Record<string, Static<S>>>>({
    type: 'object',
    additionalProperties: schema,
    ...(key && withDescription(key)),
  })

/** Contract: an object without entries is written as an empty list (conventions.md §5). */
export const orEmptyList = <S extends TSchema>(schema: S, key: DocumentKey) =>
  Type.Unsafe<Static<S> | readonly []>({
    anyOf: [schema, { type: 'array', items: {}, maxItems: 0 }],
    ...withDescription(key),
  })

/** Contract: false, never null, if there is no value. */
export const orFalse = <S extends TSchema>(schema: S, key: DocumentKey) =>
  Type.Unsafe<Static<S> | false>({ anyOf: [schema, { type: 'boolean', const: false }], ...withDescription(key) })

/** A value of this schema, or null. */
export const orNull = <S extends TSchema & { readonly type: string }>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'] })

/**
 * What tables of fields describe their JSON with. They get it when a document needs the description, so that the service
 * starts without loading TypeBox.
 */
export const schemaKit = { Type, text, oneOf, orNull }
export type SchemaKit = typeof schemaKit

/** Under this key a reference has the schema itself, which no document shows. */
export const referred = Symbol('schema that is referred to')

/** The JSON pointer of a schema with an `$id` in the document. */
export const ref = <S extends TSchema>(schema: S, key?: DocumentKey) =>
  Type.Unsafe<Static<S>>({
    $ref: componentPath(schemaName(schema)),
    ...(key && withDescription(key)),
    [referred]: schema,
  })

export function componentPath(name: string): string {
  return `#/components/schemas/${name}`
}

export function schemaName(schema: TSchema): string {
  const { $id } = schema as { readonly $id?: unknown }
  if (typeof $id !== 'string') throw new Error('A schema that is referred to needs an $id.')
  return $id
}
