import type { Duplex } from 'node:stream'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { Pool, type PoolClient, type PoolConfig, types } from 'pg'
import type { Problem } from '../../../base/problems.ts'
import { preparedName } from '../statements/compiled.statement.ts'
import { tooDear, unavailable } from '../unavailable.ts'
import { isServerGone, isStatementEnded, isUnreachable } from './errors.ts'
import type { Outages } from './outage.ts'
import { sendingAhead } from './pipeline.ts'

export interface PoolOptions {
  readonly url: string
  readonly size: number
  /** 0 disables the timeout. */
  readonly statementTimeoutMs: number
  /** Whether a statement that reaches the timeout asked for too much, and says nothing about the server. */
  readonly isReading?: boolean
  /** If false, commits do not wait for the disk. */
  readonly isDurable: boolean
  /** Whether statements without a result travel with the next one. For the connection that writes. */
  readonly isPipelined?: boolean
  /** Told when the server is away, and when it is back. Without it, each failed request has its cause. */
  readonly outages?: Outages | undefined
}

/** How long a request waits for a connection, new or released by another request. */
const connectTimeoutMs = 5000
/** The server itself cancels a statement at its timeout. After this further time, the connection counts as lost. */
const graceMs = 5000
const idleTimeoutMs = 60_000
/** Otherwise the defaults of the server apply. */
const noTimeouts = ' -c statement_timeout=0 -c idle_in_transaction_session_timeout=0'
/** The type of `count(*)` and of ids. They stay far below 2^53. */
const int8 = 20

const ignore = () => {}

/** Returns the driver settings for one connection or a pool of connections. */
export function driverConfig({ url, size, statementTimeoutMs, isReading = false, isDurable }: PoolOptions): PoolConfig {
  return {
    connectionString: withLibpqTls(url),
    application_name: 'cal-events',
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    keepAlive: true,
    ...(statementTimeoutMs > 0
      ? {
          statement_timeout: statementTimeoutMs,
          query_timeout: statementTimeoutMs + graceMs,
          // A process that hangs in the middle of a write must not keep all others from writing.
          ...(isReading ? {} : { idle_in_transaction_session_timeout: statementTimeoutMs }),
        }
      : {}),
    // The server would JIT-compile statements that it estimates as expensive. Compiling takes longer than running any
    // of ours.
    options: `-c jit=off${isDurable ? '' : ' -c synchronous_commit=off'}${statementTimeoutMs > 0 ? '' : noTimeouts}`,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 ? Number : types.getTypeParser(oid, format as 'text'),
    },
  }
}

/**
 * A pool of connections. While the server is away, callers get the problem `service_unavailable`. A broken connection
 * is never reused, so the service recovers as soon as the server does.
 */
export function openPool(connections: PoolOptions): PostgresPool {
  const { isPipelined = false, isReading = false, outages } = connections
  const pool = new Pool({ ...driverConfig(connections), pipeline: isPipelined })
  // The pool drops an idle connection that breaks. A connection in use rejects its pending query.
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return {
    options: pool.options,
    connect: async () => {
      try {
        return withErrorMapping(await pool.connect(), { isPipelined, isReading, outages })
      } catch (error) {
        throw isUnreachable(error) ? failureOf(error, outages) : error
      }
    },
    end: () => pool.end(),
  }
}

/** Returns the problem of a request. An absent server is reported once for all requests. */
function failureOf(error: Error, outages: Outages | undefined): Problem {
  if (!outages || !isServerGone(error)) return unavailable(error)
  outages.began(error)
  return unavailable(undefined)
}

function withErrorMapping(
  client: PoolClient,
  { isPipelined, isReading, outages }: Pick<PoolOptions, 'isReading' | 'outages'> & { readonly isPipelined: boolean },
): PostgresPoolClient {
  let isBroken = false
  const run = async (text: string, parameters: readonly unknown[]) => {
    try {
      const name = preparedName(text)
      const values = [...parameters]
      const result = await (name ? client.query({ name, text, values }) : client.query(text, values))
      outages?.ended()
      return result
    } catch (error) {
      if (isReading && isStatementEnded(error)) throw tooDear()
      if (!isUnreachable(error)) throw error
      isBroken = true
      throw failureOf(error, outages)
    }
  }
  return {
    query: isPipelined ? sendingAhead(run, streamOf(client)) : (run as unknown as PostgresPoolClient['query']),
    release: (isDiscarded = false) => client.release(isDiscarded || isBroken),
  }
}

/** The socket of a connection, which the types of the driver leave out. */
function streamOf(client: PoolClient): Duplex {
  return (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection.stream
}

/**
 * The driver reads `sslmode=require` as `verify-full`. Elsewhere, including psql, it means encryption without a check
 * of the certificate. This function restores that meaning.
 */
function withLibpqTls(url: string): string {
  if (!/[?&]sslmode=/.test(url) || /[?&]uselibpqcompat=/.test(url)) return url
  return `${url}&uselibpqcompat=true`
}
