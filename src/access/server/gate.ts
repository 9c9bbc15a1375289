import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientKey } from '../../base/limits/client.ts'
import { retryAfter } from '../../base/limits/limits.ts'
import { overloadedProblem } from '../../base/limits/request.queue.ts'
import type { RequestTrace } from '../../base/monitoring/request.trace.ts'
import { Problem } from '../../base/problems.ts'
import type { Deps } from '../deps.ts'
import { refuseService, serviceVariantOf } from '../http/service.ts'
import { type FindSite, siteOf } from '../http/site.ts'
import { wireRequest } from '../http/wire.ts'
import { refuse } from './dispatch.ts'

/** Longer ones are no addresses that clients of the interface make: a list of a thousand ids has room. */
export const mostAddressBytes = 16 * 1024

/** Of a body of a request that is refused. */
const mostUnreadBytes = 64 * 1024

/** A request that may go on. */
export interface Admitted {
  /** What its answer says of it, and of how it was counted: names and values in turns. */
  readonly headers: readonly string[]
}

/**
 * What stands before everything else, the memory too: it costs next to nothing to be let in, and little to be refused.
 *
 * @returns A function that gives undefined where the request is refused; it is answered then.
 */
export function createGate(deps: Deps, findSite: FindSite) {
  const { config, limits, monitoring } = deps
  const clientOf = rememberingClients(deps)
  const admit = (request: IncomingMessage, requestTrace: RequestTrace): Admitted | Problem => {
    if ((request.url?.length ?? 0) > mostAddressBytes) return new Problem('rest_uri_too_long')
    if (findSite(request) === undefined) return new Problem('rest_unknown_host')
    const client = config.rateLimit && clientOf(request)
    const counted = client === undefined ? undefined : limits.countForAddress(client)
    if (counted && !counted.isAllowed) {
      return new Problem('rest_too_many_requests', { headers: { ...pairsOf(counted.headers), ...retryAfter(counted) } })
    }
    const own = ['X-Request-Id', requestTrace.id]
    return { headers: counted ? own.concat(counted.headers) : own }
  }
  const refuseWith = (
    problem: Problem,
    request: IncomingMessage,
    response: ServerResponse,
    requestTrace: RequestTrace,
  ) => {
    requestTrace.problem = problem.code
    response.setHeader('X-Request-Id', requestTrace.id)
    sendProblem(deps, problem, request, response)
  }
  return {
    admit: (request: IncomingMessage, response: ServerResponse, requestTrace: RequestTrace): Admitted | undefined => {
      const admitted = admit(request, requestTrace)
      if (!(admitted instanceof Problem)) return admitted
      refuseWith(admitted, request, response, requestTrace)
      return undefined
    },
    /** Whether there is room for the work of a request that no memory answers; where there is none it is refused. */
    hasRoom: (request: IncomingMessage, response: ServerResponse, requestTrace: RequestTrace): boolean => {
      if (!limits.inFlight.isFull()) return true
      refuseWith(overloadedProblem(), request, response, requestTrace)
      return false
    },
    /** Refuses a request that came where every connection is taken. */
    turnAway: (request: IncomingMessage, response: ServerResponse, requestTrace: RequestTrace): void => {
      monitoring.connectionClosed('full')
      refuseWith(overloadedProblem(), request, response, requestTrace)
    },
  }
}

/** Who a request is counted for. Where no proxy is believed that is the same for a whole connection. */
function rememberingClients({ config }: Deps): (request: IncomingMessage) => string | undefined {
  if (config.trustProxy) return (request) => clientKey(config, request)
  const known = new WeakMap<Socket, { readonly key: string | undefined }>()
  return (request) => {
    const { socket } = request
    let client = known.get(socket)
    if (!client) {
      client = { key: clientKey(config, request) }
      known.set(socket, client)
    }
    return client.key
  }
}

/** Answers with a problem, in the words of the interface or of our own namespace, whichever was asked. */
function sendProblem(deps: Deps, problem: Problem, request: IncomingMessage, response: ServerResponse): void {
  const wire = wireRequest(request, {
    site: siteOf(deps.config, { raw: request }),
    body: undefined,
    client: undefined,
    address: '',
  })
  const language = serviceVariantOf(deps.config, wire.path)
  const { status, headers, body } = language ? refuseService(problem, language) : refuse(deps, wire, problem)
  response.writeHead(status, {
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    // A body that nobody reads would be waited for, to the last byte. A short one is here already.
    ...(isShort(request) ? {} : { Connection: 'close' }),
  })
  request.resume()
  response.end(request.method === 'HEAD' ? undefined : body)
}

function pairsOf(headers: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : [])))
}

/** Whether it costs less to read the body of a request than to have its client connect again. */
function isShort({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= mostUnreadBytes
}
