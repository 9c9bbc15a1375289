import type { ProblemCode } from './api.generated.ts'

/** What the client itself calls an answer that no such service gives: no JSON, or a failure without a code. */
export type ClientCode = 'unreadable-answer'

/** A code that this client knows; or that of a newer service, which is a text as well. */
export type ErrorCode = ProblemCode | ClientCode | (string & Record<never, never>)

/** What the service answered where it refused a request. */
export interface Refusal {
  readonly status: number
  readonly code: ErrorCode
  /** What the service says of it, in the language of the request. */
  readonly message: string
  /** What is wrong with each parameter, by its name. */
  readonly faults: Readonly<Record<string, string>>
  /** All that the answer says besides. */
  readonly details: Readonly<Record<string, unknown>>
  /** By which the request can be found in the log of the service. */
  readonly requestId: string | undefined
  /** How long the service wants to be left alone. */
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

/** There was no answer: no connection, one that broke, or a browser that keeps the answer from this page. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'

  constructor(cause: unknown) {
    super('The service could not be reached.', { cause })
  }
}

/** There was no answer in time. Whether the request was fulfilled is not known. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'

  constructor(timeoutMs: number) {
    super(`The service did not answer within ${timeoutMs} ms.`)
  }
}

/** Whether the service refused the request, with one of these codes where some are named. */
export function isApiError<C extends ProblemCode | ClientCode>(
  error: unknown,
  ...codes: readonly C[]
): error is ApiError & { readonly code: C } {
  if (!(error instanceof ApiError)) return false
  return codes.length === 0 || (codes as readonly string[]).includes(error.code)
}
