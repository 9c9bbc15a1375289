import type { TSchema } from 'typebox'
import { componentPath, nameOf } from '../http/schema.ts'
import type { Writing } from './openapi.writing.ts'

const headerSchemas = {
  'X-TEC-Total': { type: 'integer', minimum: 0 },
  'X-TEC-TotalPages': { type: 'integer', minimum: 0 },
  Allow: { type: 'string' },
  Location: { type: 'string', format: 'uri' },
} as const

export type HeaderName = keyof typeof headerSchemas

/** The headers of answers, as components. */
export function headerComponents({ say, schema }: Writing): Readonly<Record<string, object>> {
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

/** The answer where all went well. */
export function writeSuccess(
  status: 200 | 201,
  answer: TSchema,
  headers: readonly HeaderName[],
  { say }: Writing,
): object {
  return {
    description: say(`status.${status}`),
    headers: headerReferences(headers),
    content: { 'application/json': { schema: { $ref: componentPath(nameOf(answer)) } } },
  }
}
