import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { Pool, type PoolClient, type PoolConfig, types } from 'pg'
import { isAway } from './postgres.faults.ts'
import { unavailable } from './unavailable.ts'

export interface Connections {
  readonly url: string
  readonly size: number
  /** 0: a statement may take as long as it takes. */
  readonly statementTimeoutMs: number
  /** False: commits do not wait for the disk. */
  readonly isDurable: boolean
}

/** How long a request waits for a connection, a new one or one that others are using. */
const connectTimeoutMs = 5000
/** The server ends a statement itself; this much later the connection counts as lost. */
const graceMs = 5000
const idleTimeoutMs = 60_000
/** The type of `count(*)` and of ids. They stay far below 2^53. */
const int8 = 20

const ignore = () => {}

/** Settings of the driver for one connection or a pool of them. */
export function driverConfig({ url, size, statementTimeoutMs, isDurable }: Connections): PoolConfig {
  return {
    connectionString: withUsualTls(url),
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
          idle_in_transaction_session_timeout: statementTimeoutMs,
        }
      : {}),
    // The server would compile statements that it takes for expensive, which takes longer than to run any of ours.
    options: `-c jit=off${isDurable ? '' : ' -c synchronous_commit=off'}`,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 ? Number : types.getTypeParser(oid, format as 'text'),
    },
  }
}

/**
 * A pool of connections. Where the server is away, whoever asks gets the problem `service_unavailable`, and a broken
 * connection is not used again: when the server is back, so is the service.
 */
export function openPool(connections: Connections): PostgresPool {
  const pool = new Pool(driverConfig(connections))
  // The pool drops an idle connection that breaks; one in use tells whoever waits for its answer.
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return {
    options: pool.options,
    connect: async () => {
      try {
        return watched(await pool.connect())
      } catch (error) {
        throw isAway(error) ? unavailable(error) : error
      }
    },
    end: () => pool.end(),
  }
}

function watched(client: PoolClient): PostgresPoolClient {
  let isBroken = false
  const query = async (text: string, parameters: readonly unknown[]) => {
    try {
      return await client.query(text, [...parameters])
    } catch (error) {
      if (!isAway(error)) throw error
      isBroken = true
      throw unavailable(error)
    }
  }
  return {
    // There are no cursors here, its other form.
    query: query as unknown as PostgresPoolClient['query'],
    release: (isDiscarded = false) => client.release(isDiscarded || isBroken),
  }
}

/**
 * The driver reads `sslmode=require` as `verify-full`. Everywhere else, psql included, it means encryption without a
 * look at the certificate; so here.
 */
function withUsualTls(url: string): string {
  if (!/[?&]sslmode=/.test(url) || /[?&]uselibpqcompat=/.test(url)) return url
  return `${url}&uselibpqcompat=true`
}
