import type { IncomingMessage } from 'node:http'
import type { Headers } from './answers/headers.ts'
import type { Wait } from './call.ts'
import type { RateLimitedCaller } from './caller.ts'
import type { Pieces } from './route.ts'

/** A request in the form in which it arrived. */
export interface WireRequest {
  readonly method: string
  /** Still percent-encoded. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer | undefined
  /** Root of the site as the client reached it: scheme and host. */
  readonly site: string
  /** The client for which the request is counted; undefined if it is not counted. */
  readonly client: string | undefined
  /** The address of the client; '' if it is not known. */
  readonly address: string
  /** The revision of the content when the request arrived, if its response may be cached. */
  readonly revision?: number | undefined
  /** The caller, if the credentials have already been checked and counted. */
  readonly caller?: RateLimitedCaller | undefined
  /** Whether it is part of a batch, which a failure of the service ends. */
  readonly isOperation?: boolean
  /** Returns true if nobody waits for the response. */
  readonly isGone?: (() => boolean) | undefined
}

export interface WireResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: string | Buffer
  /** Sent instead of the body, and made while the client reads it. */
  readonly pieces?: Pieces | undefined
  /** The address pattern of the route; absent if no route matches. */
  readonly route?: string | undefined
  /**
   * The validator of a document that is not cached, or that is sent in pieces. The response cache has the validators of
   * cached documents.
   */
  readonly etag?: string | undefined
  /** The version of the record that it shows. */
  readonly version?: number | undefined
  /** See `EndpointResult`. */
  readonly wait?: Wait | undefined
  /** How long the same response may be given to others; absent if it is for this request only. */
  readonly cacheable?: { readonly revision: number; readonly freshUntil: number } | undefined
}

/** Returns a request in the form in which it arrived, with what else is known of it. */
export function wireRequest(
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  known: Pick<WireRequest, 'site' | 'body' | 'client' | 'address'>,
): WireRequest {
  const target = request.url ?? '/'
  const question = target.indexOf('?')
  const headers: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(request.headers))
    headers[name] = Array.isArray(value) ? value.join(', ') : value
  return {
    method: request.method ?? 'GET',
    path: question < 0 ? target : target.slice(0, question),
    query: question < 0 ? '' : target.slice(question + 1),
    headers,
    ...known,
  }
}
