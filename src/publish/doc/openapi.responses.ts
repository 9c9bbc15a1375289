import { type AnswerHeader, answerHeaderSchemas } from '../../access/http/answers/answer.headers.ts'
import type { AnswerDescription } from '../../access/http/route.ts'
import { componentPath, schemaName } from '../../access/http/schema.ts'
import type { OpenApiContext } from './openapi.context.ts'
import { answerExamples, type WrittenExample } from './openapi.examples.ts'

export function headerComponents(
  { say, schema }: OpenApiContext,
  used: ReadonlySet<AnswerHeader>,
): Readonly<Record<string, object>> {
  const names = (Object.keys(answerHeaderSchemas) as AnswerHeader[]).filter((name) => used.has(name))
  return Object.fromEntries(
    names.map((name) => [name, { description: say(`header.${name}`), schema: schema(answerHeaderSchemas[name]) }]),
  )
}

export function headerReferences(names: readonly AnswerHeader[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The name of the component that describes an answer of one operation. */
export function responseName(status: string | number, operation: string): string {
  return `${status}.${operation}`
}

export function responseReference(name: string): object {
  return { $ref: `#/components/responses/${name}` }
}

interface Success extends Omit<AnswerDescription, 'status' | 'headers'> {
  readonly status: 200 | 201 | 204
  readonly headers: readonly AnswerHeader[]
  readonly examples: readonly WrittenExample[]
}

export function writeSuccess(
  { status, schema, type = 'application/json', headers, examples }: Success,
  { say, schemas }: OpenApiContext,
): object {
  return {
    description: say(`status.${status}`),
    ...(headers.length > 0 ? { headers: headerReferences(headers) } : {}),
    ...(schema
      ? {
          content: {
            [type]: {
              schema: { $ref: componentPath(schemaName(schemas.of(schema))) },
              ...answerExamples(String(status), examples),
            },
          },
        }
      : {}),
  }
}
