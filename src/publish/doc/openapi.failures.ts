import { ProblemSchema } from '../../access/http/problem.schema.ts'
import { componentPath, nameOf } from '../../access/http/schema.ts'
import type { Config } from '../../base/config/config.ts'
import type { OpenApiKey } from '../../base/languages/en/openapi.ts'
import { message } from '../../base/languages/texts.ts'
import { PROBLEMS, type ProblemCode } from '../../base/problems.ts'
import type { OpenApiContext } from './openapi.context.ts'
import { answerExamples, type WrittenExample } from './openapi.examples.ts'
import { headerReferences, responseName, responseReference } from './openapi.responses.ts'

/** What every operation may answer, in the order in which it is checked (conventions.md §3). */
const sharedProblems: readonly ProblemCode[] = [
  'rest_invalid_json',
  'rest_invalid_param',
  'incorrect_password',
  'rest_cookie_invalid_nonce',
  'rest_request_too_large',
  'rest_too_many_requests',
  'internal_server_error',
  'service_unavailable',
]

/** The problems of one status that an operation may answer. */
interface Failure {
  readonly status: string
  readonly codes: readonly ProblemCode[]
}

/** What an operation may answer where it fails. */
interface FailingOperation {
  readonly operation: string
  /** Its problems besides those of all operations. */
  readonly problems: readonly ProblemCode[]
  readonly examples: readonly WrittenExample[]
}

/** References to the failures of an operation, by status. */
export function failureReferences(
  failingOperation: FailingOperation,
  openApi: OpenApiContext,
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    failuresOf(failingOperation.problems, openApi).map((failure) => [
      failure.status,
      responseReference(failureName(failure, failingOperation)),
    ]),
  )
}

/** The failures themselves, as components: operations share them, and they make up most of the document. */
export function failureComponents(
  failingOperation: FailingOperation,
  openApi: OpenApiContext,
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    failuresOf(failingOperation.problems, openApi).map((failure) => [
      failureName(failure, failingOperation),
      writeFailure(failure, openApi, failingOperation.examples),
    ]),
  )
}

function failuresOf(own: readonly ProblemCode[], { describing }: OpenApiContext): readonly Failure[] {
  const codes = [...sharedProblems, ...jsonpProblems(describing.deps.config), ...own]
  const byStatus = Object.groupBy(
    codes.flatMap((code) => statusesOf(code).map((status) => ({ code, status }))),
    ({ status }) => status,
  )
  return Object.entries(byStatus).map(([status, found = []]) => ({ status, codes: found.map(({ code }) => code) }))
}

function jsonpProblems({ isJsonpAllowed }: Config): readonly ProblemCode[] {
  return isJsonpAllowed ? ['rest_callback_invalid'] : []
}

// Contract: 401 for visitors, 403 for users.
function statusesOf(code: ProblemCode): readonly number[] {
  return code === 'rest_forbidden' ? [401, 403] : [PROBLEMS[code]]
}

/** The status, and the codes that set the failure apart from others of it; or whose examples it has. */
function failureName({ status, codes }: Failure, { operation, examples }: FailingOperation): string {
  if (examples.some((example) => example.status === status)) return responseName(status, operation)
  const isCommon = (code: ProblemCode) => sharedProblems.includes(code) || code === 'rest_callback_invalid'
  return [status, ...codes.filter((code) => !isCommon(code))].join('.')
}

function writeFailure(
  { status, codes }: Failure,
  { describing, say }: OpenApiContext,
  examples: readonly WrittenExample[],
): object {
  // Names of parameters are known only once a request fails.
  const textOf = (code: ProblemCode) => message(describing.language, code, { names: '…' }).replace('….', '…')
  const meanings = codes.map((code) => `- ${say('failure.code', { code, text: textOf(code) })}`)
  return {
    description: [say(`status.${status}` as OpenApiKey), '', ...meanings].join('\n'),
    headers: headerReferences(['Allow']),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: componentPath(nameOf(ProblemSchema)) },
            { type: 'object', properties: { code: { type: 'string', enum: codes } } },
          ],
        },
        ...answerExamples(status, examples),
      },
    },
  }
}
