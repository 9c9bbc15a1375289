import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../config/config.ts'
import { networkOf } from './client.ts'

/** What connections wait for that may be closed to make room, in the order in which they are. */
const stages = ['idle', 'no_request', 'slow'] as const
type Stage = (typeof stages)[number]

/**
 * Why a connection was closed: its address had as many as it may; all were taken; or it made room for another one, since
 * nothing was asked on it, no request was whole on it, or its client was slow to send a body or to read an answer.
 */
export type ClosedFor = (typeof closedFor)[number]
export const closedFor = ['address', 'full', ...stages] as const

/** What may be asked on a connection: beyond the most there are, only how the process is. */
export type Allowed = 'anything' | 'probes'

/** The connections of a process, bounded for each address and in all. */
export interface Connections {
  /** Counts a connection that was just accepted, and makes room for it; where there is none it is closed. */
  accept(socket: Socket): void
  /** Notes that a request came on a connection, which is busy until the response is closed. */
  ask(request: IncomingMessage, response: ServerResponse): Allowed
}

/** Who has connections: an address, of IPv6 the network of one customer. */
interface Holder {
  readonly key: string
  readonly isBounded: boolean
  readonly open: Set<Connection>
}

interface Connection {
  readonly socket: Socket
  readonly holder: Holder
  /** Those among which it is counted. */
  place: Set<Connection>
  hasAsked: boolean
  /** That to the last request, until it is closed. */
  response: ServerResponse | undefined
}

type Settings = Pick<Config, 'maxConnections' | 'maxConnectionsPerAddress' | 'isExempt' | 'trustProxy'>

/** Beyond the most connections, for probes. Many, for one must not be pushed out before its request is read. */
const mostForProbes = 64
/** Of those that may be closed: to look at all of them for each new connection would be dear. */
const shareClosed = 1 / 100

/** @param told Is told of each connection that is closed, and of each request that is refused for want of room. */
export function createConnections(
  { maxConnections, maxConnectionsPerAddress, isExempt, trustProxy }: Settings,
  told: (reason: ClosedFor) => void,
): Connections {
  const known = new WeakMap<Socket, Connection>()
  const holders = new Map<string, Holder>()
  // Sets keep the order in which they were filled: the oldest comes first.
  const ordinary = new Set<Connection>()
  const reserve = new Set<Connection>()

  const holderOf = (address: string): Holder => {
    const key = networkOf(address) ?? ''
    const found = holders.get(key)
    if (found) return found
    const isBounded = !isExempt(address) && !trustProxy?.(address, 0)
    const holder: Holder = { key, isBounded, open: new Set() }
    holders.set(key, holder)
    return holder
  }
  const forget = (connection: Connection) => {
    const { place, holder } = connection
    place.delete(connection)
    holder.open.delete(connection)
    if (holder.open.size === 0 && holders.get(holder.key) === holder) holders.delete(holder.key)
  }
  const close = (connection: Connection, reason: ClosedFor) => {
    forget(connection)
    connection.socket.destroy()
    told(reason)
  }

  /** Closes what is worth less than a connection of this holder; false where there is nothing such. */
  const makeRoom = (among: ReadonlySet<Connection>, newcomer: Holder): boolean => {
    const byStage = closableOf(among)
    for (const stage of stages) {
      const closable = byStage[stage]
      const [first] = closable
      if (!first || first.held < leastHeld(stage, newcomer.open.size)) continue
      const most = stage === 'slow' ? 1 : Math.ceil(closable.length * shareClosed)
      for (const { connection } of closable.slice(0, most)) close(connection, stage)
      return true
    }
    return false
  }

  return {
    accept: (socket) => {
      const holder = holderOf(socket.remoteAddress ?? '')
      const refuse = (reason: ClosedFor) => {
        if (holder.open.size === 0) holders.delete(holder.key)
        socket.destroy()
        told(reason)
      }
      const isBeyond = holder.isBounded && holder.open.size >= maxConnectionsPerAddress
      if (isBeyond && !makeRoom(holder.open, holder)) return refuse('address')
      const hasRoom = ordinary.size < maxConnections || makeRoom(ordinary, holder)
      if (!hasRoom && reserve.size >= mostForProbes && !makeRoom(reserve, holder)) return refuse('full')
      const place = hasRoom ? ordinary : reserve
      const connection: Connection = { socket, holder, place, hasAsked: false, response: undefined }
      // Its last connection may have made room for this one.
      holders.set(holder.key, holder)
      place.add(connection)
      holder.open.add(connection)
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
function leastHeld(stage: Stage, held: number): number {
  // Who is not asking for anything loses nothing.
  if (stage === 'idle') return 0
  // What somebody is at work with makes room only where that leaves him no worse off.
  return stage === 'slow' ? held + 2 : held
}

/** What may be closed, in turn: that of whoever has most then, and of his the oldest. */
function closableOf(connections: Iterable<Connection>) {
  const byStage: Record<Stage | 'busy', Connection[]> = { idle: [], no_request: [], slow: [], busy: [] }
  for (const connection of connections) byStage[stageOf(connection)].push(connection)
  const inTurn = (stage: Stage) => {
    const left = new Map<Holder, number>()
    const closable = byStage[stage].map((connection) => {
      const held = left.get(connection.holder) ?? connection.holder.open.size
      left.set(connection.holder, held - 1)
      return { connection, held }
    })
    return closable.sort((one, other) => other.held - one.held)
  }
  return { idle: inTurn('idle'), no_request: inTurn('no_request'), slow: inTurn('slow') }
}

/** What a connection waits for: its client, or us. */
function stageOf({ response, hasAsked, socket }: Connection): Stage | 'busy' {
  if (!response) return hasAsked ? 'idle' : 'no_request'
  const { complete, readableLength, readableHighWaterMark } = response.req
  // A body of which enough is here is one that we have not read.
  const isSending = !complete && readableLength < readableHighWaterMark
  return isSending || socket.writableLength > 0 ? 'slow' : 'busy'
}
