import { setTimeout as wait } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { Client, Pool, type PoolClient, type QueryResult } from 'pg'
import type { Problem } from '../../../base/problems.ts'
import { preparedName } from '../statements/compiled.statement.ts'
import { tooDear, unavailable } from '../unavailable.ts'
import { isServerGone, isStatementEnded, isUnreachable } from './errors.ts'
import type { Outages } from './outage.ts'
import { type Run, sendingAhead } from './pipeline.ts'
import {
  connectionConfig,
  connectTimeoutMs,
  type Route,
  type Server,
  type SessionLimits,
  transactionSettings,
} from './server.ts'

export interface PoolOptions extends SessionLimits {
  readonly server: Server
  readonly size: number
  /** How long to wait for a server that is away. By default not at all. */
  readonly waitMs?: number
  /** While so many wait for a connection, others do not wait for the server: replicas need room to answer. */
  readonly maxWaiting?: number | undefined
  /** Whether statements without a result travel with the next one. For the connection that writes. */
  readonly isPipelined?: boolean
  /** Told when the server is away, and when it is back. Without it, each failed request has its cause. */
  readonly outages?: Outages | undefined
}

const idleTimeoutMs = 60_000
/** How long to wait before the server is looked for again. */
const lookAgainMs = 250

const ignore = () => {}

/** Its callers need not wait for a server that is away. */
interface WaitingPool extends PostgresPool {
  /** The same connections for callers that wait. */
  readonly patient: PostgresPool
}

/** A connection by the route that was known when it was opened. */
interface RoutedClient extends PoolClient {
  readonly route: Route
}

/**
 * A pool of connections. While the server is away, callers get the problem `service_unavailable`. A broken connection
 * is never reused, so the service recovers as soon as the server does.
 */
export function openPool(connections: PoolOptions): WaitingPool {
  const { server, size, isPipelined = false, waitMs = 0, maxWaiting = Number.POSITIVE_INFINITY } = connections
  class Routed extends Client {
    readonly route: Route
    constructor() {
      const route = server.known()
      if (!route) throw new Error('A connection needs a route.')
      super({ ...connectionConfig(route, connections), pipeline: isPipelined || route.isPooled })
      this.route = route
    }
  }
  const pool = new Pool({
    ...{ Client: Routed, max: size, idleTimeoutMillis: idleTimeoutMs },
    connectionTimeoutMillis: connectTimeoutMs,
  })
  // The pool drops an idle connection that breaks. A connection in use rejects its pending query.
  pool.on('error', server.forget)
  pool.on('connect', (client) => client.on('error', ignore))
  let waiting = 0
  const connect = async (isPatient: boolean): Promise<PostgresPoolClient> => {
    const endMs = performance.now() + (isPatient && waiting < maxWaiting ? waitMs : 0)
    waiting += 1
    try {
      for (;;) {
        try {
          const { url } = await server.find(isPatient)
          const client = (await pool.connect()) as RoutedClient
          if (client.route.url === url) return withErrorMapping(client, connections)
          // Another server has taken over.
          client.release(true)
        } catch (error) {
          if (!isUnreachable(error)) throw unavailable(error)
          const problem = failureOf(error, connections)
          if (!isServerGone(error) || performance.now() >= endMs) throw problem
          await wait(lookAgainMs)
        }
      }
    } finally {
      waiting -= 1
    }
  }
  let ending: Promise<void> | undefined
  const end = () => {
    ending ??= pool.end()
    return ending
  }
  return {
    ...{ options: pool.options, end, connect: () => connect(false) },
    patient: { ...{ options: pool.options, end }, connect: () => connect(true) },
  }
}

/** Returns the problem of a request. An absent server is reported once for all requests. */
function failureOf(error: Error, { server, outages }: Pick<PoolOptions, 'server' | 'outages'>): Problem {
  if (isServerGone(error)) server.forget()
  if (!outages || !isServerGone(error)) return unavailable(error)
  outages.began(error)
  return unavailable(undefined)
}

function withErrorMapping(client: RoutedClient, connections: PoolOptions): PostgresPoolClient {
  const { isPipelined = false, isReading = false, outages } = connections
  let isBroken = false
  const send = client.route.isPooled ? inTransactions(client, connections) : sendTo(client)
  const run: Run = async (text, parameters) => {
    try {
      const result = await send(text, parameters)
      outages?.ended(!isReading && text === 'commit')
      return result
    } catch (error) {
      if (isReading && isStatementEnded(error)) throw tooDear()
      if (!isUnreachable(error)) throw error
      isBroken = true
      throw failureOf(error, connections)
    }
  }
  return {
    query: isPipelined ? sendingAhead(run, client.connection.stream) : (run as unknown as PostgresPoolClient['query']),
    release: (isDiscarded = false) => client.release(isDiscarded || isBroken),
  }
}

function sendTo(client: RoutedClient) {
  const { canPrepare } = client.route
  return (text: string, parameters: readonly unknown[]): Promise<QueryResult> => {
    const name = canPrepare ? preparedName(text) : undefined
    const values = [...parameters]
    return name ? client.query({ name, text, values }) : client.query(text, values)
  }
}

/**
 * Sets every transaction, as no session is kept. A statement outside of transactions gets its own: the three travel in
 * one packet.
 */
function inTransactions(client: RoutedClient, limits: SessionLimits) {
  const send = sendTo(client)
  const { stream } = client.connection
  const settings = transactionSettings(limits)
  let isWithin = false
  return async (text: string, parameters: readonly unknown[]): Promise<QueryResult> => {
    const isBegin = /^\s*(?:begin|start transaction)\b/.test(text)
    if (/^\s*(?:commit|rollback)\s*$/.test(text)) isWithin = false
    else if (!isBegin && !isWithin) {
      stream.cork()
      const parts = [client.query(`begin; ${settings}`), send(text, parameters), client.query('commit')] as const
      stream.uncork()
      const failed = (await Promise.allSettled(parts)).find(({ status }) => status === 'rejected')
      if (failed) throw (failed as PromiseRejectedResult).reason
      return parts[1]
    }
    if (!isBegin) return send(text, parameters)
    isWithin = true
    return client.query(`${text}; ${settings}`)
  }
}
