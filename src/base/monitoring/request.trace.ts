import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Span } from '@opentelemetry/api'
import type { ProblemCode } from '../problems.ts'

/**
 * What is told of a request to those who look after the service. Nothing in it is personal: no address with what was
 * searched for, no name, no body.
 */
export interface RequestTrace {
  readonly id: string
  readonly method: string
  readonly beganAtMs: number
  /** The pattern of its address, such as `/cal/events/v1/events/{id}`: there are only so many. */
  route: string
  /** Undefined for visitors, and until it is known. */
  userId: number | undefined
  /** Why it was refused. */
  problem: ProblemCode | undefined
  /** Whether the response cache had the answer; undefined where no answer is cached. */
  memory: 'hit' | 'miss' | undefined
  /** Statements to the database, and their time, where somebody wants to know. */
  queries: number
  queryMs: number
  /** Where it is traced. */
  readonly span: Span | undefined
}

/** A request that came over a connection, its answer, and its trace. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly trace: RequestTrace
}

/** That of requests which no route took. */
export const unmatchedRoute = 'unmatched'

const requests = new AsyncLocalStorage<RequestTrace>()

/** The request that is being worked on; undefined outside of all. */
export function currentRequestTrace(): RequestTrace | undefined {
  return requests.getStore()
}

/** Works on this request: what is noted meanwhile is of it. */
export function withRequestTrace<T>(requestTrace: RequestTrace, work: () => T): T {
  return requests.run(requestTrace, work)
}

/** Notes what has become known of the request that is being worked on. */
export function updateRequestTrace(
  known: Partial<Pick<RequestTrace, 'route' | 'userId' | 'problem' | 'memory'>>,
): void {
  const requestTrace = requests.getStore()
  if (requestTrace) Object.assign(requestTrace, known)
}
