import { componentPath, schemaName } from '../../access/http/schema.ts'
import type { OpenApiKey } from '../../base/languages/catalogue.ts'
import { message } from '../../base/languages/texts.ts'
import { PROBLEMS, type ProblemCode } from '../../base/problems.ts'
import type { DocContext } from './index.present.ts'
import type { OpenApiContext } from './openapi.context.ts'
import { answerExamples, type WrittenExample } from './openapi.examples.ts'
import { headerReferences, responseName, responseReference } from './openapi.responses.ts'

/** A problem, with its status if that differs from the usual one here. */
export interface CodeAndStatus {
  readonly code: ProblemCode
  readonly status?: number
}

/** The problems of one status that an operation may answer. */
interface Failure {
  readonly status: string
  readonly codes: readonly ProblemCode[]
}

interface FailingOperation {
  readonly operation: string
  /** Its problems besides those of all operations. */
  readonly problems: readonly CodeAndStatus[]
  readonly examples: readonly WrittenExample[]
}

/** Returns references to the failures of an operation, by status. */
export function failureReferences(
  failingOperation: FailingOperation,
  openApi: OpenApiContext,
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    failuresOf(failingOperation.problems, openApi).map((failure) => [
      failure.status,
      responseReference(failureName(failure, failingOperation, openApi)),
    ]),
  )
}

/** Returns the failures as components. Operations share them, and they make up most of the document. */
export function failureComponents(
  failingOperation: FailingOperation,
  openApi: OpenApiContext,
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    failuresOf(failingOperation.problems, openApi).map((failure) => [
      failureName(failure, failingOperation, openApi),
      writeFailure(failure, openApi, failingOperation.examples),
    ]),
  )
}

function failuresOf(own: readonly CodeAndStatus[], { describing }: OpenApiContext): readonly Failure[] {
  const shared = [...describing.namespace.policy.problems.common, ...jsonpProblems(describing)]
  const problems: readonly CodeAndStatus[] = [...shared.map((code) => ({ code })), ...own]
  const byStatus = Object.groupBy(
    problems.flatMap(({ code, status }) =>
      (status ? [status] : statusesOf(code)).map((one) => ({ code, status: one })),
    ),
    ({ status }) => status,
  )
  return Object.entries(byStatus).map(([status, found = []]) => ({ status, codes: found.map(({ code }) => code) }))
}

function jsonpProblems({ deps, namespace }: DocContext): readonly ProblemCode[] {
  const isJsonp = deps.config.isJsonpAllowed && namespace.policy.document.hasSharedParameters
  return isJsonp ? ['rest_callback_invalid'] : []
}

// Contract: 401 for visitors, 403 for users.
function statusesOf(code: ProblemCode): readonly number[] {
  return code === 'rest_forbidden' ? [401, 403] : [PROBLEMS[code]]
}

/**
 * Returns the name of a failure: its status with the codes that distinguish it from other failures of that status, or
 * the name of an answer if the operation has examples of it.
 */
function failureName(
  { status, codes }: Failure,
  { operation, examples }: FailingOperation,
  { describing }: OpenApiContext,
): string {
  if (examples.some((example) => example.status === status)) return responseName(status, operation)
  const { common } = describing.namespace.policy.problems
  const isCommon = (code: ProblemCode) => common.includes(code) || code === 'rest_callback_invalid'
  return [status, ...codes.filter((code) => !isCommon(code))].join('.')
}

function writeFailure(
  { status, codes }: Failure,
  { describing, say, schemas }: OpenApiContext,
  examples: readonly WrittenExample[],
): object {
  const { problems, document } = describing.namespace.policy
  const [type = ''] = problems.type.split(';')
  // The names of the parameters depend on the request.
  const textOf = (code: ProblemCode) => message(describing.language, code, { names: '…' }).replace('….', '…')
  const meanings = codes.map((code) => `- ${say('failure.code', { code, text: textOf(code) })}`)
  return {
    description: [say(`status.${status}` as OpenApiKey), '', ...meanings].join('\n'),
    ...(document.headers.length > 0 ? { headers: headerReferences(document.headers) } : {}),
    content: {
      [type]: {
        schema: {
          allOf: [
            { $ref: componentPath(schemaName(schemas.of(problems.schema))) },
            { type: 'object', properties: { code: { type: 'string', enum: codes } } },
          ],
        },
        ...answerExamples(status, examples),
      },
    },
  }
}
