import type { Socket } from 'node:net'

const paced = new WeakSet<Socket>()

/**
 * Exempts the request on a connection from the time limit for its body, because the service reads the body only as fast
 * as it can work. The endpoint limits the time itself.
 */
export function markPaced(socket: Socket): void {
  paced.add(socket)
}

export function isPaced(socket: Socket): boolean {
  return paced.has(socket)
}
