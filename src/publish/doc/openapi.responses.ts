import type { TSchema } from 'typebox'
import { componentPath, nameOf } from '../../access/http/schema.ts'
import type { OpenApiContext } from './openapi.context.ts'
import { answerExamples, type WrittenExample } from './openapi.examples.ts'

const headerSchemas = {
  'X-TEC-Total': { type: 'integer', minimum: 0 },
  'X-TEC-TotalPages': { type: 'integer', minimum: 0 },
  Allow: { type: 'string' },
  Location: { type: 'string', format: 'uri' },
} as const

export type HeaderName = keyof typeof headerSchemas

/** The headers of answers, as components. */
export function headerComponents({ say, schema }: OpenApiContext): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(headerSchemas).map(([name, form]) => [
      name,
      { description: say(`header.${name as HeaderName}`), schema: schema(form) },
    ]),
  )
}

export function headerReferences(names: readonly HeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The name under which an answer of one operation stands in the document. */
export function responseName(status: string | number, operation: string): string {
  return `${status}.${operation}`
}

export function responseReference(name: string): object {
  return { $ref: `#/components/responses/${name}` }
}

/** The answer where all went well. */
export function writeSuccess(
  status: 200 | 201,
  { answer, type = 'application/json' }: { readonly answer: TSchema; readonly type?: string },
  headers: readonly HeaderName[],
  { say }: OpenApiContext,
  examples: readonly WrittenExample[],
): object {
  return {
    description: say(`status.${status}`),
    headers: headerReferences(headers),
    content: {
      [type]: {
        schema: { $ref: componentPath(nameOf(answer)) },
        ...answerExamples(String(status), examples),
      },
    },
  }
}
