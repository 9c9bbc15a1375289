import type { IncomingMessage } from 'node:http'
import type { Headers } from './headers.ts'
import type { Pieces } from './route.ts'

/** A request as it came over the wire. */
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
  /** What the client is counted by; undefined where it is not. */
  readonly client: string | undefined
  /** Of the client; '' where nobody knows. */
  readonly address: string
  /** The state of the content when the request came, where its answer may be kept. */
  readonly revision?: number | undefined
}

export interface WireResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  /** What is sent instead of the body: it is made while it is read. */
  readonly pieces?: Pieces | undefined
  /** The pattern of the address that it answers; absent where there is none such. */
  readonly route?: string | undefined
  /** The validator of a document that is not kept, or in pieces: of one that is kept, the memory knows it. */
  readonly etag?: string | undefined
  /** For how long the same answer may be given to others; absent where it is for this request only. */
  readonly kept?: { readonly revision: number; readonly freshUntil: number } | undefined
}

/** A request as it came, with what is known of it besides. */
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
