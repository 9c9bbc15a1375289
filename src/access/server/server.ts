import { METHODS, type RequestListener } from 'node:http'
import type { Readable } from 'node:stream'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
  LogController,
} from 'fastify'
import { type Periodic, startPeriodic } from '../../base/concurrency/periodic.ts'
import { createConnections } from '../../base/limits/connections.ts'
import { Problem } from '../../base/problems.ts'
import type { Deps } from '../deps.ts'
import { encodeResponses } from '../http/answers/content.coding.ts'
import { pageHeaders } from '../http/answers/page.headers.ts'
import { maxReadBodyBytes } from '../http/arguments/parameters.ts'
import { readBody } from '../http/received.body.ts'
import { usualTarget } from '../http/request.location.ts'
import { answerUnreadable, type CountedRequestListener, createHttpServer } from './connections.ts'
import { type ApiDefinition, refuse } from './dispatch.ts'
import { measureServer, traceRequests } from './request.tracing.ts'
import { createHandler, type Handler, wireRequestOf } from './server.handler.ts'
import { createServerParts, type ServerParts } from './server.parts.ts'

const closeIdleEveryMs = 50
/** The interval between two checks of what clients have taken of their responses. */
const lookEveryMs = 1000

/** Checks the unread responses, and closes idle connections while the server closes. */
function boundTime(server: FastifyInstance, { unread }: ServerParts): void {
  // A client that gets a response while the server closes keeps its connection, and would prevent the server from
  // closing.
  let closing: Periodic | undefined
  server.addHook('preClose', async () => {
    closing = startPeriodic(() => server.server.closeIdleConnections(), { intervalMs: closeIdleEveryMs })
  })
  const looking = startPeriodic(unread.look, { intervalMs: lookEveryMs })
  server.addHook('onClose', async () => {
    await closing?.stop()
    await looking.stop()
  })
}

/** Adds to every response of the framework its coding, the policy of a page, and its count of unread bytes. */
function completeAnswers(server: FastifyInstance, { deps: { config }, coder, unread }: ServerParts): void {
  // Every handler of a page calls `pageHeaders`. A response without that call gets the strictest policy.
  const strict = pageHeaders(config)
  if (coder) server.addHook('onSend', encodeResponses(coder))
  server.addHook('onSend', (_request, reply, payload, done) => {
    const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html')
    if (isPage && !reply.hasHeader('content-security-policy')) reply.headers(strict)
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) unread.makeRoom(reply.raw, payload.length)
    done(null, payload)
  })
}

/** Answers errors of the framework, such as a body that is too long, by the rules of the interface. */
function handleErrors(server: FastifyInstance, parts: ServerParts): void {
  server.setErrorHandler((error: { statusCode?: number }, request, reply) => {
    const isClients = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
    const code =
      error.statusCode === 413 ? 'rest_request_too_large' : isClients ? 'rest_invalid_json' : 'internal_server_error'
    const problem = error instanceof Problem ? error : new Problem(code, isClients ? {} : { cause: error })
    if (problem.cause !== undefined) request.log.error(problem.cause)
    const trace = parts.traces.get(request.raw)
    if (trace) trace.problem = problem.code
    const { status, headers, body } = refuse(parts.deps, wireRequestOf(parts.deps.config, request), problem)
    return reply.status(status).headers(headers).send(body)
  })
}

const maxBodyBytes = 1024 * 1024
const writingMethods = ['POST', 'PUT', 'PATCH', 'DELETE']

/** The framework has no description of any route, so its schema compilers (a hundred modules) are not loaded. */
const withoutSchemas = { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } }

function noCompiler(): never {
  throw new Error('Routes have no schemas of the framework.')
}

/**
 * Creates the HTTP server. A request that no other route matches is one of the interface, whose paths, methods and
 * bodies follow rules of their own (conventions.md §1, §2). The server passes such requests on unchanged.
 */
export function createServer(deps: Deps, api: ApiDefinition): FastifyInstance {
  const parts = createServerParts(deps, api)
  const handler = createHandler(parts)
  const server = fastify(serverOptions(parts, handler))
  traceRequests(server, deps.config, (request) => parts.traces.get(request))
  measureServer(deps, server, parts.cache)
  boundTime(server, parts)
  completeAnswers(server, parts)
  handleErrors(server, parts)
  readEveryBody(server, parts)
  answerEverything(server, handler)
  return server
}

function serverOptions(parts: ServerParts, handler: Handler): FastifyServerOptions {
  const { config, monitoring } = parts.deps
  const connections = createConnections(config, monitoring.connectionClosed)
  return {
    serverFactory: (handle) => createHttpServer(connections, requestListener(parts, handle)),
    clientErrorHandler: (error, socket) => answerUnreadable(config, error, socket),
    loggerInstance: monitoring.log as FastifyBaseLogger,
    // Each log line already names its request.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBodyBytes,
    // Before anything else looks at the path, so that both forms are one request to rights, limits and the cache.
    rewriteUrl: ({ url = '/' }) => usualTarget(config, url),
    routerOptions: { maxParamLength: 2048 },
    schemaController: withoutSchemas,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection while the server closes gets a normal response.
    return503OnClosing: false,
    // An address with invalid percent-encoding also belongs to the interface, which most likely answers 404.
    frameworkErrors: (_error, request, reply) => {
      handler(request, reply).catch((error) => reply.send(error))
    },
  }
}

/** Reads bodies of any type as bytes, including those of GET requests (conventions.md §2). */
function readEveryBody(server: FastifyInstance, { deps: { limits }, clientNetwork }: ServerParts): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && method !== 'HEAD')
      server.addHttpMethod(method, { hasBody: true, overrideExisting: true })
  }
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) =>
    readBody(payload, {
      client: clientNetwork(request.raw),
      received: limits.bodies,
      maxBytes: request.routeOptions.bodyLimit,
      announced: request.headers['content-length'],
    }),
  )
}

/**
 * Passes every request that no other route matches to the handler. Methods that do not write get a lower limit for the
 * body.
 */
function answerEverything(server: FastifyInstance, handler: Handler): void {
  const readingMethods = server.supportedMethods.filter((method) => !writingMethods.includes(method))
  server.route({ method: writingMethods, url: '/*', handler })
  server.route({ method: readingMethods, url: '/*', bodyLimit: maxReadBodyBytes, handler })
  server.setNotFoundHandler(handler)
}

/**
 * Returns the listener that handles a request before the framework. It answers probes and metrics, refuses requests
 * beyond the limits, and sends cached responses. Most requests repeat earlier ones, so they never reach the framework.
 *
 * @param handle The framework's own listener, for all other requests.
 */
function requestListener(
  { deps: { limits, monitoring }, api, admission, cache, traces }: ServerParts,
  handle: RequestListener,
): CountedRequestListener {
  return (request, response, allowed) => {
    const trace = monitoring.beginTrace(request, response)
    if (api.answerProbe?.(request, response) || monitoring.answerMetrics(request, response)) return
    const exchange = { request, response, trace }
    if (allowed === 'probes') return admission.refuseConnection(exchange)
    const headers = admission.admit(exchange)
    if (!headers) return
    const handOver = () => {
      if (!admission.hasCapacity(exchange)) return
      traces.set(request, trace)
      monitoring.reportFailure(exchange)
      for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? '', headers[at + 1] ?? '')
      const line = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write'
      limits.inFlight.schedule(() => response.destroyed || handle(request, response), line)
    }
    const isAnswered = cache.answer({ ...exchange, headers })
    if (isAnswered === false) handOver()
    else if (isAnswered !== true) void isAnswered.then((isDone) => isDone || handOver())
  }
}
