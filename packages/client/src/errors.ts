import type { ProblemCode } from './api.generated.ts'

/** The client's own code for a response that no such service gives: not JSON, or an error without a code. */
export type ClientCode = 'unreadable-answer'

/** A code that this client knows, or any text, because a newer service may have other codes. */
export type ErrorCode = ProblemCode | ClientCode | (string & Record<never, never>)

/** An error response of the service. */
export interface Refusal {
  readonly status: number
  readonly code: ErrorCode
  /** The message of the service, in the language of the request. */
  readonly message: string
  /** The fault of each parameter, by name. */
  readonly faults: Readonly<Record<string, string>>
  /** All further properties of the response. */
  readonly details: Readonly<Record<string, unknown>>
  /** The id of the request in the log of the service. */
  readonly requestId: string | undefined
  /** The time to wait before the next request, as requested by the service. */
  readonly retryAfterMs: number | undefined
}

/** The service refused the request, or could not fulfil it. */
export class ApiError extends Error implements Refusal {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode
  readonly faults: Refusal['faults']
  readonly details: Refusal['details']
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.status = refusal.status
    this.code = refusal.code
    this.faults = refusal.faults
    this.details = refusal.details
    this.requestId = refusal.requestId
    this.retryAfterMs = refusal.retryAfterMs
  }
}

/**
 * There was no response: the connection failed or was interrupted, or a browser withheld the response from this page.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'

  constructor(cause: unknown) {
    super('The service could not be reached.', { cause })
  }
}

/** There was no response in time. It is not known whether the request was fulfilled. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'

  constructor(timeoutMs: number) {
    super(`The service did not answer within ${timeoutMs} ms.`)
  }
}

/** Returns true if the service refused the request, with one of these codes if any are given. */
export function isApiError<C extends ProblemCode | ClientCode>(
  error: unknown,
  ...codes: readonly C[]
): error is ApiError & { readonly code: C } {
  if (!(error instanceof ApiError)) return false
  return codes.length === 0 || (codes as readonly string[]).includes(error.code)
}
