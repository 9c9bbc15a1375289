/** A schema in JSON Schema 2020-12, the form of OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>

export type OpenApiVersion = '3.0.0' | '3.1.0'

const schemaMaps = new Set(['properties'])
const schemaLists = new Set(['anyOf', 'allOf', 'oneOf'])
const schemas = new Set(['items', 'additionalProperties'])

/**
 * Returns a schema as a document of this version contains it: descriptions are texts instead of keys, and the `$id`,
 * which is the name of the component, is removed.
 *
 * @param say Returns the text of a key.
 * @see OpenAPI 3.0.0, "Schema Object": a dialect of its own, with `nullable` and without `const` and type lists.
 */
export function writeSchema(schema: Schema, version: OpenApiVersion, say: (key: string) => string): Schema {
  const write = (inner: unknown) => (isSchema(inner) ? writeSchema(inner, version, say) : inner)
  const { $id: _name, ...keywords } = schema
  const written = Object.fromEntries(
    Object.entries(keywords).map(([keyword, value]) => {
      if (keyword === 'description') return [keyword, say(String(value))]
      if (schemas.has(keyword)) return [keyword, write(value)]
      if (schemaLists.has(keyword)) return [keyword, (value as readonly unknown[]).map(write)]
      if (schemaMaps.has(keyword)) {
        return [
          keyword,
          Object.fromEntries(Object.entries(value as Schema).map(([name, inner]) => [name, write(inner)])),
        ]
      }
      return [keyword, value]
    }),
  )
  return version === '3.0.0' ? inVersion30(written) : written
}

function isSchema(value: unknown): value is Schema {
  return value !== null && typeof value === 'object'
}

/** Converts one schema whose inner schemas are already converted. */
function inVersion30({ $ref, type, const: only, examples, exclusiveMinimum, ...others }: Schema): Schema {
  return {
    ...reference($ref, others),
    ...typeAndNull(type),
    ...others,
    ...(only === undefined ? {} : { enum: [only] }),
    ...(Array.isArray(examples) ? { example: examples[0] } : {}),
    ...(exclusiveMinimum === undefined ? {} : { minimum: exclusiveMinimum, exclusiveMinimum: true }),
  }
}

/** In 3.0 every other member beside a `$ref` is ignored; `allOf` makes room. */
function reference($ref: unknown, others: Schema): Schema {
  if ($ref === undefined) return {}
  return Object.keys(others).length === 0 ? { $ref } : { allOf: [{ $ref }] }
}

function typeAndNull(type: unknown): Schema {
  if (type === undefined) return {}
  if (!Array.isArray(type)) return { type }
  const [only, ...rest] = type.filter((one) => one !== 'null')
  if (rest.length > 0) throw new Error(`OpenAPI 3.0 has no type list: ${type.join(', ')}`)
  return type.includes('null') ? { type: only, nullable: true } : { type: only }
}
