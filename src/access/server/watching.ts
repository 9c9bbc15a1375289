import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../base/config/config.ts'
import { type Seen, unmatched, workingOn } from '../../base/monitoring/seen.ts'
import type { Deps } from '../deps.ts'
import type { Memory } from '../http/memory.ts'

/**
 * Has what is noted while a request is worked on be of that request: its route at once, and from its handler on all that
 * the rooms note.
 *
 * @param seenOf What is known of a request; undefined where it did not come over a connection.
 */
export function watchRequests(
  server: FastifyInstance,
  config: Pick<Config, 'restPrefix' | 'isTellingTimes'>,
  seenOf: (request: IncomingMessage) => Seen | undefined,
): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const seen = seenOf(request.raw)
    const { url } = request.routeOptions
    if (seen && url !== undefined && url !== '/*') seen.route = routeName(config, url)
    done()
  })
  // After the body is read: what comes with its last part knows nothing of the request.
  server.addHook('preValidation', (request, _reply, done) => {
    const seen = seenOf(request.raw)
    if (seen) workingOn(seen, done)
    else done()
  })
  if (!config.isTellingTimes) return
  server.addHook('onSend', (request, reply, payload, done) => {
    const seen = seenOf(request.raw)
    if (seen) reply.header('Server-Timing', timingOf(seen))
    done(null, payload)
  })
}

/** What an answer says of the time that it took (W3C Server Timing). */
export function timingOf({ beganAtMs, queries, queryMs, memory }: Seen): string {
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

/** A route of the framework as all routes are told: `/fr/uploads/:name` and `/uploads/:name` as `/uploads/{name}`. */
export function routeName({ restPrefix }: Pick<Config, 'restPrefix'>, url: string): string {
  const below = restPrefix !== '' && url.startsWith(`${restPrefix}/`) ? url.slice(restPrefix.length) : url
  return below.replace(/^\/fr(?=\/)/, '').replace(/:(\w+)/g, '{$1}') || unmatched
}

/** Has the work that waits in this process, and what it keeps, be seen. */
export function measureServer({ monitoring, storage, limits }: Deps, server: FastifyInstance, memory: Memory): void {
  monitoring.measure({
    requestsInLine: limits.inFlight.waiting,
    connections: () =>
      new Promise((resolve, reject) =>
        server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    memoryAnswers: () => memory.size().answers,
    memoryBytes: () => memory.size().bytes,
    writesWaiting: storage.waitingWrites,
    revision: () => storage.revision(),
  })
}
