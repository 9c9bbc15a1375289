import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Closes connections in stages. */
export interface StagedClose {
  /** Records a request. Returns false if its connection is being closed: the request must not be processed. */
  begin(request: IncomingMessage): boolean
}

/**
 * Closes connections in stages if their client still sends (RFC 9112, 9.6). Node closes both sides as soon as the
 * response is written. If bytes of the request arrive after that, or were not read, the system resets the connection,
 * and the client loses what it had not read of the response. So the service closes its sending side only, and drops the
 * rest of the request until it is complete.
 *
 * @param mostMs The time after which the connection is closed although the client still sends.
 */
export function closeInStages(server: Server, mostMs: number): StagedClose {
  const requests = new WeakMap<Socket, IncomingMessage>()
  const closing = new WeakSet<Socket>()
  const remember = (request: IncomingMessage) => {
    const { socket } = request
    requests.set(socket, request)
    // An idle connection must not keep the headers of its last request.
    request.once('close', () => {
      if (requests.get(socket) === request) requests.delete(socket)
    })
  }
  server.on('connection', (socket) => {
    const close = socket.destroySoon.bind(socket)
    // Node calls it after the last response on a connection.
    socket.destroySoon = () => {
      const request = requests.get(socket)
      if (!request || request.complete || closing.has(socket)) return close()
      closing.add(socket)
      socket.end()
      const timer = setTimeout(() => socket.destroy(), mostMs)
      socket.once('close', () => clearTimeout(timer))
      request.once('end', close).resume()
    }
  })
  return {
    begin: (request) => {
      if (closing.has(request.socket)) return false
      if (hasBody(request)) remember(request)
      return true
    },
  }
}

/** Whether more than the headers may arrive (RFC 9112, 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}
