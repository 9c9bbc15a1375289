import { fail } from '../../base/problems.ts'
import type { Sent } from './argument.ts'
import type { Headers } from './headers.ts'
import type { Answer } from './route.ts'

/** The parameters that every route takes and that shape the answer instead of choosing it (conventions.md §6). */
export interface Shape {
  readonly isEnvelope: boolean
  readonly isPretty: boolean
  /** Name of the function around a JSONP answer. */
  readonly jsonp: string | undefined
}

const keptBlanks = 4

/**
 * Keeps these keys of an answer: `a` at the top, `a.b` inside objects, but not inside the members of a list.
 * Contract: where nothing is left, the answer is an empty list.
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

/** The answer as text, with its type. */
export function serialise(answer: Answer, shape: Shape): { readonly text: string; readonly type: string } {
  const text = JSON.stringify(answer.body, undefined, shape.isPretty ? keptBlanks : undefined)
  return shape.jsonp === undefined
    ? { text, type: 'application/json; charset=UTF-8' }
    : { text: `/**/${shape.jsonp}(${text})`, type: 'application/javascript; charset=UTF-8' }
}

/**
 * Reads the shape out of the query.
 *
 * @throws rest_callback_invalid
 */
export function readShape(query: Sent, isJsonpAllowed: boolean): Shape {
  const name = isJsonpAllowed ? query._jsonp : undefined
  if (name !== undefined && (typeof name !== 'string' || !/^[\w.]+$/.test(name))) fail('rest_callback_invalid')
  return {
    isEnvelope: query._envelope !== undefined,
    isPretty: query._pretty !== undefined,
    jsonp: name as string | undefined,
  }
}

/** The answer within an envelope: always 200, with what would have been its status and headers. */
export function enveloped(answer: Answer, headers: Headers): Answer {
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
