import { METHODS } from 'node:http'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  fastify,
  LogController,
} from 'fastify'
import { createConnections } from '../../base/limits/connections.ts'
import type { Deps } from '../deps.ts'
import { mostReadingBytes } from '../http/parameters.ts'
import { answerUnreadable, createHttpServer } from './connections.ts'
import type { Interface } from './dispatch.ts'
import { measureServer, traceRequests } from './request.tracing.ts'
import { createHandler, type Handler } from './server.handler.ts'
import { boundTime, completeAnswers, handleErrors } from './server.hooks.ts'
import { requestListener } from './server.listener.ts'
import { createServerParts, type ServerParts } from './server.parts.ts'

const maxBodyBytes = 1024 * 1024
const writingMethods = ['POST', 'PUT', 'PATCH', 'DELETE']

/** No route is described to the framework: the compilers that it brings for that, a hundred modules, are not loaded. */
const withoutSchemas = { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } }

function noCompiler(): never {
  throw new Error('Routes have no schemas of the framework.')
}

/**
 * The HTTP server. Every request that no other route takes is one of the interface: its paths, methods and bodies
 * follow rules of their own (conventions.md §1, §2), so they are handed on as they came.
 */
export function createServer(deps: Deps, api: Interface): FastifyInstance {
  const parts = createServerParts(deps, api)
  const handler = createHandler(parts)
  const server = fastify(serverOptions(parts, handler))
  traceRequests(server, deps.config, (request) => parts.traces.get(request))
  measureServer(deps, server, parts.cache)
  boundTime(server, parts)
  completeAnswers(server, parts)
  handleErrors(server, parts)
  readEveryBody(server)
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
    // Lines name their request by themselves.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBodyBytes,
    routerOptions: { maxParamLength: 2048 },
    schemaController: withoutSchemas,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // What comes on a connection that is still there while the server closes is answered as ever.
    return503OnClosing: false,
    // An address with broken percent-encoding is one of the interface all the same: most likely of nothing.
    frameworkErrors: (_error, request, reply) => {
      handler(request, reply).catch((error) => reply.send(error))
    },
  }
}

/** Bodies are read as they are, of whatever type; those of GET requests as well (conventions.md §2). */
function readEveryBody(server: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && method !== 'HEAD')
      server.addHttpMethod(method, { hasBody: true, overrideExisting: true })
  }
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** Has the handler answer whatever no other route takes. Where nothing is written, bodies are short. */
function answerEverything(server: FastifyInstance, handler: Handler): void {
  const readingMethods = server.supportedMethods.filter((method) => !writingMethods.includes(method))
  server.route({ method: writingMethods, url: '/*', handler })
  server.route({ method: readingMethods, url: '/*', bodyLimit: mostReadingBytes, handler })
  server.setNotFoundHandler(handler)
}
