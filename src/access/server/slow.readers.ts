import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { startPeriodic } from '../../base/concurrency/periodic.ts'
import { octetsTaken } from './taken.ts'

/** Slower than any connection that people use. */
const leastBytesPerSecond = 500
/** The number of checks in a row that must find a connection too slow: a connection may stall for a moment. */
const mostSlowLooks = 6

/** The result of the last check of a connection. */
export interface Seen {
  readonly taken: number
  readonly slowLooks: number
}

export const unseen: Seen = { taken: 0, slowLooks: 0 }

/**
 * Resets connections whose client takes almost nothing of the waiting response. Otherwise one byte a minute would keep
 * a connection, and the memory that it holds, for ever.
 */
export function dropSlowReaders(server: Server, checkMs: number): void {
  const sockets = new Map<Socket, Seen>()
  server.on('connection', (socket) => {
    sockets.set(socket, unseen)
    socket.once('close', () => sockets.delete(socket))
  })
  const look = () => {
    for (const [socket, seen] of sockets) {
      const now = lookAgain(seen, { taken: octetsTaken(socket), isWaiting: socket.writableLength > 0 }, checkMs)
      if (now) sockets.set(socket, now)
      // A reset, because a client that does not count bytes would take a normal close for the end of the response.
      else socket.resetAndDestroy()
    }
  }
  const looking = startPeriodic(look, { intervalMs: checkMs })
  server.once('close', () => void looking.stop())
}

/**
 * Checks a connection again, this long after the last check.
 *
 * @returns undefined if it was too slow for too long.
 */
export function lookAgain(
  seen: Seen,
  { taken, isWaiting }: { readonly taken: number; readonly isWaiting: boolean },
  afterMs: number,
): Seen | undefined {
  const isSlow = isWaiting && taken - seen.taken < (leastBytesPerSecond * afterMs) / 1000
  const slowLooks = isSlow ? seen.slowLooks + 1 : 0
  return slowLooks >= mostSlowLooks ? undefined : { taken, slowLooks }
}
