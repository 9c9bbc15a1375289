import { addressesOf } from '../../access/http/addresses.ts'
import type { DocContext } from './index.present.ts'
import { openApiDocument } from './openapi.ts'

type ConsoleExamples = Readonly<Record<string, object>>

/** The part of a parameter that is read here. */
interface ConsoleParameter {
  readonly in?: string
  readonly required?: boolean
  readonly schema?: {
    readonly default?: unknown
    readonly enum?: readonly unknown[]
    readonly examples?: readonly unknown[]
  }
  readonly examples?: ConsoleExamples
}

/** The part of a body in one encoding that is read here. */
interface ConsoleBody {
  readonly schema: object
  readonly examples?: ConsoleExamples
}

/** The part of an operation that is read here. */
interface ConsoleOperation {
  readonly parameters: readonly ConsoleParameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, ConsoleBody>> }
}

/** The console's name of a request without a chosen example. */
const unchosen = 'default'

/**
 * Returns the OpenAPI document for the console, as JSON.
 *
 * @param api Path of the interface. As the URL of the server it is relative to the host from which the document was
 * loaded (OpenAPI 3.1, "Server Object").
 */
export async function consoleDocument(described: Omit<DocContext, 'addresses'>, api: string): Promise<string> {
  const addresses = addressesOf(described.deps.config, 'http://localhost', described.language)
  const { components, paths, ...others } = await openApiDocument({ ...described, addresses }, '3.1.0')
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as readonly ConsoleOperation[])
  const names = [unchosen, ...new Set(operations.flatMap(namesIn))]
  const parameters = mapped(components.parameters, (parameter) => quiet(parameter, names))
  return JSON.stringify({
    ...others,
    components: { ...components, parameters },
    servers: [{ url: api }],
    paths: mapped(paths, (item) =>
      mapped(item, (operation, method) => harmless(operation as ConsoleOperation, method)),
    ),
  })
}

/**
 * Returns the operation so that the console sends what it shows: the query contains only the values of the chosen
 * example. A write lacks the ids of the examples, because they belong to other records here.
 */
function harmless({ requestBody, ...operation }: ConsoleOperation, method: string): ConsoleOperation {
  const parameters = method === 'get' ? operation.parameters : operation.parameters.map(withoutPathExamples)
  if (!requestBody) {
    const names = [unchosen, ...namesIn({ parameters })]
    return { ...operation, parameters: parameters.map((parameter) => quiet(parameter, names)) }
  }
  // Without an example of that name the console would fill in every member of a body. So each parameter has only the
  // examples of the bodies.
  const names = namesIn({ parameters, requestBody })
  return {
    ...operation,
    parameters: parameters.map((parameter) => quiet(parameter, names)),
    requestBody: { ...requestBody, content: mapped(requestBody.content, sentWhole) },
  }
}

/**
 * For a form the console sends the required members of the schema instead of the example. It does not look into
 * `allOf`.
 */
function sentWhole(body: ConsoleBody, type: string): ConsoleBody {
  return type === 'application/json' ? body : { ...body, schema: { allOf: [body.schema] } }
}

function withoutPathExamples({ examples, ...parameter }: ConsoleParameter): ConsoleParameter {
  return parameter.in === 'path' || !examples ? parameter : { ...parameter, examples }
}

function namesIn({ parameters, requestBody }: ConsoleOperation): readonly string[] {
  const bodies = Object.values(requestBody?.content ?? {})
  return [...new Set([...bodies, ...parameters].flatMap(({ examples = {} }) => Object.keys(examples)))]
}

/** Returns the parameter with an example of each of these names, disabled if it had none. */
function quiet(parameter: ConsoleParameter, names: readonly string[]): ConsoleParameter {
  if (parameter.in !== 'query' || parameter.required) return parameter
  const { default: byDefault, enum: allowed, examples = [] } = parameter.schema ?? {}
  const value = byDefault ?? allowed?.[0] ?? examples[0]
  if (value === undefined) return parameter
  const unsent = Object.fromEntries(names.map((name) => [name, { value, 'x-disabled': true }]))
  return { ...parameter, examples: { ...unsent, ...parameter.examples } }
}

function mapped<T, R>(record: Readonly<Record<string, T>>, change: (value: T, key: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}
