import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../base/config/config.ts'
import { clientAddress, clientKey } from '../../base/limits/client.ts'
import { updateRequestTrace } from '../../base/monitoring/request.trace.ts'
import {
  matchedForm,
  responseCodingsOf,
  setContentEncoding,
  withVaryByEncoding,
} from '../http/answers/content.coding.ts'
import { joinHeaders } from '../http/answers/headers.ts'
import type { CachedResponse } from '../http/answers/response.store.ts'
import { unsharedHeaders } from '../http/answers/shared.cache.ts'
import type { Pieces } from '../http/route.ts'
import { siteOfRequest } from '../http/site.ts'
import { type WireRequest, type WireResponse, wireRequest } from '../http/wire.ts'
import { dispatch } from './dispatch.ts'
import type { CacheLookup } from './response.cache.ts'
import type { SentForm } from './response.forms.ts'
import { createResponseStream } from './response.stream.ts'
import type { ServerParts } from './server.parts.ts'

/** A request of the framework and its reply. */
export interface FrameworkExchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Answers a request of the interface or of the pages, with any path, method and body. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export function createHandler(parts: ServerParts): Handler {
  const { deps, cache } = parts
  return async (request, reply) => {
    const found = await cache.lookup(request.raw)
    const { key } = found
    const sendCached = async (response: CachedResponse) => {
      const form = await cache.selectForm({ key, response }, request.raw)
      return sendForm(reply, response.route, {
        ...form,
        headers: form.headers.concat(cache.tellSharing(response, request.raw)),
      })
    }
    if (found.response) return sendCached(found.response)
    const made = await deps.limits.inFlight.run(() =>
      cache.coalesce({ ...found, request: request.raw }, () => makeResponse(parts, found, { request, reply })),
    )
    return made.cached ? sendCached(made.cached) : sendResponse(parts, made.response, { request, reply })
  }
}

/** Converts a request of the framework to a request of the interface. */
export function wireRequestOf(config: Config, request: FastifyRequest, site?: string): WireRequest {
  return wireRequest(request.raw, {
    site: site ?? siteOfRequest(config, request),
    client: clientKey(config, request.raw),
    address: clientAddress(config, request.raw),
    body: Buffer.isBuffer(request.body) ? request.body : undefined,
  })
}

/** Lets the pages or the interface make the response. */
async function makeResponse(
  parts: ServerParts,
  { key, revision }: Pick<CacheLookup, 'key' | 'revision'>,
  { request, reply }: FrameworkExchange,
): Promise<WireResponse> {
  const { deps, api } = parts
  const { method, ...others } = wireRequestOf(deps.config, request, parts.findSite(request.raw))
  // The cached response to HEAD also answers GET, so it is made as for GET.
  const asked = { ...others, method: key === undefined ? method : 'GET', revision, isGone: () => reply.raw.destroyed }
  return (await api.pages?.(deps, asked)) ?? (await withVary(parts, asked, await dispatch(deps, api, asked)))
}

/** Adds `Vary` to a response of the interface if a page could answer the same address. */
async function withVary(
  { deps: { config }, api }: ServerParts,
  asked: WireRequest,
  answer: WireResponse,
): Promise<WireResponse> {
  if ((await api.variesByAccept?.(config, asked)) !== true) return answer
  return { ...answer, headers: joinHeaders(answer.headers, { Vary: 'Accept' }) }
}

/** Sends a cached response through the framework. */
function sendForm(reply: FastifyReply, route: string, { headers, body }: SentForm): FastifyReply {
  updateRequestTrace({ route })
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1])
  return body === undefined ? reply.status(304).send() : reply.status(200).send(body)
}

/** Sends a response to this request only. */
function sendResponse(parts: ServerParts, response: WireResponse, { request, reply }: FrameworkExchange): FastifyReply {
  const { config } = parts.deps
  const { pieces, etag, route } = response
  if (route !== undefined) updateRequestTrace({ route })
  if (pieces && etag !== undefined) {
    if (knownEtag(config, response, request) === undefined)
      return sendPieces(parts, { ...response, etag, pieces }, { request, reply })
    void pieces[Symbol.asyncIterator]().return?.()
  }
  return sendWhole(config, response, { request, reply })
}

/** Sends a response as a whole, or says that the client has it already. */
export function sendWhole(config: Config, response: WireResponse, { request, reply }: FrameworkExchange): FastifyReply {
  const { status, body, etag } = response
  const headers = unsharedHeaders(config, response.headers)
  const known = knownEtag(config, response, request)
  if (known === undefined) {
    return reply
      .status(status)
      .headers(etag === undefined ? headers : { ...headers, ETag: etag })
      .send(status === 204 || status === 304 ? undefined : body)
  }
  return reply
    .headers({ ...headers, ETag: known })
    .removeHeader('Content-Type')
    .status(304)
    .send()
}

/** Returns the validator of a response that the client has already. */
function knownEtag(config: Config, { etag, headers }: WireResponse, request: FastifyRequest): string | undefined {
  const lastModified = headers['Last-Modified']
  return etag && matchedForm({ etag, lastModified }, responseCodingsOf(config, request.raw), request.headers)
}

/** Sends a response in pieces, which are made while the client reads it. */
function sendPieces(
  { deps: { config, limits }, api, unread, coder, clientNetwork }: ServerParts,
  { status, headers, etag, pieces }: WireResponse & { readonly etag: string; readonly pieces: Pieces },
  { request, reply }: FrameworkExchange,
): FastifyReply {
  const { best, isCodable } = responseCodingsOf(config, request.raw)
  const isHead = request.method === 'HEAD'
  const sending = {
    streams: limits.streams,
    client: clientNetwork(request.raw),
    onPiece: (octets: number) => unread.makeRoom(reply.raw, octets),
    report: api.report,
    encoder: best && !isHead ? coder?.pieces(best) : undefined,
  }
  // Precedes the headers: if no slot is free, none of them applies to the refusal.
  const stream = isHead ? undefined : createResponseStream(pieces, reply.raw, sending)
  if (isHead) void pieces[Symbol.asyncIterator]().return?.()
  const coded = isCodable ? withVaryByEncoding(headers) : headers
  reply.headers({ ...unsharedHeaders(config, coded), ETag: etag })
  if (best && (sending.encoder || isHead)) setContentEncoding(reply, best)
  return reply.status(status).send(stream)
}
