import { fail } from '../../../base/problems.ts'
import type { RawParameters } from '../arguments/argument.ts'
import type { EndpointResult } from '../route.ts'
import type { Headers } from './headers.ts'

/** The parameters of every route that format the response and do not select its content (conventions.md §6). */
export interface ResponseShape {
  readonly isEnvelope: boolean
  readonly isPretty: boolean
  /** The name of the function around a JSONP response. */
  readonly jsonp: string | undefined
}

const keptBlanks = 4

/**
 * Keeps these keys of a response: `a` at the top level, `a.b` inside objects, but not inside the members of a list.
 * Contract: if no key remains, the response is an empty list.
 */
export function keepFields(body: object, fields: readonly string[]): object {
  if (Array.isArray(body)) return []
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(body)) {
    if (fields.includes(key)) {
      kept[key] = value
      continue
    }
    const inner = fields.flatMap((field) => (field.startsWith(`${key}.`) ? [field.slice(key.length + 1)] : []))
    if (inner.length === 0 || value === null || typeof value !== 'object') continue
    kept[key] = keepFields(value, inner)
  }
  return Object.keys(kept).length > 0 ? kept : []
}

/**
 * Returns the response as text, with its media type.
 *
 * @param type That of plain JSON.
 */
export function serialise(
  answer: EndpointResult,
  shape: ResponseShape,
  type = 'application/json; charset=UTF-8',
): { readonly text: string; readonly type: string } {
  const text = JSON.stringify(answer.body, undefined, shape.isPretty ? keptBlanks : undefined)
  return shape.jsonp === undefined
    ? { text, type }
    : { text: `/**/${shape.jsonp}(${text})`, type: 'application/javascript; charset=UTF-8' }
}

/**
 * Reads the shape from the query.
 *
 * @throws rest_callback_invalid
 */
export function readShape(query: RawParameters, isJsonpAllowed: boolean): ResponseShape {
  const name = isJsonpAllowed ? query._jsonp : undefined
  if (name !== undefined && (typeof name !== 'string' || !/^[\w.]+$/.test(name))) fail('rest_callback_invalid')
  return {
    isEnvelope: query._envelope !== undefined,
    isPretty: query._pretty !== undefined,
    jsonp: name as string | undefined,
  }
}

/** Returns the response within an envelope: always 200, with the original status and headers in its body. */
export function enveloped(answer: EndpointResult, headers: Headers): EndpointResult {
  const shown = Object.entries(headers).flatMap(([name, value]) =>
    /^(Allow|Location|X-(Ignored|Adjusted)-Parameters)$/.test(name)
      ? [[name, value]]
      : /^X-TEC-Total/.test(name)
        ? [[name, Number(value)]]
        : [],
  )
  return {
    status: 200,
    body: {
      body: answer.body,
      status: answer.status,
      headers: shown.length > 0 ? Object.fromEntries(shown) : [],
    },
  }
}
