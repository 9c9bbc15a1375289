import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { clientKey } from '../../base/limits/client.ts'
import { type RateLimitResult, retryAfter } from '../../base/limits/limits.ts'
import { overloadedProblem } from '../../base/limits/request.queue.ts'
import type { Exchange } from '../../base/monitoring/request.trace.ts'
import { Problem } from '../../base/problems.ts'
import type { Deps } from '../deps.ts'
import { refuseService, serviceVariantOf } from '../http/service.ts'
import { type FindSite, siteOfRequest } from '../http/site.ts'
import { wireRequest } from '../http/wire.ts'
import { refuse } from './dispatch.ts'

/**
 * The longest accepted address. It has room for a list of a thousand ids; clients of the interface send none longer.
 */
export const maxAddressBytes = 16 * 1024

/** The longest body of a refused request that the service still reads. */
const maxUnreadBytes = 64 * 1024

/** Decides whether the service works on a request, and answers the requests that it refuses. */
export interface Admission {
  /**
   * Checks the length of the address, the host and the rate limit. This check precedes everything else, including the
   * response cache: it costs almost nothing to admit a request, and little to refuse one.
   *
   * @returns Headers for the response, as alternating names and values; undefined if the request is refused.
   */
  admit(exchange: Exchange): readonly string[] | undefined
  /**
   * Returns true if there is capacity for a request that is not cached. Otherwise refuses the request and returns
   * false.
   */
  hasCapacity(exchange: Exchange): boolean
  /** Refuses a request that arrives while all connections are in use. */
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

/** Returns the headers for an admitted request, or the reason for a refusal. */
function admissionCheck(
  { config, limits }: Deps,
  findSite: FindSite,
): (exchange: Pick<Exchange, 'request' | 'trace'>) => readonly string[] | Problem {
  const clientOf = clientFinder(config)
  return ({ request, trace }) => {
    if ((request.url?.length ?? 0) > maxAddressBytes) return new Problem('rest_uri_too_long')
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

/**
 * Returns a function that finds the client to count a request for. If no proxy is trusted, the client is the same for a
 * whole connection.
 */
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

/** Sends a problem, in the format of the interface or of our own namespace, depending on the address. */
function sendProblem(deps: Deps, problem: Problem, { request, response }: Omit<Exchange, 'trace'>): void {
  const wire = wireRequest(request, {
    site: siteOfRequest(deps.config, { raw: request }),
    body: undefined,
    client: undefined,
    address: '',
  })
  const language = serviceVariantOf(deps.config, wire.path)
  const { status, headers, body } = language ? refuseService(problem, language) : refuse(deps, wire, problem)
  response.writeHead(status, {
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    // Without `close`, Node would wait for the whole body although nobody reads it. A short body has already arrived.
    ...(isShort(request) ? {} : { Connection: 'close' }),
  })
  request.resume()
  response.end(request.method === 'HEAD' ? undefined : body)
}

function pairsOf(headers: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : [])))
}

/** Returns true if reading the body costs less than having the client connect again. */
function isShort({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= maxUnreadBytes
}
