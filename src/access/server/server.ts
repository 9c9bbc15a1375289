import { METHODS } from 'node:http'
import type { Readable } from 'node:stream'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
  LogController,
} from 'fastify'
import { createConnections } from '../../base/limits/connections.ts'
import type { Deps } from '../deps.ts'
import { maxReadBodyBytes } from '../http/arguments/parameters.ts'
import { readBody } from '../http/received.body.ts'
import { usualTarget } from '../http/request.location.ts'
import { answerUnreadable, createHttpServer } from './connections.ts'
import type { ApiDefinition } from './dispatch.ts'
import { measureServer, traceRequests } from './request.tracing.ts'
import { createHandler, type Handler } from './server.handler.ts'
import { boundTime, completeAnswers, handleErrors } from './server.hooks.ts'
import { requestListener } from './server.listener.ts'
import { createServerParts, type ServerParts } from './server.parts.ts'

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
      mostBytes: request.routeOptions.bodyLimit,
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
