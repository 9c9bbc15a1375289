import { createServer as createHttpServer, METHODS } from 'node:http'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify, LogController } from 'fastify'
import type { Deps } from '../deps.ts'
import { Problem } from '../problems.ts'
import { dispatch, type Interface, refuse, type WireRequest } from './dispatch.ts'
import { isNamed, type KeptAnswer } from './memory.ts'
import { createRecall } from './recall.ts'
import { siteOf } from './site.ts'

const maxBodyBytes = 1024 * 1024
const requestTimeoutMs = 60_000
/** Longer than proxies keep theirs, so that none sends on a connection that is just being closed. */
const keepAliveTimeoutMs = 72_000
const closeIdleEveryMs = 50

/**
 * The HTTP server. Every request that no other route takes is one of the interface: its paths, methods and bodies
 * follow rules of their own (conventions.md §1, §2), so they are handed on as they came.
 */
export function createServer(deps: Deps, api: Interface): FastifyInstance {
  const recall = createRecall(deps)
  const server = fastify({
    // Most of what is asked was asked before: that is answered before anything else looks at it.
    serverFactory: (handle) => {
      const http = createHttpServer((request, response) => {
        const isAnswered = recall.answerAtOnce(request, response)
        if (isAnswered === false) handle(request, response)
        else if (isAnswered !== true) void isAnswered.then((isDone) => isDone || handle(request, response))
      })
      http.requestTimeout = requestTimeoutMs
      http.keepAliveTimeout = keepAliveTimeoutMs
      return http
    },
    logger: { level: deps.config.logLevel },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: deps.config.trustProxy,
    bodyLimit: maxBodyBytes,
    routerOptions: { maxParamLength: 2048 },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // What comes on a connection that is still there while the server closes is answered as ever.
    return503OnClosing: false,
    // An address with broken percent-encoding is one of the interface all the same: most likely of nothing.
    frameworkErrors: (_error, request, reply) => {
      void answer(request, reply)
    },
  })
  // A client that is answered while the server closes keeps its connection, and would keep the server from closing.
  let closing: NodeJS.Timeout | undefined
  server.addHook('preClose', async () => {
    closing = setInterval(() => server.server.closeIdleConnections(), closeIdleEveryMs)
  })
  server.addHook('onClose', async () => clearInterval(closing))
  // Bodies of GET requests are read as well (conventions.md §2).
  for (const method of METHODS) {
    if (method !== 'CONNECT' && method !== 'HEAD')
      server.addHttpMethod(method, { hasBody: true, overrideExisting: true })
  }
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  server.setErrorHandler((error: { statusCode?: number }, request, reply) => {
    const isClients = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
    if (!isClients) request.log.error(error)
    const code =
      error.statusCode === 413 ? 'rest_request_too_large' : isClients ? 'rest_invalid_json' : 'internal_server_error'
    const { status, headers, body } = refuse(deps, wireRequest(deps, request), new Problem(code))
    return reply.status(status).headers(headers).send(body)
  })
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const recalled = await recall.recall(request.raw)
    if (recalled.answer) return sendAgain(recalled.answer, request, reply)
    const made = await recall.madeOnce(recalled, () =>
      dispatch(deps, api, { ...wireRequest(deps, request), revision: recalled.revision }),
    )
    if (made.answer) return sendAgain(made.answer, request, reply)
    const { status, headers, body } = made.response
    return reply.status(status).headers(headers).send(body)
  }
  server.route({ method: server.supportedMethods, url: '/*', handler: answer })
  server.setNotFoundHandler(answer)
  return server
}

/** An answer of the memory through the framework. */
function sendAgain(answer: KeptAnswer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isKnown = isNamed(answer.etag, request.headers['if-none-match'])
  const headers = isKnown ? answer.headersAlone : answer.headers
  for (let place = 0; place < headers.length; place += 2) reply.header(headers[place] ?? '', headers[place + 1])
  return isKnown ? reply.status(304).send() : reply.status(200).send(answer.body)
}

function wireRequest(deps: Deps, request: FastifyRequest): WireRequest {
  const target = request.raw.url ?? '/'
  const question = target.indexOf('?')
  const headers: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(request.headers))
    headers[name] = Array.isArray(value) ? value.join(', ') : value
  return {
    method: request.method,
    path: question < 0 ? target : target.slice(0, question),
    query: question < 0 ? '' : target.slice(question + 1),
    headers,
    body: Buffer.isBuffer(request.body) ? request.body : undefined,
    site: siteOf(deps.config, request),
    address: request.ip,
  }
}
