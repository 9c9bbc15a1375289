import type { RequestListener } from 'node:http'
import type { CountedRequestListener } from './connections.ts'
import type { ServerParts } from './server.parts.ts'

/**
 * Returns the listener that handles a request before the framework. It answers probes and metrics, refuses requests
 * beyond the limits, and sends cached responses. Most requests repeat earlier ones, so they never reach the framework.
 *
 * @param handle The framework's own listener, for all other requests.
 */
export function requestListener(
  { deps: { limits, monitoring }, api, admission, cache, traces }: ServerParts,
  handle: RequestListener,
): CountedRequestListener {
  return (request, response, allowed) => {
    const trace = monitoring.beginTrace(request, response)
    if (api.answerProbe?.(request, response) || monitoring.answerMetrics(request, response)) return
    const exchange = { request, response, trace }
    if (allowed === 'probes') return admission.refuseConnection(exchange)
    const headers = admission.admit(exchange)
    if (!headers) return
    const handOver = () => {
      if (!admission.hasCapacity(exchange)) return
      traces.set(request, trace)
      monitoring.reportFailure(exchange)
      for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? '', headers[at + 1] ?? '')
      const line = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write'
      limits.inFlight.schedule(() => response.destroyed || handle(request, response), line)
    }
    const isAnswered = cache.answer({ ...exchange, headers })
    if (isAnswered === false) handOver()
    else if (isAnswered !== true) void isAnswered.then((isDone) => isDone || handOver())
  }
}
