import cluster from 'node:cluster'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../config/config.ts'
import { clientAddress } from '../limits/client.ts'
import { forwardedFor } from '../limits/forwarded.ts'
import { type Metrics, type MetricsSnapshot, metricsText, metricsType } from './metrics.ts'
import { shareMetrics } from './metrics.workers.ts'

type MetricsSettings = Pick<Config, 'metricsToken' | 'metricsFrom' | 'trustProxy' | 'trustedHeaders'>

/**
 * Answers `GET /metrics` for permitted clients, with the metrics of all processes of the service. It does so for any
 * host name and under any load.
 *
 * @returns A function that returns false for every other request. For clients without permission, the address does not
 *   exist.
 */
export function createMetricsEndpoint(config: MetricsSettings, metrics: Metrics) {
  const gather = cluster.isWorker ? shareMetrics(metrics) : async () => [await metrics.snapshot()]
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = '' } = request
    if (method !== 'GET' || url.split('?', 1)[0] !== '/metrics' || !mayRead(config, request)) return false
    void answer(response, gather)
    return true
  }
}

async function answer(response: ServerResponse, gather: () => Promise<readonly MetricsSnapshot[]>): Promise<void> {
  const text = await metricsText(await gather())
  response.writeHead(200, {
    'Content-Type': metricsType,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(text)
}

function mayRead(config: MetricsSettings, request: IncomingMessage): boolean {
  const { metricsToken, metricsFrom } = config
  const [, sent = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (metricsToken !== undefined && !isSame(sent, metricsToken)) return false
  return metricsFrom === undefined || (isDirect(config, request) && metricsFrom(clientAddress(config, request)))
}

/**
 * Returns whether the address of the client is known. A request that an untrusted proxy forwards, or that does not name
 * its client, comes from the address of the proxy, which is probably private.
 */
function isDirect(config: MetricsSettings, request: IncomingMessage): boolean {
  if (forwardedFor(config, request).length > 0) return true
  return !['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some((name) => request.headers[name] !== undefined)
}

function isSame(sent: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(sent), digest(expected))
}
