import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { startPeriodic } from '../../base/concurrency/periodic.ts'
import { octetsTaken } from './taken.ts'

/** Slower than any line that people use. */
const leastBytesPerSecond = 500
/** Looks at a connection that must all find it too slow: a line may be away for a moment. */
const mostSlowLooks = 6

/** What the last look at a connection has found. */
export interface Seen {
  readonly taken: number
  readonly slowLooks: number
}

export const unseen: Seen = { taken: 0, slowLooks: 0 }

/**
 * Ends connections whose client takes next to nothing of the answer that waits for it: without this one byte a minute
 * would keep it, and what it holds in memory, for ever.
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
      // Not ended, which whoever counts no octets takes for the end of the answer.
      else socket.resetAndDestroy()
    }
  }
  const looking = startPeriodic(look, { intervalMs: checkMs })
  server.once('close', () => void looking.stop())
}

/**
 * Looks at a connection once more, so long after the last time.
 *
 * @returns undefined where it was too slow for too long.
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
