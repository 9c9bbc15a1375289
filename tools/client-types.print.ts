import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A JSON Schema of our document. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema
  readonly items?: Schema
  readonly maxItems?: number
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly string[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
}

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly schema: Schema
}

interface Media {
  readonly schema: Schema
}

interface Operation {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, { readonly $ref: string }>>
}

/** The parts of the OpenAPI document that this file reads. */
export interface ApiDocument {
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** The operations of the contract that the client calls. The client has types for their parameters and answers. */
const operations = [
  ...['listEvents', 'getEvent', 'getEventBySlug', 'createEvent', 'changeEvent', 'trashEvent'],
  ...['listVenues', 'getVenue', 'createVenue', 'changeVenue'],
  ...['listOrganizers', 'getOrganizer', 'createOrganizer', 'changeOrganizer'],
  ...['listCategories', 'getCategory', 'createCategory', 'changeCategory'],
  ...['listTags', 'getTag', 'createTag', 'changeTag'],
]

/** Of the service's own document the client has types for all operations except those that describe the document. */
const describing = ['/', '/doc']

/** Names that would hide a global of every browser. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['Event', 'CalendarEvent'],
  ['Image', 'Picture'],
  ['ImageSize', 'PictureSize'],
])

/** Unions of words that are used repeatedly, with their names. */
const namedWords: Readonly<Record<string, readonly string[]>> = {
  Status: ['publish', 'future', 'draft', 'pending', 'private', 'trash'],
  Language: ['en', 'en-CA', 'fr-CA'],
  Role: ['subscriber', 'contributor', 'author', 'editor', 'administrator'],
}

const clock = '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$'
/** Parameters that the client adds to every request. */
const ownParameters = new Set(['ml_language'])

const opening = `// Generated from the OpenAPI document of the service by \`npm run client-types\`, which overwrites manual changes.

/** A date and a time of day: \`2030-05-01 19:00:00\`. */
export type DateTime = \`\${number}-\${number}-\${number} \${number}:\${number}:\${number}\`

/** What may be done with a record, and who sees it. */
export type Status = ${alternatives(namedWords.Status)}

/** The languages of records. */
export type Language = ${alternatives(namedWords.Language)}

/** What a user may do. */
export type Role = ${alternatives(namedWords.Role)}
`

/** The documents of the service: that of the contract's namespace, and its own. */
export interface ClientDocuments {
  readonly contract: ApiDocument
  readonly service: ApiDocument
}

/**
 * Returns the types of the client, as TypeScript.
 *
 * @param codes The codes of all problems of the service; the documents contain only those of their operations.
 */
export function printTypes({ contract, service }: ClientDocuments, codes: readonly string[]): string {
  const called = Object.values(contract.paths)
    .flatMap((item) => Object.values(item))
    .filter(({ operationId }) => operations.includes(operationId))
  const missing = operations.filter((id) => !called.some(({ operationId }) => operationId === id))
  if (missing.length > 0) throw new Error(`The document has no ${missing.join(', ')}.`)
  const own = Object.entries(service.paths)
    .filter(([path]) => !describing.includes(path))
    .flatMap(([, item]) => Object.values(item))
  const known = schemasOf(contract, called)
  const schemas = [
    ...known.map((name) => printSchema(name, contract.components.schemas[name] ?? {})),
    ...schemasOf(service, own)
      .filter((name) => !known.includes(name))
      .map((name) => printSchema(name, service.components.schemas[name] ?? {})),
  ]
  const queries = [...called, ...own].flatMap(printQuery)
  return formatted([opening, ...schemas, ...queries, printCodes(codes)].join('\n'))
}

/** Returns the names of the schemas of these operations, and of those that they refer to. */
function schemasOf({ components }: ApiDocument, called: readonly Operation[]): readonly string[] {
  const roots = called.flatMap(({ requestBody, responses }) => [
    ...Object.values(requestBody?.content ?? {}),
    ...Object.entries(responses)
      .filter(([status]) => status < '300')
      .flatMap(([, { $ref }]) => Object.values(components.responses[nameIn($ref)]?.content ?? {})),
  ])
  const found = new Set<string>()
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    if ('$ref' in part && typeof part.$ref === 'string') {
      const name = nameIn(part.$ref)
      if (found.has(name)) return
      found.add(name)
      visit(components.schemas[name])
    }
    Object.values(part).forEach(visit)
  }
  roots.forEach(visit)
  return Object.keys(components.schemas).filter((name) => found.has(name))
}

function printSchema(name: string, schema: Schema): string {
  const isSent = name.endsWith('Input')
  if (schema.type !== 'object')
    return `${comment(schema)}export type ${typeName(name)} = ${typeOf(schema, { isSent })}\n`
  return `${comment(schema)}export interface ${typeName(name)} ${objectType(schema, { isSent })}\n`
}

/** Prints the parameters of a query, or nothing if the client sends only the language. */
function printQuery({ operationId, parameters }: Operation): readonly string[] {
  const own = parameters.filter(({ $ref, name, ...one }) => !$ref && one.in === 'query' && !ownParameters.has(name))
  if (own.length === 0) return []
  const properties = own.map(({ name, description, schema }) => {
    const item = schema.type === 'array' && schema.items ? typeOf(schema.items, { isSent: true }) : undefined
    const type = item ? `${item} | readonly (${item})[]` : typeOf(schema, { isSent: true })
    return `${comment({ ...(description ? { description } : {}) })}readonly ${name}?: ${type} | undefined`
  })
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`
  return [
    `/** What the query of \`${operationId}\` may have. */\nexport interface ${name} {\n${properties.join('\n')}\n}\n`,
  ]
}

function printCodes(codes: readonly string[]): string {
  const members = [...codes].sort().map((code) => `  | '${code}'`)
  return `/** Every code with which the service names what went wrong. */\nexport type ProblemCode =\n${members.join('\n')}\n`
}

/** Optional inputs may also be undefined: neither is sent. */
interface Side {
  readonly isSent: boolean
}

function objectType({ properties, required = [], additionalProperties }: Schema, side: Side): string {
  if (!properties)
    return `Readonly<Record<string, ${additionalProperties ? typeOf(additionalProperties, side) : 'unknown'}>>`
  const members = Object.entries(properties).map(([name, schema]) => {
    const isNeeded = required.includes(name)
    const type = `${typeOf(schema, side)}${side.isSent && !isNeeded ? ' | undefined' : ''}`
    const key = /^\w+$/.test(name) ? name : `'${name}'`
    return `${comment(schema)}readonly ${key}${isNeeded ? '' : '?'}: ${type}`
  })
  return `{\n${members.join('\n')}\n}`
}

function typeOf(schema: Schema, side: Side): string {
  if (schema.$ref) return typeName(nameIn(schema.$ref))
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeOf(one, side)))].join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return wordType(schema.enum)
  const { type = [] } = schema
  return (
    [type]
      .flat()
      .map((one) => simpleType(one, schema, side))
      .join(' | ') || 'unknown'
  )
}

/** Returns a union of these words, by name if it has one. */
function wordType(words: readonly string[]): string {
  for (const [name, named] of Object.entries(namedWords)) {
    if (!named.every((word) => words.includes(word))) continue
    const others = words.filter((word) => !named.includes(word))
    return others.length === 0 ? name : `${name} | ${alternatives(others)}`
  }
  return alternatives(words)
}

function alternatives(words: readonly string[] = []): string {
  return words.map((word) => `'${word}'`).join(' | ')
}

function simpleType(type: string, schema: Schema, side: Side): string {
  switch (type) {
    case 'integer':
      return 'number'
    case 'string':
      if (schema.format === 'binary') return 'Blob'
      return schema.pattern === clock ? 'DateTime' : 'string'
    case 'array':
      return schema.maxItems === 0 ? 'readonly []' : `readonly (${typeOf(schema.items ?? {}, side)})[]`
    case 'object':
      return objectType(schema, side)
    default:
      return type
  }
}

function comment({ description }: Schema): string {
  return description ? `/** ${description} */\n` : ''
}

function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? ''
}

function typeName(name: string): string {
  return renamed.get(name) ?? name
}

/** Formats the text with Biome, because the file is in the repository. */
function formatted(text: string): string {
  const program = fileURLToPath(new URL('../node_modules/.bin/biome', import.meta.url))
  const { status, stdout, stderr } = spawnSync(program, ['format', '--stdin-file-path=types.ts'], {
    ...{ input: text, encoding: 'utf8' },
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  })
  if (status !== 0) throw new Error(`Biome could not read the types: ${stderr}`)
  return stdout
}
