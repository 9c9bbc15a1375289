import type { Socket } from 'node:net'

/** What Node has of a connection from the system, and looks at for its own timeouts. */
interface Handle {
  /** Octets that were handed to the system, and how many of them it has not taken yet. */
  readonly bytesWritten?: number
  readonly writeQueueSize?: number
}

/**
 * Octets that the system has taken of all that was sent on a connection, for its client. `bytesWritten` and
 * `writableLength`, which are documented, know what is handed over at once only as a whole: of an answer of 6 MB nothing
 * until all of it has been taken.
 */
export function octetsTaken(socket: Socket): number {
  const { _handle: handle } = socket as { readonly _handle?: Handle | null }
  if (handle?.bytesWritten === undefined || handle.writeQueueSize === undefined) {
    return socket.bytesWritten - socket.writableLength
  }
  return handle.bytesWritten - handle.writeQueueSize
}
