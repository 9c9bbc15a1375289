import { METHODS } from 'node:http'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify, LogController } from 'fastify'
import type { Deps } from '../deps.ts'
import { Problem } from '../problems.ts'
import { dispatch, type Interface, refuse, type WireRequest } from './dispatch.ts'

const maxBodyBytes = 1024 * 1024
const requestTimeoutMs = 60_000

/**
 * The HTTP server. Every request that no other route takes is one of the interface: its paths, methods and bodies
 * follow rules of their own (conventions.md §1, §2), so they are handed on as they came.
 */
export function createServer(deps: Deps, api: Interface): FastifyInstance {
  const server = fastify({
    logger: { level: deps.config.logLevel },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: deps.config.trustProxy,
    bodyLimit: maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    routerOptions: { maxParamLength: 2048 },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // An address with broken percent-encoding is one of the interface all the same: most likely of nothing.
    frameworkErrors: (_error, request, reply) => {
      void answer(request, reply)
    },
  })
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
    const { status, headers, body } = await dispatch(deps, api, wireRequest(deps, request))
    return reply.status(status).headers(headers).send(body)
  }
  server.route({ method: server.supportedMethods, url: '/*', handler: answer })
  server.setNotFoundHandler(answer)
  return server
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
    site: siteOf(deps, request),
  }
}

/** Scheme and host by which the client came; forwarded headers count only from a trusted proxy. */
function siteOf({ config }: Deps, request: FastifyRequest): string {
  const site = `${request.protocol}://${request.host}`
  const withoutUsualPort = site.toLowerCase().replace(/(?<=^http:.*):80$|(?<=^https:.*):443$/, '')
  return URL.canParse(site) && new URL(site).origin === withoutUsualPort ? site : `http://${config.host}:${config.port}`
}
