import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Slower than any line that people use. */
const leastBytesPerSecond = 500
/** Looks at a connection that must all find it too slow: a line may be away for a moment. */
const mostSlowLooks = 6

interface Seen {
  readonly readBytes: number
  readonly slowLooks: number
}

/**
 * Ends connections whose client takes next to nothing of the answer that waits for it: without this one byte a minute
 * would keep it, and what it holds in memory, for ever.
 */
export function dropSlowReaders(server: Server, checkMs: number): void {
  const sockets = new Map<Socket, Seen>()
  server.on('connection', (socket) => {
    sockets.set(socket, { readBytes: 0, slowLooks: 0 })
    socket.once('close', () => sockets.delete(socket))
  })
  const leastBytes = (leastBytesPerSecond * checkMs) / 1000
  const look = () => {
    for (const [socket, seen] of sockets) {
      const readBytes = socket.bytesWritten - socket.writableLength
      const isSlow = socket.writableLength > 0 && readBytes - seen.readBytes < leastBytes
      const slowLooks = isSlow ? seen.slowLooks + 1 : 0
      if (slowLooks >= mostSlowLooks) socket.destroy()
      else sockets.set(socket, { readBytes, slowLooks })
    }
  }
  const looking = setInterval(look, checkMs).unref()
  server.once('close', () => clearInterval(looking))
}
