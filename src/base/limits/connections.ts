import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../config/config.ts'
import { networkOf } from './client.ts'

/** The states of a connection that may be closed to make room, in the order in which they are tried. */
const closableStates = ['idle', 'no_request', 'slow'] as const
type ClosableState = (typeof closableStates)[number]

/**
 * The reason why a connection was closed. Either its address reached its maximum, or all connections were in use, or it
 * was closed to make room for another one. A connection is closed to make room if it had no request, if no request on
 * it was complete, or if its client was slow to send a body or to read a response.
 */
export type CloseReason = (typeof closeReasons)[number]
export const closeReasons = ['address', 'full', ...closableStates] as const

/**
 * What a client may request on a connection. Above the maximum number of connections, only health probes are accepted.
 */
export type AcceptedRequests = 'anything' | 'probes'

/** The connections of a process, limited per address and in total. */
export interface Connections {
  /** Counts a new connection and makes room for it. Closes it if there is no room. */
  accept(socket: Socket): void
  /** Records a request on a connection. The connection is busy until the response is closed. */
  ask(request: IncomingMessage, response: ServerResponse): AcceptedRequests
}

/** The owner of connections: an IPv4 address, or for IPv6 the network of one customer. */
interface ConnectionOwner {
  readonly key: string
  readonly isBounded: boolean
  readonly open: Set<Connection>
}

interface Connection {
  readonly socket: Socket
  readonly owner: ConnectionOwner
  place: Set<Connection>
  hasAsked: boolean
  /** The response to the last request, until it is closed. */
  response: ServerResponse | undefined
  /** Called for each response that is closed, with the response as `this`: no request needs a function of its own. */
  readonly forgetResponse: (this: ServerResponse) => void
}

type ConnectionSettings = Pick<Config, 'maxConnections' | 'maxConnectionsPerAddress' | 'isExempt' | 'trustProxy'>

/** Extra connections for probes. The number is large so that a probe is not closed before its request is read. */
const maxProbeConnections = 64
/** The share of closable connections to close at once. Scanning all of them for each new connection is expensive. */
const shareClosed = 1 / 100

/** @param onClosed Called for each connection that is closed, and for each request refused because there is no room. */
export function createConnections(
  { maxConnections, maxConnectionsPerAddress, isExempt, trustProxy }: ConnectionSettings,
  onClosed: (reason: CloseReason) => void,
): Connections {
  const known = new WeakMap<Socket, Connection>()
  const owners = new Map<string, ConnectionOwner>()
  // Sets keep insertion order: the oldest connection is first.
  const ordinary = new Set<Connection>()
  const reserve = new Set<Connection>()

  const ownerOf = (address: string): ConnectionOwner => {
    const key = networkOf(address) ?? ''
    const found = owners.get(key)
    if (found) return found
    const isBounded = !isExempt(address) && !trustProxy?.(address, 0)
    const owner: ConnectionOwner = { key, isBounded, open: new Set() }
    owners.set(key, owner)
    return owner
  }
  const forget = (connection: Connection) => {
    const { place, owner } = connection
    place.delete(connection)
    owner.open.delete(connection)
    if (owner.open.size === 0 && owners.get(owner.key) === owner) owners.delete(owner.key)
  }
  const close = (connection: Connection, reason: CloseReason) => {
    forget(connection)
    connection.socket.destroy()
    onClosed(reason)
  }

  /** Closes connections that are worth less than one of this owner. Returns false if there are none. */
  const makeRoom = (among: ReadonlySet<Connection>, newcomer: ConnectionOwner): boolean => {
    const byState = closableOf(among)
    for (const state of closableStates) {
      const closable = byState[state]
      const [first] = closable
      if (!first || first.held < minHeld(state, newcomer.open.size)) continue
      const most = state === 'slow' ? 1 : Math.ceil(closable.length * shareClosed)
      for (const { connection } of closable.slice(0, most)) close(connection, state)
      return true
    }
    return false
  }

  return {
    accept: (socket) => {
      const owner = ownerOf(socket.remoteAddress ?? '')
      const refuse = (reason: CloseReason) => {
        if (owner.open.size === 0) owners.delete(owner.key)
        socket.destroy()
        onClosed(reason)
      }
      const isBeyond = owner.isBounded && owner.open.size >= maxConnectionsPerAddress
      if (isBeyond && !makeRoom(owner.open, owner)) return refuse('address')
      const hasRoom = ordinary.size < maxConnections || makeRoom(ordinary, owner)
      if (!hasRoom && reserve.size >= maxProbeConnections && !makeRoom(reserve, owner)) return refuse('full')
      const place = hasRoom ? ordinary : reserve
      const connection: Connection = {
        ...{ socket, owner, place, hasAsked: false, response: undefined },
        forgetResponse() {
          if (connection.response === this) connection.response = undefined
        },
      }
      // The owner may have lost its last connection to make room for this one.
      owners.set(owner.key, owner)
      place.add(connection)
      owner.open.add(connection)
      known.set(socket, connection)
      socket.once('close', () => forget(connection))
    },
    ask: (request, response) => {
      const connection = known.get(request.socket)
      if (!connection) return 'anything'
      connection.hasAsked = true
      connection.response = response
      response.on('close', connection.forgetResponse)
      if (connection.place === ordinary) return 'anything'
      if (ordinary.size < maxConnections && reserve.delete(connection)) {
        connection.place = ordinary
        ordinary.add(connection)
        return 'anything'
      }
      // One request only, to make room for the next probe.
      response.shouldKeepAlive = false
      return 'probes'
    },
  }
}

/**
 * Returns how many connections an owner must hold before one is closed for a newcomer that holds `held`. Nobody loses a
 * connection to an owner that holds more.
 */
function minHeld(state: ClosableState, held: number): number {
  // A client without a request in progress loses nothing.
  if (state === 'idle') return 0
  // A connection in use makes room only if its owner still holds no fewer than the newcomer.
  return state === 'slow' ? held + 2 : held
}

/**
 * Returns the connections that may be closed, by state: those of the owner with the most first, and per owner the
 * oldest first.
 */
function closableOf(connections: Iterable<Connection>) {
  const byState: Record<ClosableState | 'busy', Connection[]> = { idle: [], no_request: [], slow: [], busy: [] }
  for (const connection of connections) byState[stateOf(connection)].push(connection)
  const closableIn = (state: ClosableState) => {
    const left = new Map<ConnectionOwner, number>()
    const closable = byState[state].map((connection) => {
      const held = left.get(connection.owner) ?? connection.owner.open.size
      left.set(connection.owner, held - 1)
      return { connection, held }
    })
    return closable.sort((one, other) => other.held - one.held)
  }
  return { idle: closableIn('idle'), no_request: closableIn('no_request'), slow: closableIn('slow') }
}

/** Returns what a connection is waiting for: its client or this service. */
function stateOf({ response, hasAsked, socket }: Connection): ClosableState | 'busy' {
  if (!response) return hasAsked ? 'idle' : 'no_request'
  const { complete, readableLength, readableHighWaterMark } = response.req
  // If the read buffer is full, the service is the slow side, not the client.
  const isSending = !complete && readableLength < readableHighWaterMark
  return isSending || socket.writableLength > 0 ? 'slow' : 'busy'
}
