import { languageWords } from '../../access/http/addresses.ts'
import type { Arguments } from '../../access/http/argument.ts'
import { translationArgument } from '../../access/http/language.argument.ts'
import type { Endpoint, Method, Route } from '../../access/http/route.ts'
import type { OpenApiKey } from '../../base/languages/en/openapi.ts'
import type { ProblemCode } from '../../base/problems.ts'
import { writeBody, writeInput } from './openapi.bodies.ts'
import type { OpenApiContext } from './openapi.context.ts'
import { writeExamples } from './openapi.examples.ts'
import { failureComponents, failureReferences } from './openapi.failures.ts'
import { contextArgument, globalReferences, writeParameters } from './openapi.parameters.ts'
import { type ActionDescription, type ActionName, RESOURCES } from './openapi.resources.ts'
import { type HeaderName, responseName, responseReference, writeSuccess } from './openapi.responses.ts'
import type { Schema } from './openapi.schema.ts'

/** The operations of a route, by method. */
export function writeOperations(route: Route, openApi: OpenApiContext): Readonly<Record<string, object>> {
  return Object.fromEntries(
    route.endpoints.flatMap((endpoint) =>
      endpoint.methods.map((method) => [method.toLowerCase(), writeOperation(route, endpoint, method, openApi)]),
    ),
  )
}

/** The forms of the bodies that a route takes, by name. */
export function writeInputs(route: Route, openApi: OpenApiContext): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    route.endpoints
      .filter(hasBody)
      .map((endpoint) => [
        inputName(endpoint),
        writeInput(bodyArguments(endpoint, openApi), openApi, { isNew: actionNameOf(route, endpoint) === 'create' }),
      ]),
  )
}

/** The answers of a route, by name: the methods of an endpoint share them. */
export function writeResponses(route: Route, openApi: OpenApiContext): Readonly<Record<string, object>> {
  const responses = route.endpoints.map((endpoint) => {
    const answering = describeResponses(route, endpoint, openApi)
    const { operation, status, examples } = answering
    return {
      [responseName(status, operation)]: writeSuccess(
        status,
        actionDescriptionOf(route, endpoint),
        headersOf(route, endpoint),
        openApi,
        examples,
      ),
      ...failureComponents(answering, openApi),
    }
  })
  return Object.assign({}, ...responses)
}

function writeOperation(route: Route, endpoint: Endpoint, method: Method, openApi: OpenApiContext): object {
  const { say } = openApi
  const action = actionDescriptionOf(route, endpoint)
  const answering = describeResponses(route, endpoint, openApi)
  const { operation, status, examples } = answering
  const inQuery = hasBody(endpoint) ? {} : endpoint.args
  return {
    operationId: operationId(endpoint, method),
    tags: [say(`tag.${route.tag}` as OpenApiKey)],
    summary: say(action.summary),
    ...(route.isExtension ? { 'x-extension': true } : {}),
    ...(action.about ? { description: say(action.about) } : {}),
    parameters: [
      ...writeParameters(endpoint.path, 'path', openApi, examples),
      ...writeParameters({ ...inQuery, ...(action.hasContext ? contextArgument : {}) }, 'query', openApi, examples),
      ...globalReferences(openApi, examples),
    ],
    ...(hasBody(endpoint)
      ? {
          requestBody: writeBody(inputName(endpoint), bodyArguments(endpoint, openApi), {
            isRequired: status === 201,
            examples,
          }),
        }
      : {}),
    responses: {
      [status]: responseReference(responseName(status, operation)),
      ...failureReferences(answering, openApi),
    },
    // Reading is open to all, but whoever signs in sees more.
    security: [...(method === 'GET' ? [{}] : []), { basic: [] }, { bearer: [] }],
  }
}

/** Unique: where an endpoint has several methods, all but PATCH are named after theirs. */
function operationId({ methods, operation }: Endpoint, method: Method): string {
  if (methods.length === 1 || method === 'PATCH') return operation
  return `${operation}With${method.charAt(0)}${method.slice(1).toLowerCase()}`
}

function inputName({ operation }: Endpoint): string {
  return `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Input`
}

/** What a write takes: its own arguments, and what it translates. */
function bodyArguments({ args, translationOf }: Endpoint, { describing }: OpenApiContext): Arguments {
  if (!translationOf) return args
  return { ...args, [languageWords(describing.addresses).translationOf]: translationArgument(translationOf) }
}

function hasBody({ methods }: Endpoint): boolean {
  return methods.includes('POST')
}

function actionDescriptionOf(route: Route, endpoint: Endpoint): ActionDescription {
  const [, resource = ''] = route.path.split('/')
  const actionName = actionNameOf(route, endpoint)
  const key = route.path.includes('{slug}') ? (`${actionName}.slug` as const) : actionName
  const action = RESOURCES[resource]?.[key]
  if (!action) throw new Error(`The operation “${endpoint.operation}” is not described.`)
  return action
}

function actionNameOf({ path, endpoints }: Route, { methods }: Endpoint): ActionName {
  if (methods.includes('DELETE')) return 'remove'
  const isItem = path.includes('{')
  if (methods.includes('POST')) return isItem ? 'change' : 'create'
  return isItem || endpoints.length === 1 ? 'get' : 'list'
}

/** What an endpoint answers: its status where all goes well, its problems, and examples of both. */
function describeResponses(route: Route, endpoint: Endpoint, { describing }: OpenApiContext) {
  const { operation } = endpoint
  const status = actionNameOf(route, endpoint) === 'create' ? 201 : 200
  const problems = problemsOf(route, endpoint)
  return { operation, status, problems, examples: writeExamples(operation, status, describing) } as const
}

function headersOf(route: Route, endpoint: Endpoint): readonly HeaderName[] {
  const { isPaged, hasLocation } = actionDescriptionOf(route, endpoint)
  if (isPaged || actionNameOf(route, endpoint) === 'list') return ['Allow', 'X-TEC-Total', 'X-TEC-TotalPages']
  return hasLocation ? ['Allow', 'Location'] : ['Allow']
}

/** What an operation may answer besides the problems that all operations share. */
function problemsOf(route: Route, endpoint: Endpoint): readonly ProblemCode[] {
  const isSomeRequired = Object.values(endpoint.args).some(({ isRequired }) => isRequired)
  const { problems } = actionDescriptionOf(route, endpoint)
  return [
    ...(isSomeRequired ? (['rest_missing_callback_param'] as const) : []),
    ...problems,
    ...(endpoint.translationOf ? (['ml_translation_exists'] as const) : []),
  ]
}
