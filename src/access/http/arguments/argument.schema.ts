// Schemas of arguments, in JSON Schema 2020-12: plain objects, because every process loads them. The description is
// given by the key of its text.

/** A schema in JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>

export const anyTextSchema = { type: 'string' } as const satisfies JsonSchema
export const filledTextSchema = { type: 'string', minLength: 1 } as const satisfies JsonSchema
export const booleanSchema = { type: 'boolean' } as const satisfies JsonSchema
/** A positive integer: an id, a page. */
export const integerSchema = { type: 'integer', minimum: 1 } as const satisfies JsonSchema
export const textOrNullSchema = { type: ['string', 'null'] } as const satisfies JsonSchema

export const idsSchema = { type: 'array', items: integerSchema, minItems: 1 } as const satisfies JsonSchema
export const idsOrNamesSchema = {
  type: 'array',
  items: { anyOf: [integerSchema, filledTextSchema] },
  minItems: 1,
} as const satisfies JsonSchema

/** A date text (conventions.md §5). */
export const dateSchema = {
  type: 'string',
  minLength: 1,
  examples: ['2030-05-01 19:00:00', '2030-05-01', 'tomorrow 10:00'],
} as const satisfies JsonSchema

export const websiteSchema = { type: 'string', examples: ['https://example.org/'] } as const satisfies JsonSchema

export const wordSchema = (words: readonly string[]): JsonSchema => ({ type: 'string', enum: [...words] })

export const lengthSchema = (minLength: number, maxLength: number): JsonSchema => ({
  type: 'string',
  minLength,
  maxLength,
})

/** An angle in degrees: a latitude (`most` 90) or a longitude (180). */
export const degreesSchema = (most: number): JsonSchema => ({
  type: 'number',
  format: 'double',
  minimum: -most,
  maximum: most,
})
