import { type IncomingMessage, METHODS } from 'node:http'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import { clientAddress, clientKey, clientNetworkOf } from '../../base/limits/client.ts'
import { createConnections } from '../../base/limits/connections.ts'
import { type RequestTrace, updateRequestTrace } from '../../base/monitoring/request.trace.ts'
import { Problem } from '../../base/problems.ts'
import type { Deps } from '../deps.ts'
import { createCoder } from '../http/coder.ts'
import { type AcceptedOf, acceptedOf, codeAnswers, knownForm, sayCoding, varyingByCoding } from '../http/coding.ts'
import { joinHeaders } from '../http/headers.ts'
import type { KeptAnswer, KeptForm } from '../http/memory.ts'
import { pageHeaders } from '../http/page.headers.ts'
import { mostReadingBytes } from '../http/parameters.ts'
import type { Pieces } from '../http/route.ts'
import { siteFinder, siteOf } from '../http/site.ts'
import { type WireRequest, type WireResponse, wireRequest } from '../http/wire.ts'
import { answerUnreadable, createHttpServer } from './connections.ts'
import { dispatch, type Interface, refuse } from './dispatch.ts'
import { createGate } from './gate.ts'
import { streamOf } from './pieces.ts'
import { createRecall, type KnownForm } from './recall.ts'
import { boundUnread } from './unread.ts'
import { measureServer, watchRequests } from './watching.ts'

const maxBodyBytes = 1024 * 1024
const writingMethods = ['POST', 'PUT', 'PATCH', 'DELETE']
const closeIdleEveryMs = 50
/** At what clients have taken of their answers. */
const lookEveryMs = 1000

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
  const { config, limits, monitoring } = deps
  const findSite = siteFinder(config)
  const gate = createGate(deps, findSite)
  const connections = createConnections(config, monitoring.connectionClosed)
  const holder = (request: IncomingMessage) => clientNetworkOf(clientAddress(config, request))
  const unread = boundUnread(holder)
  const coder = config.isCoding ? createCoder() : undefined
  const recall = createRecall(deps, findSite, unread, coder)
  const worked = new WeakMap<IncomingMessage, RequestTrace>()
  const server = fastify({
    // Most of what is asked was asked before: that is answered before anything else looks at it.
    serverFactory: (handle) => {
      return createHttpServer(connections, (request, response, allowed) => {
        const requestTrace = monitoring.see(request, response)
        if (api.attend?.(request, response) || monitoring.answerMetrics(request, response)) return
        if (allowed === 'probes') return gate.turnAway(request, response, requestTrace)
        const admitted = gate.admit(request, response, requestTrace)
        if (!admitted) return
        const goOn = () => {
          if (!gate.hasRoom(request, response, requestTrace)) return
          worked.set(request, requestTrace)
          monitoring.follow(requestTrace, request, response)
          const { headers } = admitted
          for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? '', headers[at + 1] ?? '')
          limits.inFlight.schedule(() => response.destroyed || handle(request, response))
        }
        const isAnswered = recall.answerAtOnce(request, response, admitted.headers, requestTrace)
        if (isAnswered === false) goOn()
        else if (isAnswered !== true) void isAnswered.then((isDone) => isDone || goOn())
      })
    },
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
      answer(request, reply).catch((error) => reply.send(error))
    },
  })
  watchRequests(server, config, (request) => worked.get(request))
  measureServer(deps, server, recall.memory)
  // A client that is answered while the server closes keeps its connection, and would keep the server from closing.
  let closing: NodeJS.Timeout | undefined
  server.addHook('preClose', async () => {
    closing = setInterval(() => server.server.closeIdleConnections(), closeIdleEveryMs)
  })
  const looking = setInterval(unread.look, lookEveryMs).unref()
  server.addHook('onClose', async () => {
    clearInterval(closing)
    clearInterval(looking)
  })
  // Whoever serves a page calls `pageHeaders`; one that was forgotten may do as little as can be.
  const strict = pageHeaders(config)
  if (coder) server.addHook('onSend', codeAnswers(coder))
  server.addHook('onSend', (_request, reply, payload, done) => {
    const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html')
    if (isPage && !reply.hasHeader('content-security-policy')) reply.headers(strict)
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) unread.makeRoom(reply.raw, payload.length)
    done(null, payload)
  })
  // Bodies of GET requests are read as well (conventions.md §2).
  for (const method of METHODS) {
    if (method !== 'CONNECT' && method !== 'HEAD')
      server.addHttpMethod(method, { hasBody: true, overrideExisting: true })
  }
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  const wire = (request: FastifyRequest) =>
    wireRequest(request.raw, {
      site: findSite(request.raw) ?? siteOf(config, request),
      client: clientKey(config, request.raw),
      address: clientAddress(config, request.raw),
      body: Buffer.isBuffer(request.body) ? request.body : undefined,
    })
  server.setErrorHandler((error: { statusCode?: number }, request, reply) => {
    const isClients = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
    if (!isClients) request.log.error(error)
    const code =
      error.statusCode === 413 ? 'rest_request_too_large' : isClients ? 'rest_invalid_json' : 'internal_server_error'
    const problem = error instanceof Problem ? error : new Problem(code)
    const requestTrace = worked.get(request.raw)
    if (requestTrace) requestTrace.problem = problem.code
    const { status, headers, body } = refuse(deps, wire(request), problem)
    return reply.status(status).headers(headers).send(body)
  })
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const sendKept = async (answer: KeptAnswer) =>
      sendAgain(answer.route, await recall.formFor(recalled, answer, request.raw), reply)
    const recalled = await recall.recall(request.raw)
    if (recalled.answer) return sendKept(recalled.answer)
    const made = await limits.inFlight.run(() =>
      recall.madeOnce(recalled, request.raw, async () => {
        const { method, ...others } = wire(request)
        // What is kept of HEAD is given to GET as well: it is made as for that.
        const asked = { ...others, method: recalled.key === undefined ? method : 'GET', revision: recalled.revision }
        return (await api.pages?.(deps, asked)) ?? withVary(deps, api, asked, await dispatch(deps, api, asked))
      }),
    )
    if (made.answer) return sendKept(made.answer)
    const { status, headers, body, pieces, etag, route } = made.response
    if (route !== undefined) updateRequestTrace({ route })
    if (etag === undefined) return reply.status(status).headers(headers).send(body)
    const accepted = acceptedOf(config, request.raw)
    const known = knownForm(etag, accepted, request.headers['if-none-match'])
    if (known !== undefined) {
      return reply
        .headers({ ...headers, ETag: known })
        .removeHeader('Content-Type')
        .status(304)
        .send()
    }
    if (!pieces) {
      return reply
        .status(status)
        .headers({ ...headers, ETag: etag })
        .send(body)
    }
    return sendPieces({ ...made.response, etag, pieces }, accepted, request, reply)
  }
  const sendPieces = (
    { status, headers, etag, pieces }: WireResponse & { readonly etag: string; readonly pieces: Pieces },
    { best, isCodable }: AcceptedOf,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const isHead = request.method === 'HEAD'
    const onPiece = (octets: number) => unread.makeRoom(reply.raw, octets)
    const pieceCoder = best && !isHead ? coder?.pieces(best) : undefined
    const sending = { streams: limits.streams, client: holder(request.raw), onPiece, report: api.report }
    // Before any header: where there is no place, none of them is true of the refusal.
    const stream = isHead ? undefined : streamOf(pieces, reply.raw, { ...sending, coder: pieceCoder })
    reply.headers({ ...(isCodable ? varyingByCoding(headers) : headers), ETag: etag })
    if (best && (pieceCoder || isHead)) sayCoding(reply, best)
    return reply.status(status).send(stream)
  }
  const [writing, reading] = [
    writingMethods,
    server.supportedMethods.filter((method) => !writingMethods.includes(method)),
  ]
  server.route({ method: writing, url: '/*', handler: answer })
  server.route({ method: reading, url: '/*', bodyLimit: mostReadingBytes, handler: answer })
  server.setNotFoundHandler(answer)
  return server
}

/** An answer of the memory through the framework. */
/** What the interface answers, with what caches have to know where a page might have been asked for instead. */
function withVary(
  { config }: Deps,
  { variesByAccept }: Interface,
  asked: WireRequest,
  answer: WireResponse,
): WireResponse {
  if (variesByAccept?.(config, asked) !== true) return answer
  return { ...answer, headers: joinHeaders(answer.headers, { Vary: 'Accept' }) }
}

function sendAgain(route: string, form: KnownForm | KeptForm, reply: FastifyReply): FastifyReply {
  updateRequestTrace({ route })
  const { headers } = form
  for (let place = 0; place < headers.length; place += 2) reply.header(headers[place] ?? '', headers[place + 1])
  return form.body === undefined ? reply.status(304).send() : reply.status(200).send(form.body)
}
