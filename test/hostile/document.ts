/** An operation of the service, with everything known about its parameters. */
export interface Operation {
  readonly method: string
  /** From the root, with `{id}` and `{slug}` in it. */
  readonly path: string
  readonly inPath: readonly Parameter[]
  readonly inQuery: readonly Parameter[]
  /** Members of a body; empty if the operation takes no body. */
  readonly inBody: readonly Parameter[]
  /** Bodies that are valid as a whole. */
  readonly bodies: readonly Readonly<Record<string, unknown>>[]
  /** Whether its bodies are usually forms. */
  readonly isForm?: true
}

export interface Parameter {
  readonly name: string
  /** Values that are valid, or that are examples of invalid ones. */
  readonly known: readonly unknown[]
}

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  /** Around the schema of a form, as in the document of the console. */
  readonly allOf?: readonly Schema[]
}

interface Content {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

interface DocumentParameter extends Content {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query'
}

interface DocumentOperation {
  readonly parameters: readonly DocumentParameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
}

/** The parts of an OpenAPI document that this file reads. */
export interface FuzzedDocument {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const plain = { inPath: [], inQuery: [], inBody: [], bodies: [] }
/** The values of path parameters that no document describes: those of files. */
const knownInPath: Readonly<Record<string, readonly unknown[]>> = {
  id: [1, 9, 14, 15, 16, 999],
  name: ['openapi.json', 'service.json', 'x.js'],
}

/** Files, and paths in the query. */
const besideRoutes: readonly Operation[] = [
  { ...plain, method: 'GET', path: '/uploads/{slug}', inPath: [{ name: 'slug', known: ['2030/01/x.jpg', 'x.png'] }] },
  { ...plain, method: 'GET', path: '/', inQuery: [{ name: 'rest_route', known: ['/cal/events/v1/events', '/'] }] },
]

/**
 * Returns all operations: those of the documents, and the routes outside them.
 *
 * @param printed The list of routes that the framework prints: every route is tested, described or not.
 */
export function operationsOf(documents: readonly FuzzedDocument[], printed: string): readonly Operation[] {
  const described = documents.flatMap((document) => {
    const base = document.servers[0]?.url ?? ''
    return Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) =>
        operationOf(document, method.toUpperCase(), base + path, operation),
      ),
    )
  })
  const known = new Set(described.map(nameOf))
  return [...described, ...routesIn(printed).filter((route) => !known.has(nameOf(route))), ...besideRoutes]
}

const nameOf = ({ method, path }: Operation) => `${method} ${path.replace(/\/$/, '')}`

/** Returns the routes of a printed tree, each with the known values of its path parameters. */
export function routesIn(printed: string): readonly Operation[] {
  const above: string[] = []
  return printed.split('\n').flatMap((line) => {
    const [, indent = '', path, methods] = /^((?:[│ ] {3})*)[├└]── (\S+) \(([\w, -]+)\)$/.exec(line) ?? []
    if (path === undefined || methods === undefined || path === '*') return []
    const depth = indent.length / 4
    above.length = depth
    above[depth] = path
    const whole = above
      .join('')
      .replaceAll('//', '/')
      .replace(/:(\w+)/g, '{$1}')
    const inPath = [...whole.matchAll(/{(\w+)}/g)].map(([, name = '']) => ({ name, known: knownInPath[name] ?? [] }))
    return methods
      .split(', ')
      .filter((method) => method !== 'HEAD')
      .map((method) => ({ ...plain, method, path: whole, inPath }))
  })
}

function operationOf(
  document: FuzzedDocument,
  method: string,
  path: string,
  { parameters, requestBody }: DocumentOperation,
): Operation {
  const all = parameters.map((parameter) => resolved(document, parameter))
  const within = (place: DocumentParameter['in']) =>
    all
      .filter((parameter) => parameter.in === place)
      .map((parameter) => ({
        name: parameter.name,
        known: [...shownIn(parameter), ...valuesOf(document, parameter.schema)],
      }))
  const content = requestBody?.content['application/json'] ?? Object.values(requestBody?.content ?? {})[0]
  const { properties = {} } = content ? resolved(document, content.schema.allOf?.[0] ?? content.schema) : {}
  return {
    method,
    path,
    inPath: within('path'),
    inQuery: within('query'),
    inBody: Object.entries(properties).map(([name, schema]) => ({ name, known: valuesOf(document, schema) })),
    bodies: content ? (shownIn(content) as Operation['bodies']) : [],
  }
}

function resolved<T extends { readonly $ref?: string }>(document: FuzzedDocument, value: T): T {
  if (value.$ref === undefined) return value
  const [, , kind = '', name = ''] = value.$ref.split('/')
  return document.components[kind]?.[name] as T
}

function shownIn({ examples = {} }: Content): readonly unknown[] {
  return Object.values(examples).map(({ value }) => value)
}

const ofType: Readonly<Record<string, readonly unknown[]>> = {
  integer: [1, 2, 9],
  number: [45.5],
  boolean: [true, false],
  string: ['a text'],
  array: [[1]],
  null: [null],
}

/** Returns values that a schema accepts. */
function valuesOf(document: FuzzedDocument, schema: Schema): readonly unknown[] {
  const known = resolved(document, schema)
  const types = typeof known.type === 'string' ? [known.type] : (known.type ?? [])
  return [
    ...(known.examples ?? []),
    ...(known.enum ?? []),
    ...(known.default === undefined ? [] : [known.default]),
    ...types.flatMap((type) => ofType[type] ?? []),
    ...(known.anyOf ?? []).flatMap((one) => valuesOf(document, one)),
  ]
}
