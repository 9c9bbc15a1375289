import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { clientKey } from '../../base/limits/client.ts'
import { type RateLimitResult, retryAfter } from '../../base/limits/limits.ts'
import { overloadedProblem } from '../../base/limits/request.queue.ts'
import type { Exchange } from '../../base/monitoring/request.trace.ts'
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

/** Decides whether a request is worked on. A request that is refused is answered here. */
export interface Admission {
  /**
   * Checks the length of the address, the host and the rate limit. This stands before everything else, the response cache
   * too: it costs next to nothing to be admitted, and little to be refused.
   *
   * @returns Headers that the answer has of this, names and values in turns; undefined where the request is refused.
   */
  admit(exchange: Exchange): readonly string[] | undefined
  /** Whether there is room for the work of a request that is not cached; if not, the request is refused. */
  hasCapacity(exchange: Exchange): boolean
  /** Refuses a request that came where every connection is taken. */
  refuseConnection(exchange: Exchange): void
}

export function createAdmission(deps: Deps, findSite: FindSite): Admission {
  const { limits, monitoring } = deps
  const check = admissionCheck(deps, findSite)
  const refuseWith = (problem: Problem, { request, response, trace }: Exchange) => {
    trace.problem = problem.code
    response.setHeader('X-Request-Id', trace.id)
    sendProblem(deps, problem, { request, response })
  }
  return {
    admit: (exchange) => {
      const checked = check(exchange)
      if (!(checked instanceof Problem)) return checked
      refuseWith(checked, exchange)
      return undefined
    },
    hasCapacity: (exchange) => {
      if (!limits.inFlight.isFull()) return true
      refuseWith(overloadedProblem(), exchange)
      return false
    },
    refuseConnection: (exchange) => {
      monitoring.connectionClosed('full')
      refuseWith(overloadedProblem(), exchange)
    },
  }
}

/** Gives the headers of a request that is admitted, or why it is not. */
function admissionCheck(
  { config, limits }: Deps,
  findSite: FindSite,
): (exchange: Pick<Exchange, 'request' | 'trace'>) => readonly string[] | Problem {
  const clientOf = clientFinder(config)
  return ({ request, trace }) => {
    if ((request.url?.length ?? 0) > mostAddressBytes) return new Problem('rest_uri_too_long')
    if (findSite(request) === undefined) return new Problem('rest_unknown_host')
    const client = config.rateLimit && clientOf(request)
    const counted = client === undefined ? undefined : limits.countForAddress(client)
    if (counted && !counted.isAllowed) return rateLimitProblem(counted)
    const own = ['X-Request-Id', trace.id]
    return counted ? own.concat(counted.headers) : own
  }
}

function rateLimitProblem(counted: RateLimitResult): Problem {
  return new Problem('rest_too_many_requests', { headers: { ...pairsOf(counted.headers), ...retryAfter(counted) } })
}

/** Finds the client that a request is counted for. Where no proxy is trusted, that is the same for a whole connection. */
function clientFinder(config: Deps['config']): (request: IncomingMessage) => string | undefined {
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
function sendProblem(deps: Deps, problem: Problem, { request, response }: Omit<Exchange, 'trace'>): void {
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
