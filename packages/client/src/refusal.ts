import type { Refusal } from './errors.ts'
import { retryAfterOf } from './retry.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * Reads an error response in either format of the service: `{code, message, data}`, or problem details (RFC 9457) with
 * `code` and `errors`.
 *
 * @param body The parsed JSON, or undefined if the body is not JSON.
 */
export function readRefusal({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown): Refusal {
  const { code, message, title, data, ...others } = membersOf(body)
  const { status: _status, params, ...details } = { ...others, ...membersOf(data) }
  const text = textOf(message) ?? textOf(title) ?? `The service answered with status ${status}.`
  return {
    status,
    code: textOf(code) ?? 'unreadable-answer',
    message: text,
    faults: faultsOf(params ?? details.errors, text),
    details,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfterMs: retryAfterOf(headers.get('Retry-After'), Date.now()),
  }
}

/** The service reports invalid parameters with the fault of each, and missing ones as a list of names. */
function faultsOf(parameters: unknown, text: string): Readonly<Record<string, string>> {
  if (Array.isArray(parameters)) return Object.fromEntries(parameters.map((name) => [String(name), text]))
  return Object.fromEntries(Object.entries(membersOf(parameters)).map(([name, fault]) => [name, String(fault)]))
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
