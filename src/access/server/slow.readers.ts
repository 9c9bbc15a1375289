import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { startPeriodic } from '../../base/concurrency/periodic.ts'
import { octetsFlushed } from './flushed.octets.ts'

/** Slower than any connection that people use. */
const minBytesPerSecond = 500
/** The number of checks in a row that must find a connection too slow: a connection may stall for a moment. */
const maxSlowLooks = 6

/** The result of the last check of a connection. */
export interface ReadProgress {
  readonly taken: number
  readonly slowLooks: number
}

export const noProgress: ReadProgress = { taken: 0, slowLooks: 0 }

/**
 * Resets connections whose client takes almost nothing of the waiting response. Otherwise one byte a minute would keep
 * a connection, and the memory that it holds, for ever.
 */
export function dropSlowReaders(server: Server, checkMs: number): void {
  const sockets = new Map<Socket, ReadProgress>()
  server.on('connection', (socket) => {
    sockets.set(socket, noProgress)
    socket.once('close', () => sockets.delete(socket))
  })
  const look = () => {
    for (const [socket, progress] of sockets) {
      const now = nextProgress(
        progress,
        { taken: octetsFlushed(socket), isWaiting: socket.writableLength > 0 },
        checkMs,
      )
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
export function nextProgress(
  progress: ReadProgress,
  { taken, isWaiting }: { readonly taken: number; readonly isWaiting: boolean },
  afterMs: number,
): ReadProgress | undefined {
  const isSlow = isWaiting && taken - progress.taken < (minBytesPerSecond * afterMs) / 1000
  const slowLooks = isSlow ? progress.slowLooks + 1 : 0
  return slowLooks >= maxSlowLooks ? undefined : { taken, slowLooks }
}
