import { randomUUID } from 'node:crypto'
import { Client, type ClientConfig, types } from 'pg'
import { mustBeWritable, type PrepareMode, serverUrls } from '../../../base/config/database.ts'
import { StorageError } from '../storage.ts'
import { cannotConnect, errorText, isUnreachable, readOnly } from './errors.ts'

export interface SessionLimits {
  /** 0 disables the timeout. */
  readonly statementTimeoutMs: number
  /** Whether a statement that reaches the timeout asked for too much, and says nothing about the server. */
  readonly isReading?: boolean
  /** If false, commits do not wait for the disk. */
  readonly isDurable: boolean
}

export interface Route {
  readonly url: string
  /**
   * Whether a pooler such as PgBouncer may give each transaction another connection. The settings of a session are
   * then lost, or meet other clients, so they travel with each transaction.
   */
  readonly isPooled: boolean
  /** Whether a connection keeps named statements. */
  readonly canPrepare: boolean
}

/** A server, and what was found out about it. */
export interface Server {
  /** Address of the server, safe to print. */
  readonly shown: string
  /** The last route that was found. */
  readonly known: () => Route | undefined
  /**
   * Finds the route to the server, unless it is known.
   *
   * @param isPatient If false, the server is not waited for while it is known to be away. It is looked for all the same.
   * @throws StorageError if the server cannot be used, and other errors if it cannot be reached.
   */
  readonly find: (isPatient?: boolean) => Promise<Route>
  /** The next caller finds the route again. */
  readonly forget: () => void
}

export interface ServerOptions {
  readonly url: string
  readonly shown: string
  readonly prepare?: PrepareMode | undefined
  readonly say: (line: string) => void
}

/** How long a request waits for a connection, new or released by another request. */
export const connectTimeoutMs = 5000
/** The server itself cancels a statement at its timeout. After this further time, the connection counts as lost. */
const graceMs = 5000
const oldestVersion = 15
/** The type of `count(*)` and of ids. They stay far below 2^53. */
const int8 = 20

/** Describes a server, which need not be reachable yet. */
export function describeServer({ url, shown, prepare = 'auto', say }: ServerOptions): Server {
  const urls = serverUrls(url).map(withLibpqTls)
  const isWritable = mustBeWritable(url)
  let known: Route | undefined
  let finding: Promise<Route> | undefined
  let isForgotten = true
  let failure: unknown
  let told: string | undefined
  const find = async () => {
    const route = await firstOf(urls, (one) => lookAt(one, { prepare, isWritable }))
    const line = route.isPooled
      ? `The database ${shown} is behind a pooler: settings travel with each transaction, and statements are ${route.canPrepare ? '' : 'not '}prepared.`
      : undefined
    if (line !== undefined && line !== told) say(line)
    told = line
    known = route
    isForgotten = false
    failure = undefined
    return route
  }
  return {
    shown,
    known: () => known,
    find: async (isPatient = true) => {
      if (known && !isForgotten) return known
      finding ??= find().finally(() => {
        finding = undefined
      })
      finding.catch((error) => {
        failure = error
      })
      if (failure !== undefined && !isPatient) throw failure
      return finding
    },
    forget: () => {
      isForgotten = true
    },
  }
}

function sessionSettings({ statementTimeoutMs, isReading = false, isDurable }: SessionLimits) {
  return Object.entries({
    // The server would JIT-compile statements that it estimates as expensive. Compiling takes longer than running any
    // of ours.
    jit: 'off',
    ...(isDurable ? {} : { synchronous_commit: 'off' }),
    statement_timeout: statementTimeoutMs,
    // A process that hangs in the middle of a write must not keep all others from writing.
    ...(isReading && statementTimeoutMs > 0 ? {} : { idle_in_transaction_session_timeout: statementTimeoutMs }),
  })
}

/** Returns a statement that sets the transaction that has begun. */
export function transactionSettings(limits: SessionLimits): string {
  return sessionSettings(limits)
    .map(([name, value]) => `set local ${name} = ${value}`)
    .join('; ')
}

/** Returns the driver settings for connections by this route. */
export function connectionConfig({ url, isPooled }: Pick<Route, 'url' | 'isPooled'>, limits: SessionLimits) {
  const { statementTimeoutMs } = limits
  return {
    connectionString: url,
    application_name: 'cal-events',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    ...(statementTimeoutMs > 0 ? { query_timeout: statementTimeoutMs + graceMs } : {}),
    ...(isPooled
      ? {}
      : {
          options: sessionSettings(limits)
            .map(([name, value]) => `-c ${name}=${value}`)
            .join(' '),
        }),
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 ? Number : types.getTypeParser(oid, format as 'text'),
    },
  } satisfies ClientConfig
}

/** Returns the first route that is found. @throws what keeps the service from using a server, if that is known. */
async function firstOf(urls: readonly string[], look: (url: string) => Promise<Route>): Promise<Route> {
  try {
    return await Promise.any(urls.map(look))
  } catch (error) {
    const errors = (error as AggregateError).errors as readonly Error[]
    const [first] = errors
    throw errors.length > 1 && errors.every(isUnreachable)
      ? Object.assign(new AggregateError(errors), { code: cannotConnect })
      : (errors.find((one) => !isUnreachable(one)) ?? first)
  }
}

interface Found {
  readonly version: string
  readonly encoding: string
  readonly isReadOnly: boolean
  /** Whether the settings that were sent at the start of the connection have arrived. */
  readonly isDirect: boolean
}

/** Some poolers refuse settings at the start of a connection, others ignore them. */
const refusedSetting = /unsupported startup parameter/

interface Wanted {
  readonly prepare: PrepareMode
  /** Whether a server that only reads will not do. */
  readonly isWritable: boolean
}

async function lookAt(url: string, wanted: Wanted, isPooled = false): Promise<Route> {
  const { prepare, isWritable } = wanted
  const client = new Client(
    connectionConfig({ url, isPooled }, { statementTimeoutMs: connectTimeoutMs, isDurable: true }),
  )
  // A connection that breaks rejects its pending query.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Found>(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
        current_setting('transaction_read_only') = 'on' as "isReadOnly",
        exists (select 1 from pg_settings where name = 'jit' and source = 'client') as "isDirect"`,
    )
    const { version = '', encoding = '', isReadOnly = false, isDirect = false } = rows[0] ?? {}
    if (Number.parseInt(version, 10) < oldestVersion) {
      throw new StorageError(`it is PostgreSQL ${version}, but ${oldestVersion} or later is required.`)
    }
    if (encoding !== 'UTF8') throw new StorageError(`its encoding is ${encoding}, but UTF8 is required.`)
    if (isWritable && isReadOnly)
      throw Object.assign(new Error(`${client.host}:${client.port} only reads`), { code: readOnly })
    const canPrepare = prepare === 'auto' ? isDirect || (await keepsStatements(client)) : prepare === 'on'
    return { url, isPooled: !isDirect, canPrepare }
  } catch (error) {
    if (isPooled || !(error instanceof Error) || !refusedSetting.test(errorText(error))) throw error
    return await lookAt(url, wanted, true)
  } finally {
    await client.end()
  }
}

/**
 * Whether the pooler lets every connection use the statements that any of them named. It then has to give them names of its
 * own, so the server does not know ours.
 */
async function keepsStatements(client: Client): Promise<boolean> {
  const name = `cal_${randomUUID().replaceAll('-', '')}`
  await client.query('begin')
  const { rows } = await client.query({
    ...{ name, values: [name] },
    text: 'select 1 from pg_prepared_statements where name = $1',
  })
  if (rows.length > 0) await client.query(`deallocate ${name}`)
  await client.query('commit')
  return rows.length === 0
}

/**
 * The driver reads `sslmode=require` as `verify-full`. Elsewhere, including psql, it means encryption without a check
 * of the certificate. This function restores that meaning.
 */
function withLibpqTls(url: string): string {
  if (!/[?&]sslmode=/.test(url) || /[?&]uselibpqcompat=/.test(url)) return url
  return `${url}&uselibpqcompat=true`
}
