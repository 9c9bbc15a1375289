import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../config/config.ts'
import { networkOf } from './client.ts'

/** What connections wait for that may be closed to make room, in the order in which they are. */
const closableStates = ['idle', 'no_request', 'slow'] as const
type ClosableState = (typeof closableStates)[number]

/**
 * Why a connection was closed: its address had as many as it may; all were taken; or it made room for another one, since
 * nothing was asked on it, no request was whole on it, or its client was slow to send a body or to read an answer.
 */
export type CloseReason = (typeof closeReasons)[number]
export const closeReasons = ['address', 'full', ...closableStates] as const

/** What may be asked on a connection: beyond the most there are, only how the process is. */
export type AcceptedRequests = 'anything' | 'probes'

/** The connections of a process, bounded for each address and in all. */
export interface Connections {
  /** Counts a connection that was just accepted, and makes room for it; where there is none it is closed. */
  accept(socket: Socket): void
  /** Notes that a request came on a connection, which is busy until the response is closed. */
  ask(request: IncomingMessage, response: ServerResponse): AcceptedRequests
}

/** Who has connections: an address, of IPv6 the network of one customer. */
interface ConnectionOwner {
  readonly key: string
  readonly isBounded: boolean
  readonly open: Set<Connection>
}

interface Connection {
  readonly socket: Socket
  readonly owner: ConnectionOwner
  /** Those among which it is counted. */
  place: Set<Connection>
  hasAsked: boolean
  /** That to the last request, until it is closed. */
  response: ServerResponse | undefined
}

type ConnectionSettings = Pick<Config, 'maxConnections' | 'maxConnectionsPerAddress' | 'isExempt' | 'trustProxy'>

/** Beyond the most connections, for probes. Many, for one must not be pushed out before its request is read. */
const maxProbeConnections = 64
/** Of those that may be closed: to look at all of them for each new connection would be dear. */
const shareClosed = 1 / 100

/** @param onClosed Called for each connection that is closed, and for each request that is refused for want of room. */
export function createConnections(
  { maxConnections, maxConnectionsPerAddress, isExempt, trustProxy }: ConnectionSettings,
  onClosed: (reason: CloseReason) => void,
): Connections {
  const known = new WeakMap<Socket, Connection>()
  const owners = new Map<string, ConnectionOwner>()
  // Sets keep the order in which they were filled: the oldest comes first.
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

  /** Closes what is worth less than a connection of this owner; false where there is nothing such. */
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
      const connection: Connection = { socket, owner, place, hasAsked: false, response: undefined }
      // Its last connection may have made room for this one.
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
      response.once('close', () => {
        if (connection.response === response) connection.response = undefined
      })
      if (connection.place === ordinary) return 'anything'
      if (ordinary.size < maxConnections && reserve.delete(connection)) {
        connection.place = ordinary
        ordinary.add(connection)
        return 'anything'
      }
      // One request, and room for the next probe.
      response.shouldKeepAlive = false
      return 'probes'
    },
  }
}

/** How many connections somebody must hold to make room for somebody who holds so many: nobody pushes out who has less. */
function minHeld(state: ClosableState, held: number): number {
  // Who is not asking for anything loses nothing.
  if (state === 'idle') return 0
  // What somebody is at work with makes room only where that leaves him no worse off.
  return state === 'slow' ? held + 2 : held
}

/** What may be closed, in turn: that of whoever has most then, and of his the oldest. */
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

/** What a connection waits for: its client, or us. */
function stateOf({ response, hasAsked, socket }: Connection): ClosableState | 'busy' {
  if (!response) return hasAsked ? 'idle' : 'no_request'
  const { complete, readableLength, readableHighWaterMark } = response.req
  // A body of which enough is here is one that we have not read.
  const isSending = !complete && readableLength < readableHighWaterMark
  return isSending || socket.writableLength > 0 ? 'slow' : 'busy'
}
