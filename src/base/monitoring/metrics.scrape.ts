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
 * Answers `GET /metrics` to those who may read them, with the metrics of all processes of this service: at whatever host
 * and however busy the service is.
 *
 * @returns A function that gives false for every other request. To strangers the address is one that is not there.
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
 * Whether the address of a client is known. What a proxy hands on that is not believed, or that does not name who
 * asked, comes from the proxy's own address, most likely a private one.
 */
function isDirect(config: MetricsSettings, request: IncomingMessage): boolean {
  if (forwardedFor(config, request).length > 0) return true
  return !['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some((name) => request.headers[name] !== undefined)
}

function isSame(sent: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(sent), digest(expected))
}
