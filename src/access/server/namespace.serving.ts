import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { TextLanguage } from '../../base/languages/language.ts'
import { fail, Problem } from '../../base/problems.ts'
import { credentialsOf } from '../auth/request.credentials.ts'
import type { Deps } from '../deps.ts'
import { addressesOf } from '../http/addresses.ts'
import type { RawParameters } from '../http/arguments/argument.ts'
import { createParameterReport, prefersStrictHandling } from '../http/arguments/parameter.report.ts'
import type { Wait } from '../http/call.ts'
import { callerOf, depsForRequest } from '../http/caller.ts'
import type { Namespace } from '../http/namespace.ts'
import { pathPrefixesOf } from '../http/request.location.ts'
import type { Endpoint, EndpointResult } from '../http/route.ts'
import type { WireRequest, WireResponse } from '../http/wire.ts'
import type { RoutedRead } from '../readers/reader.messages.ts'
import type { Readers } from '../readers/readers.ts'
import { type FoundEndpoint, runEndpoint } from './endpoint.runner.ts'
import { type Exchange, nobody, plainShape, type ReaderResponse, respond } from './exchange.ts'
import { type FrameworkExchange, sendWhole, wireRequestOf } from './server.handler.ts'
import { streamedParameters, streamedUpload } from './streamed.body.ts'

interface Serving {
  readonly deps: Deps
  readonly readers: Readers | undefined
  readonly report: (error: unknown) => void
  /** Aborted when the service stops: requests that wait are then answered. */
  readonly stopping: AbortSignal
}

interface Variant extends Serving {
  readonly namespace: Namespace
  readonly textLanguage: TextLanguage
}

type Result = EndpointResult | ReaderResponse

/** Status of the framework's error for an invalid content type, such as `;` (RFC 9110, 15.5.16). */
const unreadableType = 415

/**
 * Serves a namespace of our own, in English and below `/fr` in French. The framework finds the route of a request; bodies are
 * streams.
 */
export function serveNamespace(server: FastifyInstance, serving: Serving, namespace: Namespace): void {
  const { config } = serving.deps
  if (namespace.isServed?.(config) === false) return
  for (const { variant, base } of pathPrefixesOf(config)) {
    const plugin = serveVariant({ ...serving, namespace, textLanguage: variant })
    void server.register(plugin, { prefix: `${base}/${namespace.name(config)}` })
  }
}

function serveVariant(variant: Variant): FastifyPluginCallback {
  const { deps, namespace, report } = variant
  return (scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload))
    const serve = async (framework: FrameworkExchange, work: (exchange: Exchange) => Promise<Result>) => {
      const exchange = receivedExchange(variant, framework)
      return send(deps, framework, await respond(exchange, report, () => work(exchange)))
    }
    scope.setErrorHandler((error: Error, request, reply) =>
      serve({ request, reply }, () => Promise.reject(problemOf(error))),
    )
    for (const route of namespace.routes) {
      const url = route.path.replace(/\{(\w+)\}/g, ':$1') || '/'
      for (const endpoint of route.endpoints) {
        const handler = (request: FastifyRequest, reply: FastifyReply) =>
          serve({ request, reply }, (exchange) =>
            answer(variant, exchange, { ...{ route, endpoint, request }, response: reply.raw }),
          )
        scope.route({ method: [...endpoint.methods], url, handler })
      }
    }
    scope.all('/*', (request, reply) =>
      // A browser that asks for a page of another origin what it may send: the headers say it.
      serve({ request, reply }, async () =>
        request.method === 'OPTIONS' ? { status: 204, body: {} } : fail('rest_no_route'),
      ),
    )
    done()
  }
}

interface RoutedRequest extends Pick<FoundEndpoint, 'route' | 'endpoint'> {
  readonly request: FastifyRequest
  readonly response: ServerResponse
}

/** Answers a request here or in a reader thread, and again when what it waits for has happened. */
function answer(
  { deps, readers, stopping, textLanguage }: Variant,
  exchange: Exchange,
  { route, endpoint, request, response }: RoutedRequest,
): Promise<Result> {
  const { namespace, policy } = exchange
  const { client } = exchange.request
  const streamed = { deps, endpoint, request }
  const [path, query] = [request.params as RawParameters, request.query as RawParameters]
  return answerAfterWaits<Result>(
    { deps, endpoint, response, client, stopping },
    (waited) => {
      const read = { namespace, route: route.path, textLanguage, path, query, waited }
      return answerEndpoint(deps, exchange, {
        ...{ route, endpoint, path, query, waited },
        sent: () => streamedParameters(streamed, policy.takesForms && !exchange.caller.session),
        upload: (readFields) => streamedUpload(streamed, readFields),
        byReader: readers && ((asked) => readers.answer(asked, read)),
      })
    },
    (result) => ('byReader' in result ? result.byReader : result).wait,
  )
}

/** Answers a read whose route the framework has found, in a reader thread. */
export function answerRoutedRead(
  { deps, namespaces, report }: Pick<Serving, 'deps' | 'report'> & { readonly namespaces: readonly Namespace[] },
  request: WireRequest,
  { namespace: name, route: pattern, textLanguage, path, query, waited }: RoutedRead,
): Promise<WireResponse> {
  const namespace = namespaces.find((one) => one.name(deps.config) === name)
  const route = namespace?.routes.find((one) => one.path === pattern)
  const endpoint = route?.endpoints.find(({ methods }) => methods.includes('GET'))
  if (!namespace || !route || !endpoint) throw new Error(`Nothing answers ${name}${pattern}.`)
  const found = { route, endpoint, path, query, waited, sent: async () => ({ parameters: query }) }
  return answerRouted({ deps, report, namespace, textLanguage }, request, found)
}

/** Answers a request whose endpoint is known. */
export function answerRouted(
  variant: Pick<Variant, 'deps' | 'report' | 'namespace' | 'textLanguage'>,
  request: WireRequest,
  found: FoundEndpoint,
): Promise<WireResponse> {
  const exchange = exchangeOf(variant, request)
  return respond(exchange, variant.report, () => answerEndpoint(variant.deps, exchange, found))
}

async function answerEndpoint(deps: Deps, exchange: Exchange, found: FoundEndpoint) {
  const { request, addresses } = exchange
  const credentials = () => credentialsOf({ ...request, site: addresses.site, isJsonp: false })
  // Credentials are checked once, however often the request waits.
  if (exchange.caller === nobody)
    exchange.caller = request.caller ?? (await callerOf(deps, request.client, credentials()))
  // Keys and sessions are written without a new revision, so a replica cannot know that it lags behind. They are read
  // from the primary.
  const { isUrgent, hasValidator = false } = found.endpoint
  exchange.hasValidator = () => hasValidator
  const own = depsForRequest(deps, exchange.caller, { ...request, isReading: false, isUrgent })
  return runEndpoint(own, exchange, found)
}

function receivedExchange(variant: Variant, { request, reply }: FrameworkExchange): Exchange {
  const wire = wireRequestOf(variant.deps.config, request)
  const exchange = exchangeOf(variant, { ...wire, isGone: () => reply.raw.destroyed })
  return { ...exchange, isUnread: () => !request.raw.readableEnded }
}

function exchangeOf(
  { deps: { config }, namespace, textLanguage }: Pick<Variant, 'deps' | 'namespace' | 'textLanguage'>,
  request: WireRequest,
): Exchange {
  return {
    ...{ config, request, policy: namespace.policy, namespace: namespace.name(config), textLanguage },
    addresses: addressesOf(config, request.site, textLanguage),
    ...{ language: undefined, shape: plainShape, allow: [], caller: nobody },
    parameterReport: createParameterReport(prefersStrictHandling(request.headers.prefer)),
  }
}

/** The answers that may wait for the client in memory before nothing more of its body is read. */
const waitingAnswerBytes = 4 * 1024 * 1024

/** Sends a response, perhaps in pieces: the client may send its whole body before it reads anything. */
function send(deps: Deps, { request, reply }: FrameworkExchange, response: WireResponse): FastifyReply {
  if (!response.pieces) return sendWhole(deps.config, response, { request, reply })
  const { status, headers, pieces } = response
  const stream = Readable.from(pieces, { objectMode: false, highWaterMark: waitingAnswerBytes })
  // The rest of an unread body would be parsed as the next request.
  return reply
    .status(status)
    .headers({ ...headers, Connection: 'close' })
    .send(stream)
}

/**
 * Returns the problem that clients see for an error: a problem unchanged, a complaint of the framework about the
 * request, else a bug.
 */
function problemOf(error: Error & { readonly statusCode?: number }): Error {
  if (error instanceof Problem || error.statusCode !== unreadableType) return error
  const faults = { 'Content-Type': { text: 'fault.invalid' } } as const
  return new Problem('rest_invalid_param', { status: unreadableType, faults })
}

interface Waiting {
  readonly deps: Deps
  readonly endpoint: Pick<Endpoint, 'waitFor'>
  readonly response: ServerResponse
  /** Identifies the client for limits. */
  readonly client: string | undefined
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal
}

/**
 * Answers a request, and again each time what it waits for has happened. While it waits, it does not count as in progress. All waits
 * end when the first one would, however long the answers between them take.
 *
 * @param answer Its argument is what has happened, with the time that is left.
 * @param waitOf Returns what a result waits for, if anything.
 */
export async function answerAfterWaits<R>(
  { deps, endpoint, response, client, stopping }: Waiting,
  answer: (waited: Wait | undefined) => Promise<R>,
  waitOf: (result: R) => Wait | undefined,
): Promise<R> {
  const { inFlight } = deps.limits
  const { waitFor } = endpoint
  const beganAtMs = performance.now()
  let untilMs = Number.POSITIVE_INFINITY
  let result = await inFlight.run(() => answer(undefined))
  if (!waitFor) return result
  const gone = new AbortController()
  const abort = () => gone.abort()
  response.once('close', abort)
  try {
    for (let wait = waitOf(result); wait; wait = waitOf(result)) {
      untilMs = Math.min(untilMs, beganAtMs + wait.forMs)
      // It may have gone while a thread looked for an answer.
      if (response.destroyed) abort()
      const signal = AbortSignal.any([stopping, gone.signal])
      // Otherwise the result is the answer. Nothing is read again, because threads may be busy, and others need the main thread.
      if (!(await waitFor(deps, wait, { untilMs, signal, client }))) return result
      const waited = { ...wait, forMs: Math.max(0, untilMs - performance.now()) }
      result = await inFlight.run(() => answer(waited))
    }
    return result
  } finally {
    response.off('close', abort)
  }
}
