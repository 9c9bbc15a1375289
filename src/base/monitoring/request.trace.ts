import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Span } from '@opentelemetry/api'
import type { ProblemCode } from '../problems.ts'

/** The data reported about a request. It contains no personal data: no address with search terms, no name, no body. */
export interface RequestTrace {
  readonly id: string
  readonly method: string
  readonly beganAtMs: number
  /** The pattern of its address, such as `/cal/events/v1/events/{id}`. The number of patterns is limited. */
  route: string
  /** Undefined for visitors, and until it is known. */
  userId: number | undefined
  /** The reason of its refusal. */
  problem: ProblemCode | undefined
  /** Whether the response cache had the response; undefined if the response cannot be cached. */
  memory: 'hit' | 'miss' | undefined
  /** The number of statements and their duration, if these are recorded. */
  queries: number
  queryMs: number
  readonly span: Span | undefined
}

/** A request over a connection, its response, and its request trace. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly trace: RequestTrace
}

export const unmatchedRoute = 'unmatched'

const requests = new AsyncLocalStorage<RequestTrace>()

/** Returns the trace of the current request; undefined outside a request. */
export function currentRequestTrace(): RequestTrace | undefined {
  return requests.getStore()
}

/** Runs a function with this request trace as the current one. */
export function withRequestTrace<T>(requestTrace: RequestTrace, work: () => T): T {
  return requests.run(requestTrace, work)
}

/** Updates the trace of the current request. */
export function updateRequestTrace(
  known: Partial<Pick<RequestTrace, 'route' | 'userId' | 'problem' | 'memory'>>,
): void {
  const requestTrace = requests.getStore()
  if (requestTrace) Object.assign(requestTrace, known)
}
