import type { FastifyInstance } from 'fastify'
import { type Periodic, startPeriodic } from '../../base/concurrency/periodic.ts'
import { Problem } from '../../base/problems.ts'
import { encodeResponses } from '../http/answers/content.coding.ts'
import { pageHeaders } from '../http/answers/page.headers.ts'
import { refuse } from './dispatch.ts'
import { wireRequestOf } from './server.handler.ts'
import type { ServerParts } from './server.parts.ts'

const closeIdleEveryMs = 50
/** The interval between two checks of what clients have taken of their responses. */
const lookEveryMs = 1000

/** Checks the unread responses, and closes idle connections while the server closes. */
export function boundTime(server: FastifyInstance, { unread }: ServerParts): void {
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
export function completeAnswers(server: FastifyInstance, { deps: { config }, coder, unread }: ServerParts): void {
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
export function handleErrors(server: FastifyInstance, parts: ServerParts): void {
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
