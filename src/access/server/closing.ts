import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as SocketServer } from 'node:net'
import { type Periodic, startPeriodic } from '../../base/concurrency/periodic.ts'

const closeIdleEveryMs = 50
/** A client that has just sent on a connection which it thinks is kept is still answered. */
const idleGraceMs = 1000

/**
 * Stops listening, and waits until the connections that are there have ended: what is asked on them is answered.
 *
 * @param timeoutMs What has not ended then is cut.
 * @returns Whether everything ended by itself.
 */
export async function finish(server: Server, timeoutMs: number): Promise<boolean> {
  if (!server.listening) return true
  const closed = once(server, 'close')
  // The way of its own that an HTTP server has cuts idle connections at once, and with them what is on its way there.
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
