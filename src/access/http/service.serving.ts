import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { TextLanguage } from '../../base/languages/language.ts'
import { clientAddress, clientKey } from '../../base/limits/client.ts'
import { updateRequestTrace } from '../../base/monitoring/request.trace.ts'
import { fail, Problem } from '../../base/problems.ts'
import { credentialsOf } from '../auth/request.credentials.ts'
import type { Deps } from '../deps.ts'
import { addressesOf } from './addresses.ts'
import type { RawParameters } from './argument.ts'
import { callerOf, depsForRequest, type RateLimitedCaller } from './caller.ts'
import { matchedEtag, responseCodingsOf } from './content.coding.ts'
import { etagOf } from './etag.ts'
import { commonHeaders, corsHeaders, preflightHeaders, uncacheable } from './headers.ts'
import type { Namespace } from './namespace.ts'
import { markPaced } from './paced.body.ts'
import { transportHeaders } from './page.headers.ts'
import { isShortRead } from './read.cost.ts'
import { recordHeadersOf } from './record.headers.ts'
import { pathPrefixesOf } from './request.location.ts'
import { isWrite, type StreamedDocument } from './route.ts'
import { callService, type ServiceAnswer, type ServiceBody } from './service.call.ts'
import { jsonType, type ServiceRead } from './service.read.ts'
import { readPath, readUpload, sentParameters } from './service.reading.ts'
import type { ServiceEndpoint, ServiceRequest, ServiceRoute, Wait } from './service.ts'
import { answerAfterWaits } from './service.waiting.ts'
import { siteOfRequest } from './site.ts'
import { type WireRequest, type WireResponse, wireRequest } from './wire.ts'

/**
 * Answers a read in a reader thread.
 *
 * @returns Undefined if no thread can be started, so that the main thread must answer.
 * @throws service_unavailable, query-too-dear
 */
type AnswerByReader = (request: WireRequest, read: ServiceRead) => Promise<WireResponse | undefined>

/** What a namespace is served with. */
interface Serving {
  readonly deps: Deps
  readonly byReader: AnswerByReader | undefined
  /** Aborted when the service stops: requests that wait are then answered. */
  readonly stopping: AbortSignal
}

/** What one variant of a namespace is served with. */
interface Variant extends Serving {
  readonly namespace: Namespace<ServiceRoute>
  readonly textLanguage: TextLanguage
}

/** Status of the framework's error for an invalid content type, such as `;` (RFC 9110, 15.5.16). */
const unreadableType = 415

/**
 * Serves a namespace of our own, in English and below `/fr` in French. The framework reads and answers its requests;
 * bodies are streams.
 */
export function serveNamespace(server: FastifyInstance, serving: Serving, namespace: Namespace<ServiceRoute>): void {
  const { config } = serving.deps
  if (namespace.isServed?.(config) === false) return
  for (const { variant, base } of pathPrefixesOf(config)) {
    const plugin = serveVariant({ ...serving, namespace, textLanguage: variant })
    void server.register(plugin, { prefix: `${base}/${namespace.name(config)}` })
  }
}

function serveVariant(variant: Variant): FastifyPluginCallback {
  const { deps, namespace, textLanguage } = variant
  const { problems } = namespace.policy
  return (scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload))
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers({
        ...commonHeaders(addressesFor(variant, request)),
        ...transportHeaders(deps.config),
        ...corsHeaders(deps.config, request.headers.origin),
        ...preflightHeaders(request.headers['access-control-request-headers']),
      })
    })
    scope.setErrorHandler((error: Error, request, reply) => {
      const problem = problemOf(error)
      updateRequestTrace({ problem: problem.code })
      if (problem.cause !== undefined) request.log.error(problem.cause)
      // The rest of an unread body would be parsed as the next request.
      if (!request.raw.readableEnded) reply.header('Connection', 'close')
      const body = problems.present(problem, textLanguage)
      return reply.status(problem.status).headers(problem.headers).type(problems.type).send(body)
    })
    for (const route of namespace.routes) {
      const { path, endpoints } = route
      const url = path.replace(/\{(\w+)\}/g, ':$1') || '/'
      for (const endpoint of endpoints) {
        scope.route({
          method: [...endpoint.methods],
          url,
          handler: (request, reply) => serveEndpoint(variant, { route, endpoint }, { request, reply }),
        })
      }
    }
    scope.all('/*', async (request, reply) => {
      // A browser that asks for a page of another origin what it may send: the headers above say it.
      if (request.method === 'OPTIONS') return reply.status(204).send()
      return fail('rest_no_route')
    })
    done()
  }
}

function addressesFor({ deps, textLanguage }: Variant, request: FastifyRequest) {
  return addressesOf(deps.config, siteOfRequest(deps.config, request), textLanguage)
}

interface FoundEndpoint {
  readonly route: ServiceRoute
  readonly endpoint: ServiceEndpoint
}

interface RequestAndReply {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** A request, who sends it, and from which address. */
interface ReceivedRequest extends ServiceRequest {
  readonly caller: RateLimitedCaller
  readonly address: string
}

type MadeAnswer = ServiceAnswer | { readonly byReader: WireResponse }

async function serveEndpoint(variant: Variant, found: FoundEndpoint, exchange: RequestAndReply): Promise<FastifyReply> {
  const { deps, stopping } = variant
  const { endpoint } = found
  const { request, reply } = exchange
  let received: ReceivedRequest | undefined
  const made = await answerAfterWaits<MadeAnswer>(
    { deps, endpoint, response: reply.raw, client: () => clientKey(deps.config, request.raw), stopping },
    async (waited) => {
      received ??= await receive(variant, endpoint, exchange)
      return answerEndpoint(variant, found, { ...exchange, received, waited })
    },
    (result) => ('byReader' in result ? result.byReader : result.answer).wait,
  )
  if ('byReader' in made) return sendByReader(deps, endpoint, { ...exchange, response: made.byReader })
  const { answer, keyed } = made
  reply
    .status(answer.status)
    .headers(recordHeadersOf(answer, keyed))
    .headers(answer.headers ?? {})
  if (answer.document && 'pieces' in answer.document) return sendPieces(reply, answer.document)
  if (answer.status === 204) return reply.send(undefined)
  if (!found.endpoint.hasValidator) return reply.send(answer.body)
  return sendValidated(variant.deps, exchange, { body: JSON.stringify(answer.body), version: answer.version })
}

/** Sends a response that a reader thread made. */
function sendByReader(
  deps: Deps,
  { hasValidator }: ServiceEndpoint,
  { request, reply, response }: RequestAndReply & { readonly response: WireResponse },
): FastifyReply {
  const { status, headers, body, version } = response
  reply.status(status).headers(headers)
  if (!hasValidator || status !== 200) return reply.send(body)
  return sendValidated(deps, { request, reply }, { body, version })
}

/** Sends a response with its validator, or says that the client has it already. */
function sendValidated(
  { config }: Pick<Deps, 'config'>,
  { request, reply }: RequestAndReply,
  { body, version }: { readonly body: string | Buffer; readonly version: number | undefined },
): FastifyReply {
  const etag = etagOf(body, version)
  const known = matchedEtag(etag, responseCodingsOf(config, request.raw), request.headers['if-none-match'])
  reply.header('ETag', known ?? etag)
  return known === undefined ? reply.type(jsonType).send(body) : reply.status(304).send()
}

/** A request of which it is known who asks, and what it has waited for. */
interface AskedExchange extends RequestAndReply {
  readonly received: ReceivedRequest
  readonly waited: Wait | undefined
}

/** Answers a request in a reader thread or here, by the steps of `callService`. */
async function answerEndpoint(variant: Variant, found: FoundEndpoint, exchange: AskedExchange): Promise<MadeAnswer> {
  const byReader = await readByReader(variant, found, exchange)
  if (byReader) return { byReader }
  const { endpoint } = found
  const { policy } = variant.namespace
  const { request, received: asked, waited } = exchange
  const body = request.body as Readable | undefined
  return callService(
    asked,
    { ...found, policy },
    {
      method: request.method,
      sent: () => sentParameters(endpoint, asked, { request, takesForms: policy.takesForms }),
      upload: bodyReader(endpoint, { request, body }),
      waited,
    },
  )
}

/** Lets a reader thread answer a read that may take long, if there are threads. */
async function readByReader(
  { byReader, deps: { config }, textLanguage }: Variant,
  { route, endpoint }: FoundEndpoint,
  { received, waited, request, reply }: AskedExchange,
): Promise<WireResponse | undefined> {
  const { actor, addresses, client, namespace, query, caller, address } = received
  if (!byReader || isWrite(endpoint) || !endpoint.isOpenTo(actor, undefined)) return undefined
  if (isShortRead(endpoint, { query, actor, languageParameter: config.languageParameter })) return undefined
  const wire = wireRequest(request.raw, { site: addresses.site, client, address, body: undefined })
  return byReader(
    { ...wire, caller, isGone: () => reply.raw.destroyed },
    { namespace, route: route.path, textLanguage, path: request.params as RawParameters, query, waited },
  )
}

/** Returns how an endpoint gets a body that it reads itself. */
function bodyReader(
  endpoint: ServiceEndpoint,
  { request, body }: { readonly request: FastifyRequest; readonly body: Readable | undefined },
): ServiceBody['upload'] {
  if (endpoint.bodyType !== undefined) return (asked) => body && readPacedBody(endpoint, asked, { request, body })
  return endpoint.isUpload ? (asked) => body && readUpload(endpoint, asked, { request, body }) : undefined
}

/** Returns a body that its endpoint reads while it answers, at its own pace. */
function readPacedBody(
  endpoint: ServiceEndpoint,
  asked: ServiceRequest,
  { request, body }: { readonly request: FastifyRequest; readonly body: Readable },
) {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== endpoint.bodyType) {
    const faults = { 'Content-Type': { text: 'fault.enum', values: { allowed: endpoint.bodyType ?? '' } } } as const
    fail('rest_invalid_param', { status: 415, faults })
  }
  if (!endpoint.isBodyWhole) markPaced(request.raw.socket)
  return readUpload(endpoint, asked, { request, body })
}

/** The answers that may wait for the client in memory before nothing more of its body is read. */
const waitingAnswerBytes = 4 * 1024 * 1024

/** Sends an answer in pieces. The client may send its whole body before it reads anything. */
function sendPieces(reply: FastifyReply, { type, pieces }: Pick<StreamedDocument, 'type' | 'pieces'>): FastifyReply {
  const stream = Readable.from(pieces, { objectMode: false, highWaterMark: waitingAnswerBytes })
  // The rest of an unread body would be parsed as the next request.
  return reply.header('Connection', 'close').type(type).send(stream)
}

async function receive(
  variant: Variant,
  endpoint: ServiceEndpoint,
  { request, reply }: RequestAndReply,
): Promise<ReceivedRequest> {
  const { deps, namespace, textLanguage } = variant
  const addresses = addressesFor(variant, request)
  const client = clientKey(deps.config, request.raw)
  const { method, headers } = request
  const sent = credentialsOf({ method, headers, site: addresses.site, isJsonp: false })
  const caller = await callerOf(deps, client, sent)
  const { actor, session, key, limitHeaders } = caller
  reply.headers(actor.kind === 'user' ? { ...limitHeaders, ...uncacheable } : limitHeaders)
  const address = clientAddress(deps.config, request.raw)
  // Keys and sessions are written without a new revision, so a replica cannot know that it lags behind. They are read
  // from the primary.
  const own = depsForRequest(deps, caller, { isReading: false, isUrgent: endpoint.isUrgent, address, headers })
  return {
    ...{ deps: own, actor, session, key, client, addresses, textLanguage, headers, caller, address },
    namespace: namespace.name(deps.config),
    requestPath: request.url.split('?')[0] ?? '',
    query: request.query as RawParameters,
    path: await readPath(own, endpoint.path, { actor, sent: request.params as RawParameters }),
  }
}

/**
 * Returns the problem that clients see for an error: a problem unchanged, a complaint of the framework about the
 * request, else a bug.
 */
function problemOf(error: Error & { readonly statusCode?: number }): Problem {
  if (error instanceof Problem) return error
  if (error.statusCode !== unreadableType) return new Problem('internal_server_error', { cause: error })
  const faults = { 'Content-Type': { text: 'fault.invalid' } } as const
  return new Problem('rest_invalid_param', { status: unreadableType, faults })
}
