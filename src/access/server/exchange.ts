import type { Config } from '../../base/config/config.ts'
import type { Language, TextLanguage } from '../../base/languages/language.ts'
import { updateRequestTrace } from '../../base/monitoring/request.trace.ts'
import { Problem } from '../../base/problems.ts'
import { visitor } from '../auth/actor.ts'
import type { Addresses } from '../http/addresses.ts'
import { etagOf } from '../http/answers/etag.ts'
import {
  commonHeaders,
  corsHeaders,
  type Headers,
  joinHeaders,
  preflightHeaders,
  textHeaders,
  uncacheable,
} from '../http/answers/headers.ts'
import { transportHeaders } from '../http/answers/page.headers.ts'
import { enveloped, type ResponseShape, serialise } from '../http/answers/response.shape.ts'
import type { ParameterReport } from '../http/arguments/parameter.report.ts'
import type { Method } from '../http/call.ts'
import type { RateLimitedCaller } from '../http/caller.ts'
import type { NamespacePolicy } from '../http/namespace.ts'
import { versionHeader } from '../http/precondition.ts'
import type { EndpointResult } from '../http/route.ts'
import type { WireRequest, WireResponse } from '../http/wire.ts'
import type { KeyedRequest } from '../idempotency/idempotency.ts'

/** A request, and what is known about it so far. A failure is answered with what was known when it happened. */
export interface Exchange {
  readonly config: Config
  readonly request: WireRequest
  readonly policy: NamespacePolicy
  /** The path of the namespace below the prefix: `cal/service/v1`. */
  readonly namespace: string
  readonly addresses: Addresses
  /** What the answer reports about the parameters. */
  readonly parameterReport: ParameterReport
  caller: RateLimitedCaller
  /** The requested language: first from the address, then from the language parameter once that is read. */
  language: Language | undefined
  textLanguage: TextLanguage
  shape: ResponseShape
  allow: readonly Method[]
  /** The revision of the content from which the answer is made, if the answer may be cached. */
  revision?: number | undefined
  /** Returns the second of the request, if the answer depends on it. */
  readonly lastUse?: () => number | undefined
  /** Whether an answer has a validator. The response cache has those of the answers that it stores. */
  hasValidator?: (answer: EndpointResult) => boolean
  /** The idempotency key of a write, once it is read. */
  keyed?: KeyedRequest | undefined
  /** The pattern of the path, once it is known. */
  route?: string
  /** Whether a part of the body was not read. It would be parsed as the next request. */
  readonly isUnread?: () => boolean
}

/** The caller until the credentials are checked. */
export const nobody: RateLimitedCaller = { actor: visitor, lastRevision: 0, limitHeaders: {} }

export const plainShape: ResponseShape = { isEnvelope: false, isPretty: false, jsonp: undefined }

/** A complete response, made in a reader thread by the same steps. */
export interface ReaderResponse {
  readonly byReader: WireResponse
}

/** Answers a request with the result of `work`, or with the problem that it throws. */
export async function respond(
  exchange: Exchange,
  report: (error: unknown) => void,
  work: () => Promise<EndpointResult | ReaderResponse>,
): Promise<WireResponse> {
  try {
    const answer = await work()
    return 'byReader' in answer ? answer.byReader : wireResponse(exchange, answer)
  } catch (error) {
    const problem = error instanceof Problem ? error : new Problem('internal_server_error', { cause: error })
    if (problem.status >= 500 && exchange.request.isOperation) throw error
    updateRequestTrace({ problem: problem.code })
    if (problem.cause !== undefined) report(problem.cause)
    return refusal(exchange, problem)
  }
}

export function refusal(exchange: Exchange, problem: Problem): WireResponse {
  const { config, policy, textLanguage } = exchange
  const { present, type } = policy.problems
  const closing = exchange.isUnread?.() ? { Connection: 'close' } : {}
  const localized = policy.isContract ? textHeaders(config, textLanguage) : {}
  const headers = { ...closing, ...problem.headers, ...localized }
  return wireResponse(exchange, { status: problem.status, body: present(problem, textLanguage), headers }, type)
}

/** @param plainType The media type of plain JSON. */
function wireResponse(exchange: Exchange, answer: EndpointResult, plainType = exchange.policy.type): WireResponse {
  const { config, request, addresses, caller, shape, allow, revision, lastUse, route } = exchange
  const { document, version } = answer
  const headers = joinHeaders(
    commonHeaders(addresses),
    transportHeaders(config),
    corsHeaders(config, request.headers.origin),
    preflightHeaders(request.headers['access-control-request-headers']),
    isPrivate(exchange, answer) ? uncacheable : {},
    allow.length > 0 ? { Allow: allow.join(', ') } : {},
    caller.limitHeaders,
    exchange.parameterReport.headers(),
    recordHeadersOf(answer, exchange.keyed),
    answer.headers ?? {},
  )
  if (answer.status === 204 || answer.status === 304) return { status: answer.status, headers, body: '' }
  if (document && 'pieces' in document) {
    const { type, etag, pieces } = document
    return { status: answer.status, headers: { ...headers, 'Content-Type': type }, body: '', route, pieces, etag }
  }
  const shown = shape.isEnvelope && !document ? enveloped(answer, headers) : answer
  const { text, type } = document ?? serialise(shown, shape, headers['Content-Type'] ?? plainType)
  const isComplete = answer.status === 200
  const freshUntil = answer.freshUntil ?? lastUse?.() ?? Number.POSITIVE_INFINITY
  const cacheable = isComplete && revision !== undefined ? { revision, freshUntil } : undefined
  const etag = isComplete && !cacheable && exchange.hasValidator?.(answer) ? etagOf(text, version) : undefined
  const { status } = shown
  return {
    ...{ status, headers: { ...headers, 'Content-Type': type }, body: text },
    ...{ route, cacheable, version, etag },
    ...(answer.wait ? { wait: answer.wait } : {}),
  }
}

/** Contract: caches may store neither answers to users nor refusals of a request with an override or a nonce. */
function isPrivate({ request: { headers }, policy, caller }: Exchange, { status }: EndpointResult): boolean {
  const hasOwnWord = headers['x-http-method-override'] !== undefined || headers['x-wp-nonce'] !== undefined
  return caller.actor.kind === 'user' || (policy.isContract && status >= 400 && hasOwnWord)
}

/** Returns the header fields about the record of an answer, and about a write that was done before. */
function recordHeadersOf({ version }: EndpointResult, keyed?: KeyedRequest): Headers {
  return {
    ...(version === undefined ? {} : versionHeader(version)),
    ...(keyed?.isReplayed ? { 'Idempotency-Replayed': 'true' } : {}),
  }
}
