import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Health, Readiness } from './health.ts'

const live: Health = { status: 'pass', checks: {} }

/**
 * Handles requests before anything else does. Answers `/health/live` and `/health/ready`. If the process is stopping,
 * makes clients use another connection for their next request.
 *
 * @returns Whether the request is answered, or will be.
 */
export function createHealthProbe(
  readiness: Readiness,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    // RFC 9112, 9.6: the response closes the connection, and the client opens another one.
    if (readiness.isStopping()) response.shouldKeepAlive = false
    const { method, url = '' } = request
    if (!url.startsWith('/health/') || (method !== 'GET' && method !== 'HEAD')) return false
    const path = url.split('?', 1)[0]
    // A stopping process is alive until it has ended, so that no supervisor ends it earlier.
    if (path === '/health/live') answer(request, response, live)
    else if (path === '/health/ready') void readiness.look().then((health) => answer(request, response, health))
    else return false
    return true
  }
}

function answer({ method }: IncomingMessage, response: ServerResponse, health: Health): void {
  const body = JSON.stringify(health)
  response.writeHead(health.status === 'pass' ? 200 : 503, {
    'Content-Type': 'application/json; charset=UTF-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(method === 'HEAD' ? undefined : body)
}
