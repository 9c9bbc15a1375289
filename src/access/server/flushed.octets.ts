import type { Socket } from 'node:net'

/** Node's handle of a socket. Node uses these properties for its own timeouts. */
interface Handle {
  /** Bytes handed to the system, and how many of them it has not taken yet. */
  readonly bytesWritten?: number
  readonly writeQueueSize?: number
}

/**
 * Returns the number of bytes that the system has taken of everything sent on a connection. The documented
 * `bytesWritten` and `writableLength` count a buffer only as a whole: for a response of 6 MB they show nothing until
 * all of it is taken.
 */
export function octetsFlushed(socket: Socket): number {
  const { _handle: handle } = socket as { readonly _handle?: Handle | null }
  if (handle?.bytesWritten === undefined || handle.writeQueueSize === undefined) {
    return socket.bytesWritten - socket.writableLength
  }
  return handle.bytesWritten - handle.writeQueueSize
}
