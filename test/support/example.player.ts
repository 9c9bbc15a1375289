import type { Role } from '../../src/access/auth/actor.ts'
import type { TestAnswer, TestApp, TestRequest } from './app.ts'

/** The parts of an OpenAPI document that this file reads. References are resolved. */
export interface ExampleDocument {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

interface Operation {
  readonly operationId: string
  readonly parameters: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, Response | Reference>>
}
interface Reference {
  readonly $ref: string
}
interface Parameter extends Content {
  readonly name: string
  readonly in: 'path' | 'query'
}
interface Response {
  readonly content?: Readonly<Record<string, Content>>
}
interface Content {
  readonly schema: object
  readonly examples?: Readonly<Record<string, Shown>>
}
interface Shown {
  readonly value: unknown
  readonly 'x-role'?: Role
  /** True if the console leaves the value out. */
  readonly 'x-disabled'?: boolean
}

interface SentValue {
  readonly name: string
  readonly value: unknown
  readonly schema: object
}

/** A documented request, with the response of the same name. */
export interface DocumentedExample {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly name: string
  readonly inPath: readonly SentValue[]
  readonly inQuery: readonly SentValue[]
  /** One of the documented encodings of the body. */
  readonly body?: { readonly type: string; readonly value: object; readonly schema: object }
  /** The responses with this name: exactly one, if the document is correct. */
  readonly answers: readonly {
    readonly status: number
    readonly body: unknown
    readonly schema: object
    readonly role: Role | undefined
  }[]
  readonly role: Role | undefined
}

/** Returns all examples in a document: those with a body once per encoding. */
export function examplesIn(document: ExampleDocument): readonly DocumentedExample[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => examplesOf(document, method.toUpperCase(), path, operation)),
  )
}

function examplesOf(
  document: ExampleDocument,
  method: string,
  path: string,
  { operationId, requestBody, ...operation }: Operation,
): readonly DocumentedExample[] {
  const parameters = operation.parameters.map((one) => lookUp<Parameter>(document, one))
  const bodies = Object.entries(requestBody?.content ?? {})
  const responses = Object.entries(operation.responses).flatMap(([status, response]) =>
    Object.values(lookUp<Response>(document, response).content ?? {}).map((content) => ({ status, content })),
  )
  const all = [...parameters, ...bodies.map(([, body]) => body), ...responses.map(({ content }) => content)]
  return [...new Set(all.flatMap(namesIn))].flatMap((name): readonly DocumentedExample[] => {
    const sentIn = (place: string) =>
      parameters
        .filter((parameter) => parameter.in === place)
        .flatMap((parameter) => shownIn(parameter, name).map((shown) => ({ ...shown, name: parameter.name })))
    const answers = responses.flatMap(({ status, content }) =>
      shownIn(content, name).map(({ value, ...shown }) => ({ ...shown, status: Number(status), body: value })),
    )
    const sent = bodies.flatMap(([type, content]) =>
      shownIn(content, name).map(({ value, ...shown }) => ({ ...shown, type, value: Object(value) })),
    )
    const example = {
      ...{ method, path, operationId, name, answers, role: answers[0]?.role },
      ...{ inPath: sentIn('path'), inQuery: sentIn('query') },
    }
    return sent.length > 0 ? sent.map((body) => ({ ...example, body })) : [example]
  })
}

function namesIn({ examples = {} }: Content): readonly string[] {
  return Object.keys(examples).filter((name) => !examples[name]?.['x-disabled'])
}

/** Returns the example with this name, or an empty list if there is none. */
function shownIn({ schema, examples = {} }: Content, name: string) {
  const shown = examples[name]
  return shown && !shown['x-disabled'] ? [{ schema, value: shown.value, role: shown['x-role'] }] : []
}

function lookUp<T extends object>(document: ExampleDocument, value: T | Reference): T {
  if (!('$ref' in value)) return value
  const [, , kind = '', name = ''] = value.$ref.split('/')
  const found = document.components[kind]?.[name]
  if (!found) throw new Error(`${value.$ref} leads nowhere.`)
  return found as T
}

/** Sends the request of an example to the documented service. */
export async function playExample(
  app: Pick<TestApp, 'send'>,
  document: ExampleDocument,
  { method, path, inPath, inQuery, body, role }: DocumentedExample,
): Promise<TestAnswer> {
  const { pathname } = new URL(document.servers[0]?.url ?? '')
  const item = inPath.reduce((filled, { name, value }) => filled.replace(`{${name}}`, String(value)), path)
  const query = new URLSearchParams(inQuery.map(({ name, value }) => [name, String(value)]))
  return app.send({
    method: method as NonNullable<TestRequest['method']>,
    path: `/${pathname}${item}?${query}`,
    ...(role ? { as: role } : {}),
    ...(body ? await encoded(body.type, body.value) : {}),
  })
}

/** Returns a body in the encoding of this type, with its `Content-Type` field. */
async function encoded(type: string, value: object): Promise<Pick<TestRequest, 'form' | 'headers'>> {
  const pairs = Object.entries(value).map(([name, item]): [string, string] => [name, String(item)])
  const form = new FormData()
  for (const [name, item] of pairs) form.append(name, item)
  const encodings: Readonly<Record<string, () => string | URLSearchParams | FormData>> = {
    'application/json': () => JSON.stringify(value),
    'application/x-www-form-urlencoded': () => new URLSearchParams(pairs),
    'multipart/form-data': () => form,
  }
  const encode = encodings[type]
  if (!encode) throw new Error(`Bodies of type ${type} are not known here.`)
  const response = new Response(encode())
  const written = type === 'application/json' ? type : (response.headers.get('content-type') ?? type)
  return { form: await response.text(), headers: { 'content-type': written } }
}
