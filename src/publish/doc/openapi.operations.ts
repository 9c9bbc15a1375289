import { type Actor, type UserId, visitor } from '../../access/auth/actor.ts'
import { languageParameterNames } from '../../access/http/addresses.ts'
import type { AnswerHeader } from '../../access/http/answers/answer.headers.ts'
import type { Arguments } from '../../access/http/arguments/argument.ts'
import { translationArgument } from '../../access/http/arguments/language.argument.ts'
import type { Method } from '../../access/http/call.ts'
import { dryRunName } from '../../access/http/dry.run.ts'
import type { NamespacePolicy } from '../../access/http/namespace.ts'
import {
  type Endpoint,
  isReadFromQuery,
  isWrite,
  openToAll,
  type Route,
  takesIdempotencyKey,
} from '../../access/http/route.ts'
import { componentPath } from '../../access/http/schema.ts'
import type { OpenApiKey } from '../../base/languages/catalogue.ts'
import type { OpenApiContext } from './openapi.context.ts'
import { bodyExamples, type WrittenExample, writeExamples } from './openapi.examples.ts'
import { type CodeAndStatus, failureComponents, failureReferences } from './openapi.failures.ts'
import {
  contextArgument,
  globalReferences,
  idempotencyKey,
  ifMatch,
  meaningText,
  parameterReference,
  schemaOf,
  takesDryRun,
  writeParameters,
} from './openapi.parameters.ts'
import { responseName, responseReference, writeSuccess } from './openapi.responses.ts'
import type { Schema } from './openapi.schema.ts'

/** The operations of a route, by method. */
export function writeOperations(route: Route, openApi: OpenApiContext): Readonly<Record<string, object>> {
  return Object.fromEntries(
    route.endpoints.flatMap((endpoint) =>
      endpoint.methods.map((method: Method) => [
        method.toLowerCase(),
        writeOperation(route, { endpoint, method }, openApi),
      ]),
    ),
  )
}

/** The request bodies of a route, by name. */
export function writeInputs(route: Route, openApi: OpenApiContext): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    route.endpoints
      .filter(hasBody)
      .map((endpoint) => [
        inputName(endpoint),
        writeInput(bodyArguments(endpoint, openApi), openApi, { isNew: statusOf(endpoint) === 201 }),
      ]),
  )
}

/** The answers of a route, by name: the methods of an endpoint share them. */
export function writeResponses(route: Route, openApi: OpenApiContext): Readonly<Record<string, object>> {
  const responses = route.endpoints.map((endpoint) => {
    const answering = describeResponses(route, endpoint, openApi)
    const { operation, status, examples } = answering
    const success = { ...endpoint.answer, status, headers: headersOf(endpoint, openApi), examples }
    return {
      [responseName(status, operation)]: writeSuccess(success, openApi),
      ...Object.fromEntries(
        othersOf(endpoint).map((other) => [responseName(other, operation), writeOther(endpoint, other, openApi)]),
      ),
      ...failureComponents(answering, openApi),
    }
  })
  return Object.assign({}, ...responses)
}

/** Names of the headers of a route's answers. */
export function headersOf({ answer }: Endpoint, { describing }: OpenApiContext): readonly AnswerHeader[] {
  return [...describing.namespace.policy.document.headers, ...(answer.headers ?? [])]
}

function writeOperation(
  route: Route,
  { endpoint, method }: { readonly endpoint: Endpoint; readonly method: Method },
  openApi: OpenApiContext,
): object {
  const { say } = openApi
  const { tag, isExtension } = route
  const { summary, about, args, path, readsContext } = endpoint
  const answering = describeResponses(route, endpoint, openApi)
  const { operation, status, examples } = answering
  const inQuery = isReadFromQuery(endpoint) ? args : {}
  return {
    operationId: operationId(endpoint, method),
    tags: [say(`tag.${tag}` as OpenApiKey)],
    summary: say(summary),
    ...(isExtension ? { 'x-extension': true } : {}),
    ...(about ? { description: say(about) } : {}),
    parameters: [
      ...writeParameters(path, 'path', { openApi, examples }),
      ...writeParameters({ ...inQuery, ...(readsContext ? contextArgument : {}) }, 'query', { openApi, examples }),
      ...globalReferences(endpoint, openApi, examples),
      ...(isGuarded(route, endpoint) ? [parameterReference(ifMatch)] : []),
      ...(takesDryRun(endpoint, policyOf(openApi)) ? [parameterReference(dryRunName)] : []),
      ...(takesIdempotencyKey(endpoint) ? [parameterReference(idempotencyKey)] : []),
    ],
    ...(endpoint.bodyType
      ? { requestBody: { required: true, content: { [endpoint.bodyType]: { schema: { type: 'string' } } } } }
      : {}),
    ...(hasBody(endpoint)
      ? {
          requestBody: writeBody(inputName(endpoint), bodyArguments(endpoint, openApi), {
            isRequired: status === 201 || hasRequired(endpoint),
            types: endpoint.isUpload ? ['multipart/form-data'] : policyOf(openApi).document.bodyTypes,
            examples,
          }),
        }
      : {}),
    responses: {
      [status]: responseReference(responseName(status, operation)),
      ...Object.fromEntries(
        othersOf(endpoint).map((other) => [other, responseReference(responseName(other, operation))]),
      ),
      ...failureReferences(answering, openApi),
    },
    // An operation that is open to all may still show more to signed-in users.
    security: [
      ...(endpoint.isOpenTo(visitor, undefined) ? [{}] : []),
      { basic: [] },
      { bearer: [] },
      ...(policyOf(openApi).document.hasSessions ? [{ session: [], csrf: [] }] : []),
    ],
  }
}

function policyOf({ describing }: OpenApiContext): NamespacePolicy {
  return describing.namespace.policy
}

/** Unique: if an endpoint has several methods, the name of each except PATCH contains the method. */
function operationId({ methods, operation }: Endpoint, method: Method): string {
  if (methods.length === 1 || method === 'PATCH') return operation
  return `${operation}With${method.charAt(0)}${method.slice(1).toLowerCase()}`
}

function inputName({ operation }: Endpoint): string {
  return `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Input`
}

/** The parameters of a write: its own arguments, and the record that it translates. */
function bodyArguments({ args, translationOf }: Endpoint, { describing }: OpenApiContext): Arguments {
  if (!translationOf) return args
  return { ...args, [languageParameterNames(describing.addresses).translationOf]: translationArgument(translationOf) }
}

function hasBody(endpoint: Endpoint): boolean {
  return !isReadFromQuery(endpoint) && Object.keys(endpoint.args).length > 0
}

function hasRequired({ args }: Endpoint): boolean {
  return Object.values(args).some(({ isRequired }) => isRequired)
}

function statusOf({ answer }: Endpoint): 200 | 201 | 204 {
  return answer.status ?? 200
}

function othersOf({ answer }: Endpoint): readonly (201 | 204)[] {
  return answer.others ?? []
}

/** Writes the answer with another status of success: the same, or nothing. */
function writeOther(endpoint: Endpoint, status: 201 | 204, openApi: OpenApiContext): object {
  const { operation, answer } = endpoint
  const examples = writeExamples(operation, status, openApi.describing)
  if (status === 204) return writeSuccess({ status, headers: [], examples }, openApi)
  return writeSuccess({ ...answer, status, headers: headersOf(endpoint, openApi), examples }, openApi)
}

/** Whether an endpoint changes a record with validators, and accepts preconditions. */
function isGuarded({ validators }: Route, { methods }: Endpoint): boolean {
  return validators !== undefined && !methods.includes('GET')
}

const preconditionProblems: readonly CodeAndStatus[] = [
  { code: 'precondition-failed' },
  { code: 'precondition-required' },
]

const scopeProblems: readonly CodeAndStatus[] = [{ code: 'beyond-key-scope' }]

/** Of writes that users may do who may not publish. */
const quotaProblems: readonly CodeAndStatus[] = [{ code: 'quota-exceeded' }]
const contributor: Actor = { kind: 'user', id: 0 as UserId, role: 'contributor' }

const keyProblems: readonly CodeAndStatus[] = [{ code: 'idempotency-key-invalid' }, { code: 'idempotency-key-reused' }]

/** The answers of an endpoint: its status on success, its problems, and examples of both. */
function describeResponses(route: Route, endpoint: Endpoint, openApi: OpenApiContext) {
  const { operation } = endpoint
  const status = statusOf(endpoint)
  const problems = [
    ...problemsOf(endpoint, policyOf(openApi)),
    ...(isGuarded(route, endpoint) ? preconditionProblems : []),
    ...(takesIdempotencyKey(endpoint) ? keyProblems : []),
    ...(isWrite(endpoint) && endpoint.isOpenTo !== openToAll ? scopeProblems : []),
    ...(isWrite(endpoint) && endpoint.isOpenTo(contributor, undefined) ? quotaProblems : []),
  ]
  return { operation, status, problems, examples: writeExamples(operation, status, openApi.describing) } as const
}

/** The problems of an operation, besides those that all operations of its namespace share. */
function problemsOf(endpoint: Endpoint, { document }: NamespacePolicy): readonly CodeAndStatus[] {
  const isJsonOnly = document.bodyTypes.length === 1 && hasBody(endpoint) && !endpoint.isUpload
  return [
    ...(hasRequired(endpoint) ? [{ code: 'rest_missing_callback_param' } as const] : []),
    ...endpoint.problems.map((code) => ({ code })),
    ...(endpoint.translationOf ? [{ code: 'ml_translation_exists' } as const] : []),
    ...(isJsonOnly
      ? ([
          { code: 'rest_invalid_json' },
          { code: 'rest_request_too_large' },
          { code: 'rest_invalid_param', status: 415 },
        ] as const)
      : []),
  ]
}

/**
 * Returns the arguments of a write as the schema of its body. Defaults apply to creation only: a change may omit
 * unchanged values.
 */
function writeInput(args: Arguments, openApi: OpenApiContext, { isNew }: { readonly isNew: boolean }): Schema {
  // An argument that some requests may omit is not required in the schema.
  const required = Object.keys(args).filter((name) => args[name]?.isRequired && !args[name]?.isWaived)
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(args).map(([name, argument]) => [
        name,
        {
          ...schemaOf(argument, openApi, { hasDefault: isNew }),
          description: meaningText(argument, openApi),
          ...(argument.isExtension ? { 'x-extension': true } : {}),
        },
      ]),
    ),
    ...(required.length > 0 ? { required } : {}),
  }
}

/** Returns a body with this schema, in each of these encodings (conventions.md §2). */
function writeBody(
  input: string,
  args: Arguments,
  {
    isRequired,
    types,
    examples,
  }: {
    readonly isRequired: boolean
    readonly types: readonly string[]
    readonly examples: readonly WrittenExample[]
  },
): object {
  const schema = { $ref: componentPath(input) }
  const lists = Object.keys(args).filter((name) => args[name]?.items)
  const encoding = Object.fromEntries(lists.map((name) => [name, { style: 'form', explode: false }]))
  const write = (type: string) => ({
    schema,
    ...(type === 'application/x-www-form-urlencoded' && lists.length > 0 ? { encoding } : {}),
    ...bodyExamples(type, examples),
  })
  return { required: isRequired, content: Object.fromEntries(types.map((type) => [type, write(type)])) }
}
