import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../base/config/config.ts'
import { splitLanguagePath } from '../../base/languages/language.ts'
import { type RequestTrace, unmatchedRoute, withRequestTrace } from '../../base/monitoring/request.trace.ts'
import type { Deps } from '../deps.ts'
import type { ResponseStore } from '../http/answers/response.store.ts'

/**
 * Records everything that is noted during a request in the trace of that request: its route at once, and, from its
 * handler on, the notes of all modules that it calls.
 *
 * @param requestTraceOf Returns the trace of a request; undefined if the request did not arrive over a connection.
 */
export function traceRequests(
  server: FastifyInstance,
  config: Pick<Config, 'restPrefix' | 'sendsServerTiming'>,
  requestTraceOf: (request: IncomingMessage) => RequestTrace | undefined,
): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const requestTrace = requestTraceOf(request.raw)
    const { url } = request.routeOptions
    if (requestTrace && url !== undefined && url !== '/*') requestTrace.route = routeName(config, url)
    done()
  })
  // Runs after the body is read, because the events of its last part have lost the context of the request.
  server.addHook('preValidation', (request, _reply, done) => {
    const requestTrace = requestTraceOf(request.raw)
    if (requestTrace) withRequestTrace(requestTrace, done)
    else done()
  })
  if (!config.sendsServerTiming) return
  server.addHook('onSend', (request, reply, payload, done) => {
    const requestTrace = requestTraceOf(request.raw)
    if (requestTrace) reply.header('Server-Timing', serverTiming(requestTrace))
    done(null, payload)
  })
}

/** Returns the `Server-Timing` value of a response (W3C Server Timing). */
export function serverTiming({ beganAtMs, queries, queryMs, memory }: RequestTrace): string {
  const totalMs = performance.now() - beganAtMs
  return [
    ...(memory === undefined ? [] : [`cache;desc=${memory}`]),
    ...(queries === 0 ? [] : [`db;desc="${queries} statements";dur=${rounded(queryMs)}`]),
    `app;dur=${rounded(Math.max(0, totalMs - queryMs))}`,
    `total;dur=${rounded(totalMs)}`,
  ].join(', ')
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

/**
 * Returns the name of a route of the framework in the format of all routes: `/fr/uploads/:name` and `/uploads/:name`
 * become `/uploads/{name}`.
 */
function routeName({ restPrefix }: Pick<Config, 'restPrefix'>, url: string): string {
  const below = restPrefix !== '' && url.startsWith(`${restPrefix}/`) ? url.slice(restPrefix.length) : url
  return splitLanguagePath(below).path.replace(/:(\w+)/g, '{$1}') || unmatchedRoute
}

/** Adds to the metrics the work that waits in this process and the size of the response cache. */
export function measureServer(
  { monitoring, storage, limits }: Deps,
  server: FastifyInstance,
  cache: Pick<ResponseStore, 'size'>,
): void {
  monitoring.measure({
    requestsInLine: limits.inFlight.waiting,
    connections: () =>
      new Promise((resolve, reject) =>
        server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    memoryAnswers: () => cache.size().answers,
    memoryBytes: () => cache.size().bytes,
    writesWaiting: storage.waitingWrites,
    revision: () => storage.revision(),
  })
}
