import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as SocketServer } from 'node:net'
import { type Periodic, startPeriodic } from '../../base/concurrency/periodic.ts'

const closeIdleEveryMs = 50
/** Time in which a client that has just sent a request on an idle keep-alive connection still gets a response. */
const idleGraceMs = 1000

/**
 * Stops listening, and waits until the open connections have ended. Requests on them still get a response.
 *
 * @param timeoutMs Connections that are still open after this time are closed.
 * @returns True if all connections ended before the timeout.
 */
export async function closeGracefully(server: Server, timeoutMs: number): Promise<boolean> {
  if (!server.listening) return true
  const closed = once(server, 'close')
  // The `close` of an HTTP server closes idle connections at once, and so loses requests that are on their way.
  SocketServer.prototype.close.call(server)
  let isCut = false
  let closing: Periodic | undefined
  const grace = setTimeout(() => {
    closing = startPeriodic(() => server.closeIdleConnections(), { intervalMs: closeIdleEveryMs })
  }, idleGraceMs)
  const cut = setTimeout(() => {
    isCut = true
    server.closeAllConnections()
  }, timeoutMs)
  try {
    await closed
    return !isCut
  } finally {
    for (const timer of [grace, cut]) clearTimeout(timer)
    await closing?.stop()
  }
}
